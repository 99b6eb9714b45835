"""Directions of a body: ahead in a frame, and turns about up."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ._arrays import Floats, cross, inverse, multiply, rotate

if TYPE_CHECKING:
    from ._anatomy import Anatomy


def ahead_of(positions: Floats, anatomy: Anatomy) -> Floats:
    """(3,) the direction that the body faces along in a frame, (J, 3), in inner axes: from hips to their left, by up."""
    left, right = (anatomy.index(f"{side}UpperLeg") for side in ("left", "right"))
    across = positions[left] - positions[right]
    return rotate(anatomy.inner_from_file, cross(across, anatomy._up))


def about_up(anatomy: Anatomy, angle: float) -> Floats:
    """(4,) the turn about up by an angle, radians, in the file's axes."""
    to_inner = anatomy.inner_from_file
    inner = np.array([0.0, np.sin(angle / 2.0), 0.0, np.cos(angle / 2.0)])
    return multiply(inverse(to_inner), multiply(inner, to_inner))

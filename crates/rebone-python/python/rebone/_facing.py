"""Directions of a body: up, and ahead in a frame."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ._arrays import Floats, inverse, multiply, rotate

if TYPE_CHECKING:
    from ._anatomy import Anatomy
    from ._motion import Motion


def up_of(anatomy: Anatomy) -> Floats:
    """(3,) the direction up in the file's axes."""
    return rotate(inverse(anatomy.inner_from_file), np.array([0.0, 1.0, 0.0]))


def ahead_of(motion: Motion, anatomy: Anatomy) -> Floats:
    """(3,) the direction that the body faces along in the first frame, in inner axes: from hips to their left, by up."""
    left, right = (anatomy.index(f"{side}UpperLeg") for side in ("left", "right"))
    across = motion.positions[0, left] - motion.positions[0, right]
    return rotate(anatomy.inner_from_file, np.cross(across, up_of(anatomy)))


def about_up(anatomy: Anatomy, angle: float) -> Floats:
    """(4,) the turn about up by an angle, radians, in the file's axes."""
    to_inner = anatomy.inner_from_file
    inner = np.array([0.0, np.sin(angle / 2.0), 0.0, np.cos(angle / 2.0)])
    return multiply(inverse(to_inner), multiply(inner, to_inner))

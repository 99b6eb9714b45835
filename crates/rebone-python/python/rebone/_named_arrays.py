"""Arrays whose joints have another order than those of a skeleton."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from ._arrays import Floats, Ints, floats
from ._errors import InputError
from ._skeleton import Skeleton


def order_of(skeleton: Skeleton, names: Sequence[str] | npt.NDArray[np.str_]) -> Ints:
    """Index in `names` of each joint of a skeleton."""
    index = {str(name): k for k, name in enumerate(names)}
    absent = [name for name in skeleton.names if name not in index]
    if absent or len(names) != len(skeleton):
        raise InputError(f"names: found {len(names)} names without {', '.join(absent) or 'repeats'}, expected those of the skeleton")
    return np.array([index[name] for name in skeleton.names], dtype=np.int32)


def all_moving(skeleton: Skeleton, translations: npt.NDArray[Any], joints: Ints) -> Floats:
    """Translations of all joints of a skeleton that can move, of those of some joints; the others rest."""
    frames = len(translations)
    given = floats(translations, "translations", frames, len(joints), 3)
    own = list(skeleton._core.moving)
    full = np.tile(skeleton.offsets[own], (frames, 1, 1))
    for column, joint in enumerate(joints):
        if int(joint) not in own:
            raise InputError(f"moving: {skeleton.names[int(joint)]} cannot move, expected {', '.join(skeleton.names[k] for k in own)}")
        full[:, own.index(int(joint))] = given[:, column]
    return full

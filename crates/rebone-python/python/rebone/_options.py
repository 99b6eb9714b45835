"""Types of the options of a retarget. Generated from `crates/rebone/src/options/`: docs/options.md has the same text."""

# fmt: off
from __future__ import annotations

from typing import Literal, TypedDict

__all__ = ["Options"]


class Options(TypedDict, total=False):
    """All options of a retarget. `None` is the default of each."""

    #: Retargeting method. `copy` and `bind` copy rotations, `egocentric` and `energies` are published methods for self-contacts, all to compare. Default: `ik`.
    method: Literal["ik", "copy", "bind", "egocentric", "energies"] | None

    #: Goal of arms and legs: the `direction` of their bones, the `position` of hands and feet, or a blend from 0 (direction) to 1 (position). Default: `direction`.
    limbs: Literal["direction", "position"] | float | None

    #: Goal of the arms. Default: that of --limbs.
    arms: Literal["direction", "position"] | float | None

    #: Goal of the legs. Default: that of --limbs.
    legs: Literal["direction", "position"] | float | None

    #: Joint limits. Default: `source`.
    limits: Literal["source", "human", "strict"] | None

    #: Solver of the stages: bounded Levenberg-Marquardt (`lm`); others to compare: steps along the Jacobian's transpose, or argmin's simplex. Default: `lm`.
    solver: Literal["lm", "jacobian-transpose", "nelder-mead"] | None

    #: Contacts of the source that the result keeps, with --method ik. Default: `feet`.
    contacts: Literal["off", "soft", "feet", "all", "lock"] | None

    #: Leave self-contacts as they come. Without it hands keep their places over the own body and over each other, and arms go no deeper into the body than the source's, where both files have a mesh; where only the target has one, hands keep their places over the other arm, and on the body where they rest at the end of a bent arm. Default: `false`.
    no_self_contact: bool | None

    #: Height of the source's floor, in its file's unit, along its up axis. Default: estimated.
    floor: float | None

    #: Joint that holds the root motion. Default: `world`.
    root: Literal["world", "in-place", "root-bone"] | None

    #: Give the result a root bone, `root`, above the skeleton's top joint, where the rig has none; with --root root-bone. Default: `false`.
    add_root: bool | None

    #: Begin of the root bone's path, with --root root-bone. Default: `origin`.
    root_start: Literal["origin", "source"] | None

    #: Standard deviation of the low-pass filter of the root path, seconds: the sway of steps stays in the body. Default: 0.2.
    root_smoothing: float | None

    #: Scale of the horizontal travel. Default: `leg-length`.
    travel: Literal["leg-length", "metric"] | None

    #: Frames per second of the result. Default: those of the source.
    fps: float | None

    #: Height of the result's floor. Default: `auto`.
    ground: Literal["auto", "keep", "on"] | None

    #: Animation in the target's file that joints play which do not follow the source: its name, or its number, counted from 0. It loops. Default: none.
    base: str | None

    #: Retarget only these regions of the body: all others play --base, or keep the rest pose. Default: none.
    only: list[Literal["upper", "lower", "hips", "trunk", "head", "arms", "hands", "legs"]] | str | None

    #: First frame of the source that is a calibration pose, often a T pose. Default: `keep`.
    leading_pose: Literal["keep", "drop"] | None

    #: Frames of the source to use, counted from 0, B not included: `A..B`, `A..`, `..B`. Default: all.
    frames: str | tuple[int | None, int | None] | range | slice | None

    #: Retarget one cycle and close its seam, so that it loops: the best one, or frames A..B of the source, counted from 0, of which B repeats A. The last frame of the result is its first, moved along the floor. Default: none.
    loop: bool | str | tuple[int, int] | None

    #: Use guesses below confidence, instead of stopping with exit code 4. Default: `false`.
    accept_guesses: bool | None

    #: Name of the animation that is written, in glTF. Default: the name of the source's clip, or of its file.
    animation: str | None

    #: Decimals of numbers, in BVH. Default: as many as read back unchanged.
    decimals: float | None

    #: Largest distance of joints from the result, in glTF: degrees and millimetres, in world space. Keys are reduced within it; 0,0 keeps all keys. Default: `0.01,0.1`.
    tolerance: str | tuple[float, float] | None

    #: Write joints and motion alone: no meshes, materials and other animations of a glTF or VRM. Default: `false`.
    animation_only: bool | None

"""Names of the arrays of SMPL motions."""

from __future__ import annotations

#: Our names of arrays, with those that formats and programs give them: AMASS, GVHMR, WHAM, TRAM, PromptHMR, AIST++, EasyMocap.
#: The first one that is there counts.
NAMES: dict[str, tuple[str, ...]] = {
    "poses": ("pose_world", "poses", "smpl_poses", "pred_rotmat", "pose"),
    "root_orient": ("root_orient", "poses_root_world", "global_orient"),
    "pose_body": ("pose_body", "poses_body", "body_pose"),
    "pose_hand": ("pose_hand",),
    "left_hand_pose": ("left_hand_pose",),
    "right_hand_pose": ("right_hand_pose",),
    # Middle of the hip joints.
    "hips": ("trans_world",),
    # Rotation and translation about the origin.
    "turn": ("Rh",),
    "shift": ("Th",),
    "trans": ("trans", "transl", "smpl_trans", "pred_trans"),
    "scale": ("smpl_scaling",),
    "betas": ("betas", "shape", "shapes", "pred_shape"),
    "fps": ("mocap_frame_rate", "mocap_framerate", "fps", "frame_rate"),
    "motion_x": ("motion_x",),
    "humanml3d": ("humanml3d",),
    "joints": ("joints",),
}
#: Names below which programs keep the arrays of one body, the world before the camera.
GROUPS = ("smpl_params_global", "smplx_world", "smplx", "smpl", "smpl_params_incam", "smplx_cam")
#: All names that are read.
KNOWN = frozenset({name for names in NAMES.values() for name in names} | {*GROUPS, "people"})

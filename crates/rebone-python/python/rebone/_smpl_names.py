"""Names of the arrays of SMPL motions."""

from __future__ import annotations

#: Numbers of a frame of Motion-X, and its frames per second.
MOTION_X_WIDTH, MOTION_X_FPS = 322, 30.0
#: Numbers of a frame of HumanML3D (Guo et al., Generating Diverse and Natural 3D Human Motions from Text, CVPR 2022): the root's rotation
#: as half an angle a frame, its speed along x and z, its height, positions of 21 joints, rotations and speeds, four contacts of
#: feet; and its frames per second.
HUMANML3D_WIDTH, HUMANML3D_FPS = 263, 20.0
#: Numbers of a frame of KIT-ML, which is laid out alike for another skeleton.
KIT_WIDTH = 251
#: Our names of arrays, with those that formats and programs give them: AMASS, GVHMR, WHAM, TRAM, PromptHMR, AIST++, EasyMocap.
#: The first one that is there counts.
NAMES: dict[str, tuple[str, ...]] = {
    "poses": ("pose_world", "poses", "smpl_poses", "pred_rotmat", "pose"),
    "root_orient": ("root_orient", "poses_root_world", "global_orient"),
    "pose_body": ("pose_body", "poses_body", "body_pose"),
    "pose_hand": ("pose_hand",),
    "left_hand_pose": ("left_hand_pose",),
    "right_hand_pose": ("right_hand_pose",),
    # WHAM, `lib/models/smpl.py`: the middle of its two hip joints, which is taken for that of SMPL's.
    "hips": ("trans_world",),
    # EasyMocap: rotation and translation about the origin of the world, not about the pelvis.
    "world_rotation": ("Rh",),
    "world_translation": ("Th",),
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

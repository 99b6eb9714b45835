//! Conventions as people write them, in a small notation: a line is a way down the tree, `{}` stands
//! for the side and makes two lines, `@x,y,z` behind a name is the joint's place against its parent.

use super::*;
use crate::understand::{Role, Side};
use nalgebra::{UnitQuaternion, Vector3};
use proptest::prelude::*;
use rebone_skeleton::{Joint, JointId, forward_kinematics};

/// A convention: its words for left and right, its tree, and who plays what (`role=joint,joint`).
struct Convention {
    name: &'static str,
    sides: [&'static str; 2],
    tree: &'static str,
    cast: &'static str,
}

fn both(line: &str, sides: [&str; 2]) -> Vec<String> {
    if !line.contains("{}") {
        return vec![line.to_string()];
    }
    sides.iter().map(|side| line.replace("{}", side)).collect()
}

fn skeleton(tree: &str, sides: [&str; 2]) -> Skeleton {
    let mut joints: Vec<Joint> = Vec::new();
    for (at, line) in tree.lines().flat_map(|line| both(line.trim(), sides)).enumerate() {
        let mut above: Option<JointId> = None;
        for (place, word) in line.split(" > ").map(str::trim).enumerate() {
            let (name, offset) = word.split_once('@').unwrap_or((word, "0,1,0"));
            let known = joints.iter().position(|joint| joint.name == name);
            if place == 0 && (at > 0 || known.is_some()) {
                above = Some(JointId(known.unwrap_or_else(|| panic!("no joint {name}"))));
                continue;
            }
            let same = |joint: &Joint| joint.name == name && joint.parent == above;
            if let Some(known) = joints.iter().position(same) {
                above = Some(JointId(known));
                continue;
            }
            let numbers: Vec<f64> = offset.split(',').map(|n| n.parse().unwrap()).collect();
            joints.push(joint(name, above, Vector3::from_column_slice(&numbers)));
            above = Some(JointId(joints.len() - 1));
        }
    }
    Skeleton::new(joints, Vec::new()).unwrap()
}

fn joint(name: &str, parent: Option<JointId>, rest_translation: Vector3<f64>) -> Joint {
    Joint {
        name: name.into(),
        parent,
        rest_translation,
        rest_rotation: UnitQuaternion::identity(),
        translation_axes: Vec::new(),
        rotation_axes: Vec::new(),
    }
}

fn rest(skeleton: &Skeleton) -> Vec<WorldPose> {
    vec![forward_kinematics(skeleton, &skeleton.rest_pose())]
}

/// The names of all joints that play a role, parents first.
fn players(skeleton: &Skeleton, roles: &Roles, role: Role) -> Vec<String> {
    roles.joints(role).map(|id| skeleton.joint(id).name.to_string()).collect()
}

const CONVENTIONS: &[Convention] = &[
    Convention {
        name: "Mixamo",
        sides: ["Left", "Right"],
        tree: "mixamorig:Hips > mixamorig:Spine > mixamorig:Spine1 > mixamorig:Spine2 > mixamorig:Neck > mixamorig:Head > mixamorig:HeadTop_End
            mixamorig:Spine2 > mixamorig:{}Shoulder > mixamorig:{}Arm > mixamorig:{}ForeArm > mixamorig:{}Hand > mixamorig:{}HandThumb1 > mixamorig:{}HandThumb2
            mixamorig:{}Hand > mixamorig:{}HandIndex1 > mixamorig:{}HandIndex2
            mixamorig:Hips > mixamorig:{}UpLeg > mixamorig:{}Leg > mixamorig:{}Foot > mixamorig:{}ToeBase > mixamorig:{}Toe_End
            mixamorig:Head > mixamorig:HairLeftA1 > mixamorig:HairLeftA2
            mixamorig:{}Arm > mixamorig:{}_Sleeve",
        cast: "hips=mixamorig:Hips; spine=mixamorig:Spine,mixamorig:Spine1,mixamorig:Spine2; neck=mixamorig:Neck
            head=mixamorig:Head; {}Shoulder=mixamorig:{}Shoulder; {}UpperArm=mixamorig:{}Arm
            {}LowerArm=mixamorig:{}ForeArm; {}Hand=mixamorig:{}Hand; {}UpperLeg=mixamorig:{}UpLeg
            {}LowerLeg=mixamorig:{}Leg; {}Foot=mixamorig:{}Foot; {}Toes=mixamorig:{}ToeBase; {}UpperArmTwist=
            {}Thumb=mixamorig:{}HandThumb1,mixamorig:{}HandThumb2; {}Index=mixamorig:{}HandIndex1,mixamorig:{}HandIndex2",
    },
    Convention {
        name: "Mixamo without its colon",
        sides: ["Left", "Right"],
        tree: "Armature > mixamorigHips > mixamorigSpine > mixamorigNeck > mixamorigHead
            mixamorigSpine > mixamorig{}Shoulder > mixamorig{}Arm > mixamorig{}ForeArm > mixamorig{}Hand
            mixamorigHips > mixamorig{}UpLeg > mixamorig{}Leg > mixamorig{}Foot",
        cast: "hips=mixamorigHips; spine=mixamorigSpine; {}Shoulder=mixamorig{}Shoulder; {}UpperArm=mixamorig{}Arm
            {}LowerLeg=mixamorig{}Leg; {}Toes=",
    },
    Convention {
        name: "CMU",
        sides: ["Left", "Right"],
        tree: "Hips > LowerBack > Spine > Spine1 > Neck > Neck1 > Head
            Spine1 > {}Shoulder > {}Arm > {}ForeArm > {}Hand > {}FingerBase > {}HandIndex1
            {}Hand > {}Thumb
            Hips > {}HipJoint > {}UpLeg > {}Leg > {}Foot > {}ToeBase",
        cast: "hips=Hips; spine=LowerBack,Spine,Spine1; neck=Neck,Neck1; head=Head; {}HipBone={}HipJoint
            {}Shoulder={}Shoulder; {}UpperArm={}Arm; {}Index=; {}Thumb=; {}Toes={}ToeBase",
    },
    Convention {
        name: "3ds Max and Xsens",
        sides: ["Left", "Right"],
        tree: "Hips > Chest > Chest2 > Chest3 > Neck > Head
            Chest3 > {}Collar > {}Shoulder > {}Elbow > {}Wrist
            Hips > {}Hip > {}Knee > {}Ankle > {}Toe",
        cast: "hips=Hips; spine=Chest,Chest2,Chest3; {}Shoulder={}Collar; {}UpperArm={}Shoulder; {}LowerArm={}Elbow
            {}Hand={}Wrist; {}UpperLeg={}Hip; {}LowerLeg={}Knee; {}Foot={}Ankle; {}Toes={}Toe",
    },
    Convention {
        name: "Poser and Second Life",
        sides: ["l", "r"],
        tree: "hip > abdomen > chest > neck > head > leftEye
            chest > {}Collar > {}Shldr > {}ForeArm > {}Hand > {}Thumb1 > {}Thumb2
            {}Hand > {}Mid1 > {}Mid2
            hip > {}Buttock > {}Thigh > {}Shin > {}Foot",
        cast: "hips=hip; spine=abdomen,chest; neck=neck; leftEye=leftEye; {}Shoulder={}Collar; {}UpperArm={}Shldr
            {}LowerArm={}ForeArm; {}HipBone={}Buttock; {}UpperLeg={}Thigh; {}LowerLeg={}Shin; {}Middle={}Mid1,{}Mid2",
    },
    Convention {
        name: "Genesis",
        sides: ["l", "r"],
        tree: "Genesis8Female > hip > pelvis > {}ThighBend > {}ThighTwist > {}Shin > {}Foot > {}Metatarsals > {}Toe > {}BigToe
            hip > abdomenLower > abdomenUpper > chestLower > chestUpper > neckLower > neckUpper > head
            chestUpper > {}Collar > {}ShldrBend > {}ShldrTwist > {}ForearmBend > {}ForearmTwist > {}Hand",
        cast: "hips=pelvis; spine=hip,abdomenLower,abdomenUpper,chestLower,chestUpper; neck=neckLower,neckUpper
            {}UpperArm={}ShldrBend; {}UpperArmTwist={}ShldrTwist; {}LowerArm={}ForearmBend
            {}LowerArmTwist={}ForearmTwist; {}UpperLegTwist={}ThighTwist; {}Toes={}Toe",
    },
    Convention {
        name: "Character Creator",
        sides: ["L", "R"],
        tree: "RL_BoneRoot > CC_Base_Hip > CC_Base_Pelvis > CC_Base_{}_Thigh > CC_Base_{}_Calf > CC_Base_{}_Foot > CC_Base_{}_ToeBase > CC_Base_{}_BigToe1
            CC_Base_{}_ToeBase > CC_Base_{}_IndexToe1
            CC_Base_{}_Foot > CC_Base_{}_ToeBaseShareBone
            CC_Base_{}_Thigh > CC_Base_{}_ThighTwist01 > CC_Base_{}_ThighTwist02
            CC_Base_Hip > CC_Base_Waist > CC_Base_Spine01 > CC_Base_Spine02 > CC_Base_NeckTwist01 > CC_Base_Head > CC_Base_FacialBone > CC_Base_JawRoot
            CC_Base_FacialBone > CC_Base_{}_Eye
            CC_Base_Spine02 > CC_Base_{}_Clavicle > CC_Base_{}_Upperarm > CC_Base_{}_Forearm > CC_Base_{}_Hand > CC_Base_{}_Mid1 > CC_Base_{}_Mid2
            CC_Base_{}_Upperarm > CC_Base_{}_UpperarmTwist01
            CC_Base_Spine02 > CC_Base_{}_RibsTwist",
        cast: "hips=CC_Base_Pelvis; spine=CC_Base_Hip,CC_Base_Waist,CC_Base_Spine01,CC_Base_Spine02; neck=CC_Base_NeckTwist01
            head=CC_Base_Head; jaw=CC_Base_JawRoot; {}Eye=CC_Base_{}_Eye; {}Toes=CC_Base_{}_ToeBase
            {}UpperLegTwist=CC_Base_{}_ThighTwist01,CC_Base_{}_ThighTwist02; {}UpperArmTwist=CC_Base_{}_UpperarmTwist01
            {}Middle=CC_Base_{}_Mid1,CC_Base_{}_Mid2; {}Index=",
    },
    Convention {
        name: "Unreal",
        sides: ["l", "r"],
        tree: "root > pelvis > spine_01 > spine_02 > spine_03 > neck_01 > head
            spine_03 > clavicle_{} > upperarm_{} > lowerarm_{} > hand_{} > thumb_01_{} > thumb_02_{}
            hand_{} > index_metacarpal_{} > index_01_{}
            upperarm_{} > upperarm_twist_01_{}
            lowerarm_{} > lowerarm_twist_01_{}
            pelvis > thigh_{} > calf_{} > foot_{} > ball_{}
            thigh_{} > thigh_twist_01_{}
            root > ik_foot_root > ik_foot_{}
            root > ik_hand_root > ik_hand_gun > ik_hand_{}",
        cast: "hips=pelvis; spine=spine_01,spine_02,spine_03; neck=neck_01; {}Hand=hand_{}; {}Foot=foot_{}
            {}UpperArmTwist=upperarm_twist_01_{}; {}LowerArmTwist=lowerarm_twist_01_{}; {}UpperLegTwist=thigh_twist_01_{}
            {}Thumb=thumb_01_{},thumb_02_{}; {}Index=index_metacarpal_{},index_01_{}; {}Toes=ball_{}",
    },
    Convention {
        name: "VRoid",
        sides: ["L", "R"],
        tree: "Root > J_Bip_C_Hips > J_Bip_C_Spine > J_Bip_C_Chest > J_Bip_C_UpperChest > J_Bip_C_Neck > J_Bip_C_Head > J_Adj_{}_FaceEye
            J_Bip_C_UpperChest > J_Bip_{}_Shoulder > J_Bip_{}_UpperArm > J_Bip_{}_LowerArm > J_Bip_{}_Hand > J_Bip_{}_Little1 > J_Bip_{}_Little2
            J_Bip_C_UpperChest > J_Sec_{}_Bust1
            J_Bip_C_Hips > J_Bip_{}_UpperLeg > J_Bip_{}_LowerLeg > J_Bip_{}_Foot > J_Bip_{}_ToeBase",
        cast: "hips=J_Bip_C_Hips; spine=J_Bip_C_Spine,J_Bip_C_Chest,J_Bip_C_UpperChest; {}Little=J_Bip_{}_Little1,J_Bip_{}_Little2
            {}UpperArm=J_Bip_{}_UpperArm; {}LowerArm=J_Bip_{}_LowerArm; {}Eye=J_Adj_{}_FaceEye; {}Toes=J_Bip_{}_ToeBase",
    },
    Convention {
        name: "VRM names",
        sides: ["left", "right"],
        tree: "hips > spine > chest > neck > head
            chest > {}Shoulder > {}UpperArm > {}LowerArm > {}Hand > {}ThumbMetacarpal > {}ThumbProximal
            {}Hand > {}RingProximal > {}RingIntermediate
            hips > {}UpperLeg > {}LowerLeg > {}Foot > {}Toes",
        cast: "{}UpperArm={}UpperArm; {}Thumb={}ThumbMetacarpal,{}ThumbProximal; {}Ring={}RingProximal,{}RingIntermediate",
    },
    Convention {
        name: "Rigify",
        sides: ["L", "R"],
        tree: "root > DEF-spine > DEF-spine.001 > DEF-spine.002 > DEF-spine.003 > DEF-spine.004 > DEF-spine.005 > DEF-head
            DEF-spine.003 > DEF-shoulder.{} > DEF-upper_arm.{} > DEF-upper_arm.{}.001 > DEF-forearm.{} > DEF-forearm.{}.001 > DEF-hand.{} > DEF-palm.01.{} > DEF-f_index.01.{} > DEF-f_index.02.{}
            DEF-palm.01.{} > DEF-thumb.01.{} > DEF-thumb.02.{}
            DEF-spine.003 > DEF-breast.{}
            DEF-spine > DEF-pelvis.{} > DEF-thigh.{} > DEF-thigh.{}.001 > DEF-shin.{} > DEF-shin.{}.001 > DEF-foot.{} > DEF-toe.{}",
        cast: "hips=DEF-spine; {}HipBone=DEF-pelvis.{}; {}UpperArm=DEF-upper_arm.{}; {}UpperArmTwist=DEF-upper_arm.{}.001
            {}LowerArm=DEF-forearm.{}; {}LowerArmTwist=DEF-forearm.{}.001; {}LowerLeg=DEF-shin.{}; {}LowerLegTwist=DEF-shin.{}.001
            {}Index=DEF-palm.01.{},DEF-f_index.01.{},DEF-f_index.02.{}; {}Thumb=DEF-thumb.01.{},DEF-thumb.02.{}
            neck=DEF-spine.004,DEF-spine.005",
    },
    Convention {
        name: "MMD",
        sides: ["左", "右"],
        tree: "全ての親 > センター > グルーブ > 腰 > 上半身 > 上半身2 > 首 > 頭 > {}目
            上半身2 > {}肩P > {}肩 > {}肩C > {}腕 > {}腕捩 > {}ひじ > {}手捩 > {}手首 > {}親指０ > {}親指１
            {}手首 > {}人指１ > {}人指２
            {}手首 > {}手先
            {}腕 > {}腕捩1
            腰 > 下半身 > 腰キャンセル{} > {}足 > {}ひざ > {}足首 > {}つま先
            全ての親 > {}足ＩＫ親 > {}足ＩＫ > {}つま先ＩＫ
            下半身 > {}足D > {}ひざD > {}足首D > {}足先EX",
        cast: "hips=下半身; spine=腰,上半身,上半身2; neck=首; head=頭; {}Eye={}目; {}Shoulder={}肩; {}UpperArm={}腕
            {}UpperArmTwist={}腕捩,{}腕捩1; {}LowerArm={}ひじ; {}LowerArmTwist={}手捩; {}Hand={}手首; {}HipBone=腰キャンセル{}
            {}UpperLeg={}足; {}LowerLeg={}ひざ; {}Foot={}足首; {}Toes={}つま先; {}Thumb={}親指０,{}親指１; {}Index={}人指１,{}人指２",
    },
    Convention {
        name: "3ds Max Biped",
        sides: ["L", "R"],
        tree: "Bip01 > Bip01 Pelvis > Bip01 Spine > Bip01 Spine1 > Bip01 Neck > Bip01 Head > Bip01 HeadNub
            Bip01 Spine1 > Bip01 {} Clavicle > Bip01 {} UpperArm > Bip01 {} Forearm > Bip01 {} Hand > Bip01 {} Finger0 > Bip01 {} Finger01 > Bip01 {} Finger0Nub
            Bip01 {} Hand > Bip01 {} Finger1 > Bip01 {} Finger11
            Bip01 {} Forearm > Bip01 {} ForeTwist > Bip01 {} ForeTwist1
            Bip01 {} UpperArm > Bip01 {}UpArmTwist
            Bip01 Pelvis > Bip01 {} Thigh > Bip01 {} Calf > Bip01 {} Foot > Bip01 {} Toe0 > Bip01 {} Toe0Nub",
        cast: "hips=Bip01 Pelvis; spine=Bip01 Spine,Bip01 Spine1; neck=Bip01 Neck; {}UpperArm=Bip01 {} UpperArm
            {}Thumb=Bip01 {} Finger0,Bip01 {} Finger01,Bip01 {} Finger0Nub; {}Index=Bip01 {} Finger1,Bip01 {} Finger11
            {}LowerArmTwist=Bip01 {} ForeTwist,Bip01 {} ForeTwist1; {}UpperArmTwist=Bip01 {}UpArmTwist; {}Toes=Bip01 {} Toe0",
    },
    Convention {
        name: "Biped whose thighs hang on the spine and collars on the neck",
        sides: ["L", "R"],
        tree: "Bip001 > Bip001 Pelvis > Bip001 Spine > Bip001 Spine1 > Bip001 Neck > Bip001 Head
            Bip001 Neck > Bip001 {} Clavicle > Bip001 {} UpperArm > Bip001 {} Forearm > Bip001 {} Hand
            Bip001 Spine > Bip001 {} Thigh > Bip001 {} Calf > Bip001 {} Foot",
        cast: "hips=Bip001 Spine; spine=Bip001 Spine1,Bip001 Neck; neck=; head=Bip001 Head",
    },
    Convention {
        name: "Source engine",
        sides: ["L", "R"],
        tree: "ValveBiped.Bip01_Pelvis > ValveBiped.Bip01_Spine > ValveBiped.Bip01_Spine4 > ValveBiped.Bip01_Neck1 > ValveBiped.Bip01_Head1
            ValveBiped.Bip01_Spine4 > ValveBiped.Bip01_{}_Clavicle > ValveBiped.Bip01_{}_UpperArm > ValveBiped.Bip01_{}_Forearm > ValveBiped.Bip01_{}_Hand
            ValveBiped.Bip01_Pelvis > ValveBiped.Bip01_{}_Thigh > ValveBiped.Bip01_{}_Calf > ValveBiped.Bip01_{}_Foot > ValveBiped.Bip01_{}_Toe0",
        cast: "head=ValveBiped.Bip01_Head1; {}Hand=ValveBiped.Bip01_{}_Hand; {}Toes=ValveBiped.Bip01_{}_Toe0",
    },
    Convention {
        name: "SMPL",
        sides: ["Left", "Right"],
        tree: "Pelvis > Spine1 > Spine2 > Spine3 > Neck > Head
            Spine3 > {}_collar > {}_shoulder > {}_elbow > {}_wrist > {}_palm
            Pelvis > {}_hip > {}_knee > {}_ankle > {}_foot",
        cast: "hips=Pelvis; {}Shoulder={}_collar; {}UpperArm={}_shoulder; {}Hand={}_wrist; {}Foot={}_ankle; {}Toes={}_foot",
    },
    Convention {
        name: "MakeHuman with helpers, legs beside the spine",
        sides: ["L", "R"],
        tree: "Root > Spine1 > Spine2 > Spine3 > Neck > Head > __Jaw > Jaw
            Head > __Eye_{} > Eye_{}
            Spine3 > __Clavicle_{} > Clavicle_{} > UpArm_{} > LoArm_{} > Hand_{} > __Thumb1_{} > Thumb1_{} > Thumb2_{}
            Hand_{} > Middle1_{} > Middle2_{}
            Root > Hips > __UpLeg_{} > UpLeg_{} > LoLeg_{} > Foot_{} > Toe_{}",
        cast: "hips=Hips; spine=Root,Spine1,Spine2,Spine3; jaw=Jaw; {}Eye=Eye_{}; {}Shoulder=Clavicle_{}; {}UpperArm=UpArm_{}
            {}LowerArm=LoArm_{}; {}Thumb=Thumb1_{},Thumb2_{}; {}Middle=Middle1_{},Middle2_{}; {}UpperLeg=UpLeg_{}; {}LowerLeg=LoLeg_{}",
    },
    Convention {
        name: "MakeHuman default",
        sides: ["L", "R"],
        tree: "root > spine05 > spine04 > spine01 > neck01 > neck02 > head > eye.{}
            spine01 > clavicle.{} > shoulder01.{} > upperarm01.{} > upperarm02.{} > lowerarm01.{} > lowerarm02.{} > wrist.{} > finger1-1.{} > finger1-2.{}
            wrist.{} > metacarpal1.{} > finger2-1.{} > finger2-2.{}
            root > pelvis.{} > upperleg01.{} > upperleg02.{} > lowerleg01.{} > lowerleg02.{} > foot.{} > toe1-1.{}
            foot.{} > toe2-1.{}",
        cast: "hips=root; {}HipBone=pelvis.{}; {}Shoulder=clavicle.{}; {}UpperArm=upperarm01.{}; {}UpperArmTwist=upperarm02.{}
            {}LowerArm=lowerarm01.{}; {}LowerArmTwist=lowerarm02.{}; {}Hand=wrist.{}; {}UpperLegTwist=upperleg02.{}
            {}LowerLegTwist=lowerleg02.{}; {}Thumb=finger1-1.{},finger1-2.{}; {}Index=metacarpal1.{},finger2-1.{},finger2-2.{}; {}Toes=",
    },
    Convention {
        name: "MB-Lab",
        sides: ["L", "R"],
        tree: "pelvis > spine01 > spine02 > neck > head
            spine02 > clavicle_{} > upperarm_{} > lowerarm_{} > hand_{} > index00_{} > index01_{}
            pelvis > thigh_{} > calf_{} > foot_{} > toes_{}",
        cast: "{}UpperArm=upperarm_{}; {}Index=index00_{},index01_{}; {}Toes=toes_{}",
    },
    Convention {
        name: "Rokoko, ends beside the real children",
        sides: ["Left", "Right"],
        tree: "Hips > Spine > Spine1 > Neck > Head > HeadEnd
            Spine1 > {}Shoulder > {}Arm > {}ForeArm > {}Hand > {}InHandIndex > {}HandIndex1
            {}Hand > {}ForeArmEnd
            {}ForeArm > {}ArmEnd
            Hips > {}UpLeg > {}Leg > {}Foot > {}ToeBase > {}ToeBaseEnd
            {}Leg > {}LegEnd",
        cast: "{}Index={}InHandIndex,{}HandIndex1; {}LowerArm={}ForeArm; {}LowerLeg={}Leg; head=Head; {}LowerLegTwist=",
    },
    Convention {
        name: "Bandai Namco",
        sides: ["L", "R"],
        tree: "joint_Root > Hips > Spine > Chest > Neck > Head
            Chest > Shoulder_{} > UpperArm_{} > LowerArm_{} > Hand_{}
            Hips > UpperLeg_{} > LowerLeg_{} > Foot_{} > Toes_{}",
        cast: "hips=Hips; spine=Spine,Chest; {}Shoulder=Shoulder_{}; {}UpperArm=UpperArm_{}; {}UpperLeg=UpperLeg_{}",
    },
    Convention {
        name: "HumanIK with roll joints",
        sides: ["Left", "Right"],
        tree: "Character1_Reference > Character1_Hips > Character1_Spine > Character1_Neck > Character1_Head
            Character1_Spine > Character1_{}Shoulder > Character1_{}Arm > Character1_{}ArmRoll > Character1_{}ForeArm > Character1_{}ForeArmRoll > Character1_{}Hand
            Character1_Hips > Character1_{}UpLeg > Character1_{}UpLegRoll > Character1_{}Leg > Character1_{}Foot",
        cast: "hips=Character1_Hips; {}UpperArm=Character1_{}Arm; {}UpperArmTwist=Character1_{}ArmRoll
            {}LowerArmTwist=Character1_{}ForeArmRoll; {}UpperLegTwist=Character1_{}UpLegRoll; {}LowerLeg=Character1_{}Leg",
    },
    Convention {
        name: "Second Life Bento",
        sides: ["Left", "Right"],
        tree: "mPelvis > mTorso > mChest > mNeck > mHead
            mChest > mCollar{} > mShoulder{} > mElbow{} > mWrist{} > mHandIndex1{} > mHandIndex2{}
            mPelvis > mHip{} > mKnee{} > mAnkle{} > mFoot{} > mToe{}",
        cast: "hips=mPelvis; {}Shoulder=mCollar{}; {}UpperArm=mShoulder{}; {}Hand=mWrist{}; {}UpperLeg=mHip{}; {}Foot=mAnkle{}
            {}Index=mHandIndex1{},mHandIndex2{}; {}Toes=mFoot{}",
    },
    Convention {
        name: "small letters, sides glued on",
        sides: ["l", "r"],
        tree: "hip > abdomen > chest > Neck > Head
            chest > {}collar > {}shoulder > {}elbow > {}hand > __{}thumb > {}thumb > finger1-2.{}
            hip > {}hip > {}knee > {}foot",
        cast: "hips=hip; {}UpperArm={}shoulder; {}UpperLeg={}hip; {}Foot={}foot; {}Thumb={}thumb,finger1-2.{}",
    },
    Convention {
        name: "VRChat words",
        sides: ["Left", "Right"],
        tree: "Hips > Spine > Chest > Neck > Head
            Chest > {} shoulder > {} arm > {} elbow > {} wrist
            Hips > {} leg > {} knee > {} ankle > {} toe",
        cast: "{}Shoulder={} shoulder; {}UpperArm={} arm; {}UpperLeg={} leg; {}LowerLeg={} knee; {}Foot={} ankle; {}Toes={} toe",
    },
    Convention {
        name: "root at the chest, no collars",
        sides: ["Left", "Right"],
        tree: "Chest > Neck > Head
            Chest > {}Arm > {}ForeArm > {}Hand
            Chest > Spine1 > Spine > Hips > {}UpLeg > {}Leg > {}Foot",
        cast: "hips=Hips; spine=Chest,Spine1,Spine; neck=Neck; {}Shoulder=; {}HipBone=; {}UpperArm={}Arm",
    },
    Convention {
        name: "no spine, no neck, no name for the head",
        sides: ["Left", "Right"],
        tree: "Hips > Cranium
            Hips > {}Arm > {}ForeArm > {}Hand
            Hips > {}UpLeg > {}Leg > {}Foot",
        cast: "hips=Hips; spine=; neck=; head=Cranium",
    },
];

#[test]
fn every_convention_is_understood() {
    for convention in CONVENTIONS {
        let skeleton = skeleton(convention.tree, convention.sides);
        let roles = assign_roles(&skeleton, &[])
            .unwrap_or_else(|error| panic!("{}: {error}", convention.name));
        for entry in convention.cast.split([';', '\n']).map(str::trim) {
            let (role, joints) = entry.split_once('=').unwrap();
            let roles_and_joints: Vec<(String, String)> = match role.strip_prefix("{}") {
                None => vec![(role.into(), joints.into())],
                Some(part) => ["left", "right"]
                    .iter()
                    .zip(convention.sides)
                    .map(|(side, word)| (format!("{side}{part}"), joints.replace("{}", word)))
                    .collect(),
            };
            for (role, joints) in roles_and_joints {
                let wanted: Vec<&str> = joints.split(',').filter(|name| !name.is_empty()).collect();
                let found = players(&skeleton, &roles, Role::from_name(&role).unwrap());
                assert_eq!(found, wanted, "{}: {role}", convention.name);
            }
        }
        for assigned in roles.by_joint.iter().flatten() {
            let low = assigned.confidence < 0.5 || assigned.confidence > 1.0;
            assert!(!low, "{}: {assigned:?}", convention.name);
        }
    }
}

#[test]
fn shift_jis_names_are_understood() {
    // 左腕 and 右ひじ as Shift-JIS.
    assert_eq!(names::read(b"\x8d\xb6\x98\x72").strength(names::Part::UpperArm), 0.95);
    assert_eq!(names::read(b"\x8d\xb6\x98\x72").side, Some(Side::Left));
    assert_eq!(names::read(b"\x89\x45\x82\xd0\x82\xb6").strength(names::Part::LowerArm), 0.95);
}

#[test]
fn what_is_missing_is_named() {
    let tree = "Hips > Spine > LeftShoulder > LeftArm > LeftHand
        Spine > RightArm > RightForeArm > RightHand
        Hips > LeftUpLeg > LeftLeg > LeftFoot";
    let error = assign_roles(&skeleton(tree, ["", ""]), &[]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "no humanoid: no left forearm below a left upper arm (LeftShoulder); no right thigh"
    );
    let chain = skeleton("Hips > Head", ["", ""]);
    assert!(
        matches!(assign_roles(&chain, &rest(&chain)), Err(RolesError::Missing { missing }) if missing.len() == 4)
    );
}

#[test]
fn the_collar_that_moves_most_is_the_collar() {
    let tree = "Hips > Spine > Neck > Head
        Spine > {}A > {}B > {}UpperArm > {}ForeArm > {}Hand
        Hips > {}UpLeg > {}Leg > {}Foot";
    let skeleton = skeleton(tree, ["Left", "Right"]);
    let mut raised = skeleton.rest_pose();
    let moved = skeleton.find("LeftB".into()).unwrap();
    raised.rotations[moved.index()] = UnitQuaternion::from_euler_angles(0.0, 0.0, 0.3);
    let poses = [skeleton.rest_pose(), raised].map(|pose| forward_kinematics(&skeleton, &pose));
    let roles = assign_roles(&skeleton, &poses).unwrap();
    assert_eq!(roles.joint(Role::Shoulder(Side::Left)), Some(moved));
}

/// A quadruped with human names, standing: Y up, Z forward.
fn dog(tail: &str) -> Skeleton {
    let tree = format!(
        "Hips@0,50,0 > Spine@0,0,20 > Spine1@0,0,20 > Neck@0,5,10 > Head@0,10,10
        Spine1 > LeftArm@6,0,0 > LeftForeArm@0,-20,0 > LeftHand@0,-20,0
        Spine1 > RightArm@-6,0,0 > RightForeArm@0,-20,0 > RightHand@0,-20,0
        Hips > LeftUpLeg@5,0,0 > LeftLeg@0,-22,0 > LeftFoot@0,-20,0
        Hips > RightUpLeg@-5,0,0 > RightLeg@0,-22,0 > RightFoot@0,-20,0
        Hips > {tail}@0,0,-10 > {tail}1@0,0,-10"
    );
    skeleton(&tree, ["", ""])
}

#[test]
fn animals_are_refused() {
    for (tail, reasons) in [("Tail", 3), ("Rump", 2)] {
        let dog = dog(tail);
        let Err(RolesError::Animal { evidence }) = assign_roles(&dog, &rest(&dog)) else {
            panic!("a dog taken for a person");
        };
        assert_eq!(evidence.len(), reasons);
    }
}

#[test]
fn a_person_on_all_fours_is_a_person() {
    let tree = "Hips@0,50,0 > Spine@0,0,25 > Spine1@0,0,20 > Neck@0,5,10 > Head@0,10,10
        Spine1 > {}20,0,0 > {}ForeArm@0,-25,0 > {}Hand@0,-25,0
        Hips > {}UpLeg@X9,0,0 > {}Leg@0,-40,0 > {}Foot@0,-10,0";
    let tree: String = tree
        .lines()
        .flat_map(|line| match line.contains("{}") {
            false => vec![line.to_string()],
            true => [("Left", ""), ("Right", "-")]
                .map(|(side, sign)| {
                    let line = line.replace("{}20", &format!("{side}Arm@{sign}20"));
                    line.replace("{}", side).replace('X', sign)
                })
                .to_vec(),
        })
        .collect::<Vec<_>>()
        .join("\n");
    let crawler = skeleton(&tree, ["", ""]);
    assert!(assign_roles(&crawler, &rest(&crawler)).is_ok());
}

/// A body in T-pose that faces +Z, with all joints in a fixed order.
fn body() -> Skeleton {
    let right = |line: &str| {
        let words = line.split(" > ").map(|word| {
            let (name, offset) = word.split_once('@').unwrap_or((word, ""));
            let name = name.replace("Left", "Right");
            let flipped = offset.strip_prefix('-').map_or(format!("-{offset}"), str::to_string);
            if offset.is_empty() { name } else { format!("{name}@{flipped}") }
        });
        words.collect::<Vec<_>>().join(" > ")
    };
    let left = [
        "Spine1 > LeftShoulder@4,15,0 > LeftArm@14,0,0 > LeftForeArm@28,0,0 > LeftHand@25,0,0",
        "LeftHand > LeftHandThumb1@3,-1,3 > LeftHandThumb2@3,-1,2 > LeftHandThumb3@3,-1,1",
        "LeftHand > LeftHandIndex1@9,0,3 > LeftHandIndex2@4,0,0 > LeftHandIndex3@3,0,0",
        "LeftHand > LeftHandMiddle1@9,0,1 > LeftHandMiddle2@4,0,0 > LeftHandMiddle3@3,0,0",
        "LeftHand > LeftHandRing1@9,0,-1 > LeftHandRing2@4,0,0 > LeftHandRing3@3,0,0",
        "LeftHand > LeftHandPinky1@8,0,-3 > LeftHandPinky2@3,0,0 > LeftHandPinky3@2,0,0",
        "Hips > LeftUpLeg@9,-5,0 > LeftLeg@1,-42,1 > LeftFoot@0,-41,-2 > LeftToeBase@0,-7,14",
    ];
    let trunk = "Hips@0,98,0 > Spine@0,12,0 > Spine1@0,20,0 > Neck@0,22,1 > Head@0,10,2";
    let lines = left.iter().flat_map(|line| [line.to_string(), right(line)]);
    let tree: Vec<String> = std::iter::once(trunk.to_string()).chain(lines).collect();
    skeleton(&tree.join("\n"), ["", ""])
}

/// The same body with joints in another order among siblings, turned, scaled and without names.
fn disguised(
    body: &Skeleton,
    keys: &[u32],
    turn: UnitQuaternion<f64>,
    scale: f64,
) -> (Skeleton, Vec<JointId>) {
    let mut order: Vec<JointId> = body.ids().collect();
    let depth = |id: JointId| body.path_to_root(id).count();
    order.sort_by_key(|&id| (depth(id), keys[id.index() % keys.len()]));
    let place = |id: JointId| JointId(order.iter().position(|&other| other == id).unwrap());
    let joints = order.iter().map(|&id| {
        let known = body.joint(id);
        joint("bone", known.parent.map(place), turn * known.rest_translation * scale)
    });
    (Skeleton::new(joints.collect(), Vec::new()).unwrap(), order)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Without names, whatever the order of siblings, the axes and the unit: the same roles.
    #[test]
    fn shape_alone_tells_all_roles(
        keys in prop::collection::vec(0u32..1000, 60),
        angles in prop::array::uniform3(-3.1..3.1f64),
        scale in 0.01..100.0f64,
    ) {
        let body = body();
        let named = assign_roles(&body, &rest(&body)).unwrap();
        let turn = UnitQuaternion::from_euler_angles(angles[0], angles[1], angles[2]);
        let (nameless, order) = disguised(&body, &keys, turn, scale);
        let guessed = assign_roles(&nameless, &rest(&nameless)).unwrap();
        for (place, &id) in order.iter().enumerate() {
            let guess = guessed.by_joint[place].as_ref();
            prop_assert_eq!(guess.map(|guess| guess.role), named.of(id), "{}", body.joint(id).name);
            prop_assert!(guess.is_none_or(|guess| (0.5..0.95).contains(&guess.confidence)));
        }
    }
}

#[test]
fn twist_joints_of_nameless_limbs_are_those_that_never_bend() {
    let body = body();
    let arm = body.find("LeftArm".into()).unwrap();
    let mut joints = body.joints().to_vec();
    let at = joints.len();
    // Half of the left upper arm's and of the right upper arm's bone goes to a joint in line.
    for (side, sign) in [("Left", 1.0), ("Right", -1.0)] {
        let upper = body.find(format!("{side}Arm").as_str().into()).unwrap();
        joints.push(joint("half", Some(upper), Vector3::new(14.0 * sign, 0.0, 0.0)));
    }
    let mut order: Vec<usize> = (0..joints.len()).collect();
    for (half, side) in [(at, "Left"), (at + 1, "Right")] {
        let fore = body.find(format!("{side}ForeArm").as_str().into()).unwrap();
        joints[fore.index()].rest_translation /= 2.0;
        joints[fore.index()].parent = Some(JointId(half));
        order.retain(|&index| index != half);
        let place = order.iter().position(|&index| index == fore.index()).unwrap();
        order.insert(place, half);
    }
    let place = |old: usize| JointId(order.iter().position(|&index| index == old).unwrap());
    let renamed = order.iter().map(|&old| Joint {
        name: format!("j{old}").into(),
        parent: joints[old].parent.map(|parent| place(parent.index())),
        ..joints[old].clone()
    });
    let nameless = Skeleton::new(renamed.collect(), Vec::new()).unwrap();
    let mut bent = nameless.rest_pose();
    for name in ["LeftForeArm", "RightForeArm", "LeftArm", "RightArm", "LeftHand", "RightHand"] {
        let id = place(body.find(name.into()).unwrap().index());
        bent.rotations[id.index()] = UnitQuaternion::from_euler_angles(0.2, 0.9, 0.1);
    }
    let poses = [nameless.rest_pose(), bent].map(|pose| forward_kinematics(&nameless, &pose));
    let roles = assign_roles(&nameless, &poses).unwrap();
    assert_eq!(roles.joint(Role::UpperArmTwist(Side::Left)), Some(place(at)));
    assert_eq!(roles.joint(Role::UpperArm(Side::Left)), Some(place(arm.index())));
}

#[test]
fn given_roles_are_kept_and_guide_the_rest() {
    let tree = "Hips > Spine > Neck > Head
        Spine > {}Arm > {}Blob > {}Paw
        Hips > {}UpLeg > {}Leg > {}Foot > {}ToeBase";
    let skeleton = skeleton(tree, ["Left", "Right"]);
    assert!(assign_roles(&skeleton, &[]).is_err());
    let find = |name: &str| vec![skeleton.find(name.into()).unwrap()];
    let given: Vec<Given> = vec![
        (Role::LowerArm(Side::Left), find("LeftBlob")),
        (Role::Hand(Side::Left), find("LeftPaw")),
        (Role::LowerArm(Side::Right), find("RightBlob")),
        (Role::Hand(Side::Right), find("RightPaw")),
        (Role::Toes(Side::Left), vec![]),
    ];
    let roles = assign_other_roles(&skeleton, &[], &given).unwrap();
    assert_eq!(players(&skeleton, &roles, Role::LowerArm(Side::Left)), ["LeftBlob"]);
    assert_eq!(roles.by_joint[find("LeftPaw")[0].index()].as_ref().unwrap().reason, "card");
    assert_eq!(players(&skeleton, &roles, Role::Toes(Side::Left)), [""; 0]);
    assert_eq!(players(&skeleton, &roles, Role::Toes(Side::Right)), ["RightToeBase"]);
    let crossed = vec![(Role::LowerArm(Side::Left), find("RightBlob"))];
    assert!(assign_other_roles(&skeleton, &[], &[given, crossed].concat()).is_err());
}

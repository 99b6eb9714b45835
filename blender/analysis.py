"""Operators that show what is known of a rig, and take corrections into its card."""

from collections.abc import Callable, Collection

import bpy
import rebone

from . import cards, colours, controls, library, maths, properties, results, retargeting, scene, skeleton
from .library import RoleOfJoint
from .scene import CANCELLED, FINISHED, OperatorResult, pose_of

# Roles of the middle of the body and, with left or right before them, of the sides: docs/cards.md.
MIDDLE_ROLES = ("hips", "spine", "neck", "head", "jaw")
SIDE_ROLES = (
    "Shoulder", "UpperArm", "LowerArm", "Hand", "UpperLeg", "LowerLeg", "Foot", "Toes", "Eye", "Thumb", "Index", "Middle",
    "Ring", "Little", "UpperArmTwist", "LowerArmTwist", "UpperLegTwist", "LowerLegTwist", "HipBone",
)  # fmt: skip
ROLES = (*MIDDLE_ROLES, *(f"{side}{role}" for side in ("left", "right") for role in SIDE_ROLES))
ROLE_ITEMS = [(role, role, f"The selected bones play {role}") for role in ROLES]
# Roles that several bones can play, in order.
LIST_ROLES = ("spine", "neck", "Thumb", "Index", "Middle", "Ring", "Little", "Twist", "HipBone")


def roles_of(context: bpy.types.Context, card: str) -> tuple[list[RoleOfJoint], str]:
    """Roles of the bones of the active armature by a card, and a line on its calibration."""
    armature = scene.target(context)
    joints, _ = retargeting.rig_skeleton(armature)
    return library.roles(library.character(armature, joints, card, with_skin=properties.of(context).use_skin))


def show_roles(context: bpy.types.Context) -> None:
    """Lists the roles of the active armature, the least sure first, and colours their bones."""
    armature, own = scene.target(context), properties.of(context)
    is_controlled = controls.has_controls(armature)
    own.roles.clear()
    found, calibration = roles_of(context, cards.read(armature))
    prefix = common_prefix([role.bone for role in found])
    for role in sorted(found, key=lambda role: role.confidence):
        item = own.roles.add()
        item.name, item.bone, item.confidence, item.reason = role.role, role.bone, role.confidence, role.reason
        item.label = role.bone.removeprefix(prefix)
    own.rig_message = calibration
    if armature.mode == "OBJECT" and armature.visible_get():
        # Colours of bones are seen in pose mode alone; of a selected mesh the armature becomes active.
        layer = context.view_layer
        assert layer is not None
        layer.objects.active = armature
        bpy.ops.object.mode_set(mode="POSE")
    colours.show(armature, bone_colours(armature, found, is_controlled))


def common_prefix(names: Collection[str]) -> str:
    """Longest prefix of all names that ends at a separator: `mixamorig:`."""
    first, last = min(names, default=""), max(names, default="")
    same = next((k for k, (a, b) in enumerate(zip(first, last, strict=False)) if a != b), min(len(first), len(last)))
    return first[: 1 + max(first[:same].rfind(sign) for sign in ":_-. ")]


def bone_colours(
    armature: bpy.types.Object, found: list[RoleOfJoint], is_controlled: bool
) -> dict[str, tuple[float, float, float]]:
    """Colours of the bones with a role, and of the controls that drive them."""
    result = {role.bone: colours.of_role(role.role, role.accepted) for role in found}
    if is_controlled:
        rig = controls.find(armature, [role.bone for role in found])
        driven = {} if rig is None else rig.driven
        result |= {control: result[bone] for control, bone in driven.items() if bone in result}
    return result


class OfArmature(bpy.types.Operator):
    """Operators that need an active armature."""

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        return scene.has_armature(cls, context)


class REBONE_OT_analyse(OfArmature):
    """Show which bone plays which role: a list, the least sure first, and colours of bones"""

    bl_idname = "rebone.analyse"
    bl_label = "Show Roles"
    bl_options = {"REGISTER", "UNDO"}

    def execute(self, context: bpy.types.Context) -> OperatorResult:
        try:
            show_roles(context)
        except (ValueError, rebone.ReboneError) as error:
            return results.report_error(self, context, error)
        return FINISHED


class REBONE_OT_hide_roles(OfArmature):
    """Give the bones the colours that they had"""

    bl_idname = "rebone.hide_roles"
    bl_label = "Hide Roles"
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        armature = scene.active_armature(context)
        return super().poll(context) and armature is not None and bool(armature.get(colours.PROPERTY))

    def execute(self, context: bpy.types.Context) -> OperatorResult:
        own = properties.of(context)
        colours.restore(scene.target(context))
        own.roles.clear()
        own.rig_message = ""
        return FINISHED


class REBONE_OT_set_role(OfArmature):
    """State in the rig's card that the selected bones play this role; a control stands for the bone that it turns"""

    bl_idname = "rebone.set_role"
    bl_label = "Selected Bones Play This Role"
    bl_options = {"REGISTER", "UNDO"}

    role: bpy.props.EnumProperty(name="Role", items=ROLE_ITEMS)  # type: ignore[valid-type]

    def execute(self, context: bpy.types.Context) -> OperatorResult:
        result = apply_card(self, context, self.edited)
        own = properties.of(context)
        places = [place for place, item in enumerate(own.roles) if item.name == self.role]
        if result == FINISHED and places:
            # Not by the property itself, whose change selects the bone of the row.
            own["active_role"] = places[0]
            self.report({"INFO"}, f"{self.role}: {own.roles[places[0]].bone}")
        return result

    def edited(self, armature: bpy.types.Object, card: str) -> str:
        chosen = selected_joints(armature)
        if not chosen:
            raise ValueError(f"select the bone that plays {self.role}, in pose mode")
        if len(chosen) > 1 and not self.role.endswith(LIST_ROLES):
            raise ValueError(f"found {len(chosen)} selected bones, expected one for {self.role}")
        return library.with_role(card, self.role, chosen)


class REBONE_OT_clear_role(OfArmature):
    """State in the rig's card that no bone plays this role"""

    bl_idname = "rebone.clear_role"
    bl_label = "No Bone Plays This Role"
    bl_options = {"REGISTER", "UNDO"}

    role: bpy.props.EnumProperty(name="Role", items=ROLE_ITEMS)  # type: ignore[valid-type]

    def execute(self, context: bpy.types.Context) -> OperatorResult:
        return apply_card(self, context, lambda _armature, card: library.with_role(card, self.role, []))


def selected_joints(armature: bpy.types.Object) -> list[str]:
    """Bones that are selected, and those that selected controls turn, in the order of the joints."""
    joints, is_controlled = retargeting.rig_skeleton(armature)
    bones = [name for name in joints.bones if name is not None]
    chosen = {bone.name for bone in pose_of(armature) if scene.is_selected(bone)}
    if is_controlled and chosen - set(bones):
        try:
            found = retargeting.prepare(armature, with_skin=False).controls
        except rebone.NotUnderstood:
            raise ValueError("controls are found after the rig is understood: select the bone that deforms") from None
        driven = {} if found is None else found.driven
        lost = sorted(name for name in chosen - set(bones) if name not in driven)
        if lost:
            raise ValueError(f"{lost[0]} turns no bone that deforms: select the bone itself, or its control")
        chosen |= {driven[name] for name in chosen & driven.keys()}
    return [name for name in bones if name in chosen]


class REBONE_OT_set_pose(OfArmature):
    """State in the rig's card that this pose is the calibration pose: the body stands straight, arms out, ahead or down"""

    bl_idname = "rebone.set_pose"
    bl_label = "This Is the Calibration Pose"
    bl_options = {"REGISTER", "UNDO"}

    def execute(self, context: bpy.types.Context) -> OperatorResult:
        return apply_card(self, context, self.edited)

    def edited(self, armature: bpy.types.Object, card: str) -> str:
        joints, _ = retargeting.rig_skeleton(armature)
        poses = skeleton.evaluated_pose(armature, joints)
        rest = skeleton.rest_local(joints)[1]
        turns = cards.turns_since_rest(joints, rest, maths.continuous(skeleton.local(joints, poses)[1])[0])
        return library.with_pose(card, turns)


class REBONE_OT_clear_card(OfArmature):
    """Forget all corrections of this rig"""

    bl_idname = "rebone.clear_card"
    bl_label = "Forget Corrections"
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        armature = scene.active_armature(context)
        return super().poll(context) and armature is not None and bool(cards.read(armature))

    def execute(self, context: bpy.types.Context) -> OperatorResult:
        return apply_card(self, context, lambda _armature, _card: "")


def apply_card(
    operator: bpy.types.Operator, context: bpy.types.Context, edit: Callable[[bpy.types.Object, str], str]
) -> OperatorResult:
    """Changes the card of the active armature and shows the roles with it. A card that does not fit the rig is not kept; one that
    states a part of what is missing is."""
    own = properties.of(context)
    try:
        armature = scene.target(context)
        before = cards.read(armature)
        cards.write(armature, edit(armature, before))
        try:
            show_roles(context)
        except (ValueError, rebone.ReboneError) as error:
            if isinstance(error, rebone.NotUnderstood) and not is_understood(context, before):
                message = library.message(error)
                kept = f"kept in {cards.text_name(armature)}; " if cards.read(armature) else ""
                own.rig_message = kept + message
                operator.report({"WARNING"}, message.splitlines()[0])
                return FINISHED
            cards.write(armature, before)
            raise
    except (ValueError, rebone.ReboneError) as error:
        own.rig_message = library.message(error)
        operator.report({"ERROR"}, own.rig_message.splitlines()[0])
        return CANCELLED
    return FINISHED


def is_understood(context: bpy.types.Context, card: str) -> bool:
    """Returns whether the active armature is a humanoid to the library, by a card."""
    try:
        roles_of(context, card)
    except rebone.ReboneError:
        return False
    return True


CLASSES = (
    REBONE_OT_analyse,
    REBONE_OT_hide_roles,
    REBONE_OT_set_role,
    REBONE_OT_clear_role,
    REBONE_OT_set_pose,
    REBONE_OT_clear_card,
)

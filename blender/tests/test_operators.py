"""Operators, as the buttons of the panel call them."""

import functools
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import bpy
import pytest
import rebone

from blender import (
    actions,
    analysis,
    gltf,
    jobs,
    library,
    operators,
    palette,
    panel,
    retargeting,
    scene,
    skeleton,
    solving,
    steps,
)
from blender.retargeting import Settings

from . import rigs


def test_retarget_makes_one_action_a_clip_and_shows_the_verdict(own: Any, walk: Path) -> None:
    rigs.humanoid()
    own.path = str(walk)
    assert bpy.ops.rebone.retarget() == {"FINISHED"}
    assert [clip.name for clip in own.clips] == ["walk"]
    assert own.level == "PASS"
    assert own.score > 0.5
    assert bpy.ops.rebone.retarget() == {"FINISHED"}
    assert sorted(action.name for action in bpy.data.actions) == ["walk", "walk.001"]


def test_a_missing_file_is_told(own: Any) -> None:
    rigs.humanoid()
    with pytest.raises(RuntimeError, match="choose a motion file"):
        bpy.ops.rebone.retarget()
    own.path = "/nowhere/walk.bvh"
    with pytest.raises(RuntimeError, match=r"there is no file .*walk\.bvh"):
        bpy.ops.rebone.retarget()
    assert own.message.startswith("there is no file")


def test_a_file_that_cannot_be_read_is_told_and_leaves_no_action(own: Any, tmp_path: Path) -> None:
    rigs.humanoid()
    (tmp_path / "bad.bvh").write_text("HIERARCHY\nROOT x {")
    own.path = str(tmp_path / "bad.bvh")
    with pytest.raises(RuntimeError, match=r"bad\.bvh"):
        bpy.ops.rebone.retarget()
    assert len(bpy.data.actions) == 0


def test_an_armature_is_a_source_and_not_its_own(own: Any, walk: Path) -> None:
    source = rigs.humanoid("Source")
    own.path = str(walk)
    bpy.ops.rebone.retarget()
    own.source_kind, own.source = "ARMATURE", source
    with pytest.raises(RuntimeError, match="another armature"):
        bpy.ops.rebone.retarget()
    target = rigs.humanoid("Target")
    assert bpy.ops.rebone.retarget() == {"FINISHED"}
    assert target.animation_data.action.name == "walk.001"


def test_a_source_that_shows_no_pose_is_refused(own: Any) -> None:
    source = rigs.humanoid("Source")
    rigs.humanoid("Target")
    own.source_kind, own.source = "ARMATURE", source
    source.data.pose_position = "REST"
    with pytest.raises(RuntimeError, match="Source is shown in its rest position"):
        bpy.ops.rebone.retarget()


def test_ground_and_floor_are_options(own: Any) -> None:
    assert solving.settings_of(bpy.context).options["ground"] == "auto"
    assert "floor" not in solving.settings_of(bpy.context).options
    own.ground, own.states_floor, own.floor = "on", True, 0.25
    options = solving.settings_of(bpy.context).options
    assert (options["ground"], options["floor"]) == ("on", 0.25)


def test_without_an_armature_a_button_says_what_it_needs() -> None:
    for operator in (bpy.ops.rebone.retarget, bpy.ops.rebone.check, bpy.ops.rebone.analyse, bpy.ops.rebone.set_pose):
        assert not operator.poll()
        with pytest.raises(RuntimeError, match="Select an armature"):
            operator()


def test_roles_are_listed_and_coloured_and_colours_come_back(own: Any) -> None:
    armature = rigs.humanoid()
    armature.pose.bones["Head"].color.palette = "THEME04"
    assert bpy.ops.rebone.analyse() == {"FINISHED"}
    roles = {item.name: item.bone for item in own.roles}
    assert roles["leftUpperArm"] == "LeftUpperArm"
    confidences = [item.confidence for item in own.roles]
    assert confidences == sorted(confidences)
    assert armature.mode == "POSE"
    assert armature.pose.bones["Head"].color.palette == "CUSTOM"
    for bone, colour in (("Chest", palette.TRUNK), ("LeftUpperArm", palette.LEFT), ("RightHand", palette.RIGHT)):
        assert tuple(armature.pose.bones[bone].color.custom.normal) == pytest.approx(colour, abs=1e-6)
    own.active_role = next(k for k, item in enumerate(own.roles) if item.name == "leftHand")
    assert [bone.name for bone in armature.pose.bones if scene.is_selected(bone)] == ["LeftHand"]
    assert bpy.ops.rebone.hide_roles() == {"FINISHED"}
    assert armature.pose.bones["Head"].color.palette == "THEME04"
    assert armature.pose.bones["Chest"].color.palette == "DEFAULT"


def test_what_all_names_begin_with_is_left_out() -> None:
    assert analysis.common_prefix(["mixamorig:Hips", "mixamorig:Head"]) == "mixamorig:"
    assert analysis.common_prefix(["Head", "Heel"]) == analysis.common_prefix([]) == ""


def test_all_files_of_a_folder_and_one_that_is_broken(own: Any, tmp_path: Path) -> None:
    rigs.humanoid()
    for name in ("jump", "walk"):
        rebone.sample(name).write(tmp_path / f"{name}.bvh")
    (tmp_path / "broken.bvh").write_text("no motion")
    (tmp_path / "notes.txt").write_text("no file of ours")
    own.folder = str(tmp_path)
    assert bpy.ops.rebone.retarget_folder() == {"FINISHED"}
    assert {clip.name: clip.level != "ERROR" for clip in own.clips} == {"broken.bvh": False, "jump": True, "walk": True}


STICK = """HIERARCHY
ROOT Trunk
{
  OFFSET 0 0 0
  CHANNELS 6 Xposition Yposition Zposition Zrotation Yrotation Xrotation
  JOINT Tail
  {
    OFFSET 0 1 0
    CHANNELS 3 Zrotation Yrotation Xrotation
    End Site
    {
      OFFSET 0 1 0
    }
  }
}
MOTION
Frames: 2
Frame Time: 0.04
0 0 0 0 0 0 0 0 0
0 0 0 0 0 0 0 9 0
"""


def test_files_of_a_folder_that_are_no_source_are_told_once_each(own: Any, tmp_path: Path) -> None:
    armature = rigs.humanoid()
    joints, _ = retargeting.rig_skeleton(armature)
    (tmp_path / "still.glb").write_bytes(gltf.glb(joints, [], gltf.space(armature), None))
    (tmp_path / "stick.bvh").write_text(STICK)
    own.folder = str(tmp_path)
    with pytest.raises(RuntimeError) as caught:
        bpy.ops.rebone.retarget_folder()
    messages = {clip.name: clip.message for clip in own.clips}
    assert messages["still.glb"].startswith("still.glb: ")
    assert messages["stick.bvh"].startswith("cannot use stick.bvh: no humanoid")
    assert "import the file" in messages["stick.bvh"]
    assert "select a bone" not in messages["stick.bvh"]
    assert str(tmp_path) not in str(caught.value)
    assert str(caught.value).count("still.glb") == messages["still.glb"].count("still.glb")


def test_a_job_in_a_thread_stops_when_asked(walk: Path) -> None:
    onto = retargeting.prepare(rigs.humanoid())
    tasks = [jobs.Task(f"{number}", lambda: library.clips(walk)) for number in range(400)]
    job = jobs.Job(onto, Settings({"fps": 24.0}), tasks)
    job.start()
    while not job.take():
        pass
    job.stop()
    assert job.thread is not None
    job.thread.join(5.0)
    assert not job.is_running
    assert 0.0 < job.fraction < 1.0


def test_texts_are_cut_to_the_width_of_the_sidebar() -> None:
    assert panel.lines("a b", 20) == ["a b"]
    assert max(len(line) for line in panel.lines("word " * 100, 20)) <= 20


class FakeLayout:
    """A layout that knows what is drawn, and refuses what is not there."""

    def __init__(self) -> None:
        self.drawn: list[str] = []

    def __getattr__(self, name: str) -> Any:
        return lambda *_, **__: self

    def prop(self, owner: Any, name: str, **_: Any) -> None:
        assert name in owner.bl_rna.properties
        self.drawn.append(name)

    def operator(self, name: str, **_: Any) -> Any:
        assert getattr(bpy.ops.rebone, name.split(".")[1]).get_rna_type()
        self.drawn.append(name)
        return SimpleNamespace()


def test_panels_draw_all_settings(own: Any, walk: Path) -> None:
    rigs.humanoid()
    own.path, own.part, own.states_floor = str(walk), True, True
    bpy.ops.rebone.retarget()
    drawn = []
    for side in panel.CLASSES:
        if issubclass(side, panel.Side):
            layout = FakeLayout()
            drawer = SimpleNamespace(layout=layout)
            drawer.draw_verdict = functools.partial(panel.REBONE_PT_main.draw_verdict, drawer)
            side.draw(drawer, bpy.context)
            drawn += layout.drawn
    assert {"take", "part_first", "loop", "only", "arms", "legs", "write_mode", "to_nla", "to_assets", "set_range"} <= set(drawn)
    assert {"rebone.retarget", "rebone.check"} <= set(drawn)


def test_undo_is_one_step() -> None:
    assert "UNDO" in operators.REBONE_OT_retarget.bl_options


class FakeManager:
    """A window manager without a window."""

    def event_timer_add(self, *_: Any, **__: Any) -> str:
        return "timer"

    def event_timer_remove(self, timer: str) -> None:
        assert timer == "timer"

    def modal_handler_add(self, _operator: Any) -> None:
        pass


class FakeOperator:
    """An operator as Blender calls it, for a modal run without a window."""

    invoke, modal, cancel = solving.Stepping.invoke, solving.Stepping.modal, solving.Stepping.cancel
    begin, steps, end = solving.Solving.begin, solving.Solving.steps, solving.Solving.end

    def __init__(self, tasks: Any) -> None:
        self.tasks = lambda _context: tasks
        self.reports: list[str] = []

    def report(self, _level: set[str], text: str) -> None:
        self.reports.append(text)


def run_modal(operator: Any, event: str) -> set[str]:
    """Calls an operator as the timer does, until it ends."""
    context = SimpleNamespace(
        scene=bpy.context.scene, object=bpy.context.object, window=None, screen=None, window_manager=FakeManager()
    )
    state = operator.invoke(context, None)
    started = time.monotonic()
    while state == {"RUNNING_MODAL"} and time.monotonic() - started < 60.0:
        assert operator.modal(context, SimpleNamespace(type="MOUSEMOVE")) == {"PASS_THROUGH"}
        state = operator.modal(context, SimpleNamespace(type=event))
        time.sleep(0.01)
    return set(state)


def test_a_modal_run_ends_by_itself(own: Any, walk: Path) -> None:
    armature = rigs.humanoid()
    operator = FakeOperator([jobs.Task("walk", lambda: library.clips(walk))])
    assert run_modal(operator, "TIMER") == {"FINISHED"}
    assert armature.animation_data.action.name == "walk"
    assert (solving.running(), own.clip) == (None, "walk")


def test_escape_stops_a_modal_run_and_keeps_what_is_done(own: Any, walk: Path) -> None:
    rigs.humanoid()
    operator = FakeOperator([jobs.Task(f"{number}", lambda: library.clips(walk)) for number in range(400)])
    run_modal(operator, "ESC")
    assert operator.reports == ["stopped"]
    assert solving.running() is None
    assert len(bpy.data.actions) < 400


def test_an_armature_is_sampled_beside_the_interface(own: Any, walk: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = rigs.humanoid("Source")
    own.path = str(walk)
    bpy.ops.rebone.retarget()
    target = rigs.humanoid("Target")
    own.source_kind, own.source = "ARMATURE", source
    monkeypatch.setattr(skeleton, "STEP_SECONDS", 0.0)
    monkeypatch.setattr(solving, "STEP_SECONDS", 0.005)
    operator = FakeOperator([operators.source_task(bpy.context)])
    assert run_modal(operator, "TIMER") == {"FINISHED"}
    assert target.animation_data.action.name == own.clip
    assert (len(bpy.data.scenes), solving.running()) == (1, None)
    target.animation_data.action = None
    operator = FakeOperator([operators.source_task(bpy.context)])
    assert run_modal(operator, "ESC") == {"CANCELLED"}
    assert (own.message, len(bpy.data.scenes), target.animation_data.action) == ("stopped", 1, None)


class FakeCheck(FakeOperator):
    """Check, as Blender calls it."""

    begin, steps = operators.REBONE_OT_check.begin, operators.REBONE_OT_check.steps


def test_check_works_beside_the_interface(own: Any, walk: Path) -> None:
    rigs.humanoid()
    own.path = str(walk)
    bpy.ops.rebone.retarget()
    before = own.level, own.score
    own.level = ""
    assert run_modal(FakeCheck([]), "TIMER") == {"FINISHED"}
    assert (own.level, own.score) == (before[0], pytest.approx(before[1], abs=0.01))
    assert run_modal(FakeCheck([]), "ESC") == {"CANCELLED"}
    assert solving.running() is None


def test_an_armature_that_is_deleted_while_it_is_sampled_is_told(own: Any, walk: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = rigs.humanoid("Source")
    own.path = str(walk)
    bpy.ops.rebone.retarget()
    rigs.humanoid("Target")
    own.source_kind, own.source = "ARMATURE", source
    monkeypatch.setattr(skeleton, "STEP_SECONDS", 0.0)
    operator = FakeOperator([operators.source_task(bpy.context)])
    operator.work, operator.scene_name = solving.Work(), bpy.context.scene.name
    assert operator.begin(bpy.context)
    work = operator.steps()
    next(work)
    bpy.data.objects.remove(source)
    with pytest.raises(ValueError, match="no longer there"):
        steps.finish(work)
    assert len(bpy.data.scenes) == 1


def test_results_go_to_the_scene_that_asked_for_them(own: Any, walk: Path) -> None:
    rigs.humanoid()
    operator = FakeOperator([jobs.Task("walk", lambda: library.clips(walk))])
    operator.work, operator.scene_name = solving.Work(), bpy.context.scene.name
    assert operator.begin(bpy.context)
    job = operator.work.job
    job.run()
    rate = scene.rate()
    bpy.context.window.scene = other = bpy.data.scenes.new("Other")
    other.render.fps = 60
    assert steps.finish(operator.end(job)) == {"FINISHED"}
    assert (own.clip, other.rebone.clip) == ("walk", "")
    assert own.rate == pytest.approx(rate)
    keys = actions.dump(bpy.data.actions["walk"])[0][2][::2]
    assert keys[1] - keys[0] == pytest.approx(1.0)


def test_progress_never_goes_back() -> None:
    job = jobs.Job(None, Settings(), [jobs.Task("walk", list)] * 2)  # type: ignore[arg-type]
    seen = []
    for number, clip in ((0, 0.0), (0, 0.5), (1, 0.0)):
        progress = job.progress_of(number + clip, 0.5 if number == 0 else 1.0)
        for step in ("solve", "contacts", "surfaces"):
            for done in range(5):
                progress(step, done, 4)
                seen.append(job.fraction)
    assert seen == sorted(seen)
    assert seen[0] == 0.0
    assert 0.9 < seen[-1] <= 1.0


def test_a_mesh_stands_for_its_armature_and_a_clip_can_be_played(own: Any, walk: Path) -> None:
    armature = rigs.humanoid()
    own.path = str(walk)
    rigs.activate(bpy.data.objects["Body"])
    for _ in range(2):
        assert bpy.ops.rebone.retarget() == {"FINISHED"}
    assert armature.animation_data.action.name == "walk.001"
    assert bpy.ops.rebone.play(action="walk") == {"FINISHED"}
    assert armature.animation_data.action.name == "walk"


def test_what_nothing_moves_is_not_graded(own: Any, walk: Path) -> None:
    rigs.humanoid()
    own.path = str(walk)
    with pytest.raises(RuntimeError, match="nothing moves Hero: it has no action"):
        bpy.ops.rebone.check()


def test_an_armature_that_is_deleted_meanwhile_is_told(walk: Path) -> None:
    armature = rigs.humanoid()
    onto = retargeting.prepare(armature)
    solved = retargeting.solve(library.clips(walk)[0], onto, Settings({"fps": 24.0}))
    bpy.data.objects.remove(armature)
    with pytest.raises(ValueError, match="no longer there"):
        retargeting.bake(onto, solved, Settings())

"""Choices and words of the panel are those of the library."""

import tomllib
from pathlib import Path
from typing import Any, get_args, get_type_hints

import pytest
import rebone
from rebone._options import Options

from .. import analysis, properties, words

THRESHOLDS = Path(__file__).parents[2] / "crates/rebone/src/quality/thresholds.toml"


def literals(hint: Any) -> set[str]:
    """Strings of a type of an option."""
    return {word for part in (hint, *get_args(hint)) for word in get_args(part) if isinstance(word, str)}


@pytest.mark.parametrize("option", ["limbs", "contacts", "limits", "travel", "ground"])
def test_an_option_has_all_its_choices(option: str) -> None:
    choices = {word for word, _, _ in getattr(properties, option.upper())}
    assert choices == literals(get_type_hints(Options)[option])


def test_regions_and_limbs_have_all_their_choices() -> None:
    hints = get_type_hints(Options)
    assert {word for word, _, _ in properties.REGIONS} == set(get_args(get_args(get_args(hints["only"])[0])[0]))
    for option in ("arms", "legs"):
        assert {word for word, _, _ in properties.LIMBS_OF} == {*literals(hints[option]), "as-limbs"}


def test_roles_are_known_and_lists_are_lists() -> None:
    for role in analysis.ROLES:
        bones = '["a", "b"]' if role.endswith(analysis.LIST_ROLES) else '"a"'
        rebone.Card(f"[roles]\n{role} = {bones}\n")
    with pytest.raises(rebone.ReboneError):
        rebone.Card('[roles]\nnothing = "a"\n')


def helps() -> list[str]:
    """Advice of the library on each metric of a verdict."""
    return [own["help"] for own in tomllib.loads(THRESHOLDS.read_text(encoding="utf-8")).values()]


def test_options_that_advice_names_are_labels_of_the_panel() -> None:
    settings = properties.SceneSettings.bl_rna.properties
    named = {found["option"] for text in helps() for found in words.OPTION.finditer(text)}
    assert {"contacts", "limits", "ground", "floor", "limbs", "travel"} <= named
    for option in named:
        assert option in words.SETTINGS or option.replace("-", "_") not in settings
    assert all(setting in settings for setting in words.SETTINGS.values())
    assert set(words.BUTTONS.values()) == {analysis.REBONE_OT_set_pose.bl_label}


def test_advice_names_nothing_that_the_panel_does_not_have() -> None:
    for text in helps():
        advice = words.advice(text)
        assert "--" not in advice and "`" not in advice and "](" not in advice, advice
    assert sum(words.advice(text) == "" for text in helps()) < 3
    contacts = "`--contacts lock`; correct the contacts (`--write-contacts`); `--limits source` if a limit stops the leg"
    assert words.advice(contacts) == "Contacts: Lock; correct the contacts; Limits: Source if a limit stops the leg"
    assert words.advice("`--ground on`; state `--floor`") == "Ground: On Height Zero; state Floor"
    assert words.advice("`doctor` on the source; `--legs 0`") == "Legs: Directions"
    assert words.advice("`doctor` on the source; `--solver lm`") == ""
    assert (
        words.advice("`--limbs 1`; `--arms position`; `--frames 3..`")
        == "Limbs: Positions; Arms: Positions; Part of the Clip 3.."
    )


def test_remarks_name_what_the_panel_has() -> None:
    assert words.of_panel("--leading-pose drop leaves it out") == "Leave Out a Leading T-Pose leaves it out"
    assert words.of_panel("take --root in-place, or --add-root") == "take Root: In Place"
    assert words.of_panel("--root world moves") == "Root: As the Rig Has It moves"
    assert words.of_panel("state `--floor` of it") == "state Floor of it"
    assert words.of_panel("hat: its weights are lost; `rebone inspect --surface` tells more") == "hat: its weights are lost"
    assert words.of_panel("is y up? it lies all the time: state it with --up") == "is y up? it lies all the time"
    assert words.of_panel("no joint moves in 0; --clip 1 takes walk") == "no joint moves in 0; Clip 1 takes walk"
    assert words.of_panel("walk.bvh: --skin chooses") == "walk.bvh: --skin chooses"
    assert words.of_panel("--loop 1..3: walk.bvh has no such cycle") == "Loop 1..3: walk.bvh has no such cycle"

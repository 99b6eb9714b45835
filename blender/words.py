"""Texts of the library in the words of the panel: options of the command line become its labels."""

import re

from .properties import SceneSettings

# Settings of the panel by the options that they are on the command line.
SETTINGS = {
    "limbs": "limbs",
    "contacts": "contacts",
    "limits": "limits",
    "travel": "travel",
    "root": "root",
    "ground": "ground",
    "floor": "floor",
    "fps": "scene_rate",
    "leading-pose": "drop_pose",
    "accept-guesses": "accept_guesses",
    "arms": "arms",
    "legs": "legs",
    "only": "only",
    "frames": "part",
    "loop": "loop",
    "clip": "take",
}
# Values that have another name in the panel; an empty name is told by the label alone.
VALUES = {"root world": "rig", "leading-pose drop": "", "leading-pose keep": ""} | {
    f"{option} {value}": name for option in ("limbs", "arms", "legs") for value, name in (("0", "direction"), ("1", "position"))
}
# Buttons that do what an option does.
BUTTONS = {"pose-from": "This Is the Calibration Pose"}
OPTION = re.compile(r"--(?P<option>[a-z]+(?:-[a-z]+)*)(?: (?P<value>[a-z]+(?:-[a-z]+)*|[01]\b))?")
COMMAND = re.compile(r"`(?:rebone )?(?:doctor|inspect|card|check|preview)\b")
# One more way that is named behind another one.
ALTERNATIVE = re.compile(r",? or --[a-z-]+")
LINK = re.compile(r"\[([^\]]+)\]\([^)]*\)")
BRACKETS = re.compile(r" \(([^()]*)\)")


def of_panel(text: str) -> str:
    """A text with options as the panel has them. Clauses that name other ones are left out, where something is left then."""
    parts = LINK.sub(r"\1", text).split("; ")
    text = "; ".join([part for part in parts if not is_foreign(part)] or parts[:1])
    text = ALTERNATIVE.sub(lambda found: "" if is_foreign(found[0]) else found[0], text)
    before, _, behind = text.rpartition(": ")
    if " " in before and is_foreign(behind) and not is_foreign(before):
        text = before
    return OPTION.sub(label, text).replace("`", "")


def advice(text: str) -> str:
    """Advice as far as the panel can follow it: what names other options or commands is left out."""
    text = BRACKETS.sub(lambda found: "" if is_foreign(found[1]) else found[0], LINK.sub(r"\1", text))
    return of_panel("; ".join(part for part in text.split("; ") if not is_foreign(part)))


def is_foreign(text: str) -> bool:
    """Returns whether a text names what the panel does not have."""
    options = {found["option"] for found in OPTION.finditer(text)}
    return bool(options - {*SETTINGS, *BUTTONS} or COMMAND.search(text))


def label(found: re.Match[str]) -> str:
    """Label of a setting, with that of its value."""
    option, value = found["option"], found["value"]
    behind = f" {value}" if value else ""
    if option in BUTTONS:
        return BUTTONS[option] + behind
    if option not in SETTINGS:
        return found[0]
    setting = SceneSettings.bl_rna.properties[SETTINGS[option]]
    items = {item.identifier.lower().replace("_", "-"): item.name for item in getattr(setting, "enum_items", ())}
    name = VALUES.get(f"{option} {value}", value) if value else None
    if name in items:
        return f"{setting.name}: {items[name]}"
    return setting.name if name == "" and not items else setting.name + behind

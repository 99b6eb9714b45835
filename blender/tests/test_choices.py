"""Choices of the panel are those of the library."""

from typing import Any, get_args, get_type_hints

import pytest
import rebone
from rebone._options import Options

from .. import analysis, properties


def literals(hint: Any) -> set[str]:
    """Strings of a type of an option."""
    return {word for part in (hint, *get_args(hint)) for word in get_args(part) if isinstance(word, str)}


@pytest.mark.parametrize("option", ["limbs", "contacts", "limits", "travel"])
def test_an_option_has_all_its_choices(option: str) -> None:
    choices = {word for word, _, _ in getattr(properties, option.upper())}
    assert choices == literals(get_type_hints(Options)[option])


def test_roles_are_known_and_lists_are_lists() -> None:
    for role in analysis.ROLES:
        bones = '["a", "b"]' if role.endswith(analysis.LIST_ROLES) else '"a"'
        rebone.Card(f"[roles]\n{role} = {bones}\n")
    with pytest.raises(rebone.ReboneError):
        rebone.Card('[roles]\nnothing = "a"\n')

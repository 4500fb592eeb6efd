"""What the tests share."""

from __future__ import annotations

from pathlib import Path

import pytest

import jostle

ROOT = Path(__file__).resolve().parents[2]
MODELS = ROOT / "models"


@pytest.fixture
def models() -> Path:
    """The folder of the models that come with jostle."""
    return MODELS


@pytest.fixture
def binding() -> jostle.Model:
    """A small model in which particles bind and come apart; it runs for a fraction of a second."""
    return jostle.load(MODELS / "reversible_binding.toml", set={"run.until": "20 us"})

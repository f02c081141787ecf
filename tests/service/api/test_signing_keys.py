"""The key that signs records: made once and saved, or configured."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest

from events.records.record import Seal
from events.records.signatures import Signer, is_valid
from events.settings import InvalidSetting, read_settings
from service.api.signing_keys import open_signer

FOOTER = "ab" * 32


def signer(**environ: str) -> Signer:
    made = open_signer(read_settings({f"CROUPIER_{name}": value for name, value in environ.items()}))
    assert made is not None
    return made


def test_the_key_is_made_once_and_saved_with_the_data(tmp_path: Path):
    first, second = signer(DATA=str(tmp_path)), signer(DATA=str(tmp_path))
    assert first.key == second.key
    assert (tmp_path / "record-key").stat().st_mode & 0o077 == 0
    assert not (tmp_path / "secret-key").exists()
    assert signer(DATA=str(tmp_path / "other")).key != first.key


def test_a_configured_key_is_the_same_on_every_machine(tmp_path: Path):
    given = "a secret of the operator"
    keys = {signer(DATA=str(tmp_path / name), RECORD_KEY=given).key for name in ("one", "two")}
    assert len(keys) == 1
    assert not (tmp_path / "one").exists()
    with pytest.raises(InvalidSetting, match="CROUPIER_RECORD_KEY must have at least 16 characters"):
        read_settings({"CROUPIER_RECORD_KEY": "short"})


def test_records_are_not_signed_if_the_key_cannot_be_saved(tmp_path: Path, caplog: pytest.LogCaptureFixture):
    (tmp_path / "file").write_text("no folder")
    with caplog.at_level(logging.WARNING, "service.api.signing_keys"):
        assert open_signer(read_settings({"CROUPIER_DATA": str(tmp_path / "file")})) is None
    assert "set CROUPIER_RECORD_KEY" in caplog.text


def test_a_signature_is_valid_only_for_its_record_and_its_key():
    one, other = Signer(bytes(32)), Signer(bytes(range(32)))
    seal = one.sign(FOOTER)
    assert seal == one.sign(FOOTER)
    assert is_valid(seal, FOOTER)
    assert not is_valid(seal, "cd" * 32)
    assert not is_valid(Seal(other.key, seal.signature), FOOTER)
    assert not is_valid(Seal("ff" * 32, seal.signature), FOOTER)
    assert not is_valid(Seal(one.key, "00" * 64), FOOTER)

"""Settings from the environment, and the errors for wrong values."""

from __future__ import annotations

import stat
import subprocess
import sys
from pathlib import Path

import pytest

from events.settings import InvalidSetting, Settings, load_or_create_secret, read_settings

KEEP = """
import pathlib, sys
from events.settings import load_or_create_secret
print(load_or_create_secret(pathlib.Path(sys.argv[1])))
"""


def test_the_defaults_suit_a_first_try_on_ones_own_machine() -> None:
    assert read_settings({}) == Settings(data=Path("var").absolute())
    assert (Settings().host, Settings().port, Settings().workers, Settings().web_processes) == (
        "127.0.0.1",
        8000,
        1,
        2,
    )


def test_an_empty_variable_counts_as_not_set() -> None:
    names = ("HOST", "PORT", "DATA", "REDIS_URL", "QUEUE_URL", "SECRET_KEY", "WORKERS", "WEB_PROCESSES")
    assert read_settings({f"CROUPIER_{name}": "" for name in names}) == read_settings({})


def test_the_queue_uses_the_store_of_the_games_unless_it_has_its_own_url() -> None:
    games = {"CROUPIER_REDIS_URL": "redis://games"}
    assert read_settings(games).queue_url == "redis://games"
    assert read_settings({**games, "CROUPIER_QUEUE_URL": "redis://jobs"}).queue_url == "redis://jobs"


def test_archived_games_are_kept_for_ever_unless_days_are_set() -> None:
    assert read_settings({}).keep_days is None
    assert read_settings({"CROUPIER_KEEP_DAYS": "30"}).keep_days == 30


def test_clocks_get_back_the_time_of_a_downtime_unless_that_is_switched_off() -> None:
    assert read_settings({}).compensate_downtime
    assert not read_settings({"CROUPIER_COMPENSATE_DOWNTIME": "0"}).compensate_downtime


def test_a_program_that_starts_no_store_needs_its_url() -> None:
    assert read_settings({"CROUPIER_REDIS_URL": "redis://games"}).urls() == ("redis://games", "redis://games")
    with pytest.raises(InvalidSetting, match="CROUPIER_REDIS_URL must be set"):
        read_settings({}).urls()


@pytest.mark.parametrize(
    ("name", "value", "reason"),
    [
        ("CROUPIER_PORT", "http", "CROUPIER_PORT must be a whole number from 1 to 65535, not 'http'."),
        ("CROUPIER_PORT", "0", "CROUPIER_PORT must be a whole number from 1 to 65535, not '0'."),
        ("CROUPIER_PORT", "65536", "CROUPIER_PORT must be a whole number from 1 to 65535, not '65536'."),
        ("CROUPIER_PORT", "-1", "CROUPIER_PORT must be a whole number from 1 to 65535, not '-1'."),
        ("CROUPIER_PORT", "8000.0", "CROUPIER_PORT must be a whole number from 1 to 65535, not '8000.0'."),
        ("CROUPIER_WORKERS", "0", "CROUPIER_WORKERS must be a whole number from 1 to 64, not '0'."),
        ("CROUPIER_WEB_PROCESSES", "²", "CROUPIER_WEB_PROCESSES must be a whole number from 1 to 64, not '²'."),
        ("CROUPIER_REDIS_URL", "localhost:6379", "CROUPIER_REDIS_URL must begin with one of redis://, "),
        ("CROUPIER_QUEUE_URL", "http://jobs", "CROUPIER_QUEUE_URL must begin with one of redis://, "),
        ("CROUPIER_QUEUE_URL", "redis+cluster://jobs", "the queue does not run on a cluster."),
        ("CROUPIER_REDIS_URL", "redis+cluster://games", "the queue does not run on a cluster."),
        ("CROUPIER_REDIS_URL", "redis://:hush@games:many/0", "CROUPIER_REDIS_URL is no URL: Port could not be cast"),
        ("CROUPIER_KEEP_DAYS", "30d", "CROUPIER_KEEP_DAYS must be a whole number from 1 to 36500, not '30d'."),
        ("CROUPIER_KEEP_DAYS", "0", "CROUPIER_KEEP_DAYS must be a whole number from 1 to 36500, not '0'."),
        ("CROUPIER_KEEP_DAYS", "-1", "CROUPIER_KEEP_DAYS must be a whole number from 1 to 36500, not '-1'."),
        (
            "CROUPIER_COMPENSATE_DOWNTIME",
            "no",
            "CROUPIER_COMPENSATE_DOWNTIME must be a whole number from 0 to 1, not 'no'.",
        ),
        ("CROUPIER_SECRET_KEY", "short", "CROUPIER_SECRET_KEY must have at least 16 characters."),
    ],
)
def test_a_wrong_value_is_refused_in_one_line_that_names_the_variable(name: str, value: str, reason: str) -> None:
    with pytest.raises(InvalidSetting) as refused:
        read_settings({name: value})
    assert reason in str(refused.value)
    assert "\n" not in str(refused.value)


def test_a_refused_secret_is_not_repeated() -> None:
    with pytest.raises(InvalidSetting) as refused:
        read_settings({"CROUPIER_SECRET_KEY": "hush-hush"})
    assert "hush" not in str(refused.value)


def test_the_secret_is_generated_once_and_readable_by_its_owner_only(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    secret = load_or_create_secret(folder)
    assert len(secret) >= 48
    assert load_or_create_secret(folder) == secret
    assert [path.name for path in folder.iterdir()] == ["secret-key"]
    assert stat.S_IMODE((folder / "secret-key").stat().st_mode) == 0o600
    assert load_or_create_secret(tmp_path / "other") != secret


def test_processes_that_start_together_agree_on_the_secret(tmp_path: Path) -> None:
    started = [
        subprocess.Popen([sys.executable, "-c", KEEP, str(tmp_path)], stdout=subprocess.PIPE, text=True)
        for _ in range(8)
    ]
    assert len({process.communicate(timeout=60)[0] for process in started}) == 1
    assert [path.name for path in tmp_path.iterdir()] == ["secret-key"]


def test_a_secret_that_is_set_is_used_and_none_is_stored(tmp_path: Path) -> None:
    settings = Settings(data=tmp_path, secret_key="given by the operator")
    assert settings.signing_key() == "given by the operator"
    assert list(tmp_path.iterdir()) == []


def test_a_stored_secret_that_was_emptied_is_refused(tmp_path: Path) -> None:
    (tmp_path / "secret-key").touch()
    with pytest.raises(InvalidSetting, match="holds no secret"):
        load_or_create_secret(tmp_path)


def test_printed_settings_show_no_secret_and_no_password() -> None:
    settings = Settings(redis_url="redis://:hush@games", queue_url="redis://:hush@jobs", secret_key="hush")
    assert "hush" not in repr(settings)

"""`python -m workers`: one worker process."""

from __future__ import annotations

from events.cli_errors import exit_with_message
from events.multiprocess_metrics import enable

enable()  # before the next import, which declares the metrics

from workers.main import main  # noqa: E402

if __name__ == "__main__":
    with exit_with_message():
        main()

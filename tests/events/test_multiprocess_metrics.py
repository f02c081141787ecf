"""Metrics of processes in containers that share a folder and have the same process id."""

import subprocess
import sys

from prometheus_client import CollectorRegistry
from prometheus_client.multiprocess import MultiProcessCollector

COUNT = """
import os, socket, sys
socket.gethostname = lambda: sys.argv[1]
os.getpid = lambda: 7
from events.multiprocess_metrics import enable
enable()
from events.metrics import CONFLICTS
for _ in sys.stdin:
    CONFLICTS.inc()
    print("counted", flush=True)
"""


def test_processes_of_two_machines_with_the_same_id_have_separate_counts(tmp_path):
    machines = [
        subprocess.Popen(
            [sys.executable, "-c", COUNT, name],
            env={"PROMETHEUS_MULTIPROC_DIR": str(tmp_path)},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for name in ("one", "an_other")
    ]
    for machine in (*machines, *machines):
        machine.stdin.write("count\n")
        machine.stdin.flush()
        assert machine.stdout.readline() == "counted\n"
    for machine in machines:
        machine.communicate(timeout=60)
    gathered = CollectorRegistry()
    MultiProcessCollector(gathered, path=str(tmp_path))
    assert gathered.get_sample_value("croupier_conflicts_retried_total") == 4

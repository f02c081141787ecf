"""compose.yaml and the image: the same commands, run here without containers, on a store of the test."""

import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

import pytest
import yaml

from events.jobs.queue import enqueue, open_queue
from events.settings import read_settings
from events.store.embedded import EmbeddedServer, free_port
from tests.processes import process_launcher

CHECKOUT = Path(__file__).resolve().parents[1]
COMPOSE = yaml.safe_load((CHECKOUT / "compose.yaml").read_text("utf-8"))
IMAGE_FILES = re.findall("^!(.+)$", (CHECKOUT / ".dockerignore").read_text("utf-8"), re.MULTILINE)
OURS = ("web", "worker")


def environment(service):
    """The environment of a container, with 32 characters for each variable that must be set."""
    variables = COMPOSE["services"][service]["environment"]
    return {name: re.sub(r"\$\{\w+:\?[^}]+\}", "x" * 32, value) for name, value in variables.items()}


@pytest.mark.parametrize("service", OURS)
def test_every_container_signs_with_the_same_keys(service, tmp_path):
    settings = read_settings(environment(service) | {"CROUPIER_DATA": str(tmp_path)})
    assert (settings.signing_key(), settings.sealing_secret()) == ("x" * 32, "x" * 32)
    assert list(tmp_path.iterdir()) == []


def test_all_containers_count_metrics_in_one_folder_that_is_empty_at_first():
    (folder,) = {environment(service)["PROMETHEUS_MULTIPROC_DIR"] for service in OURS}
    (volume,) = {volume for service in OURS for volume in COMPOSE["services"][service]["volumes"]}
    name, _, place = volume.partition(":")
    assert place == folder
    assert COMPOSE["volumes"][name]["driver_opts"]["type"] == "tmpfs"


def test_the_web_publishes_the_metrics_of_the_worker(tmp_path):
    counts = tmp_path / "counts"
    counts.mkdir()
    port = free_port()
    with EmbeddedServer(tmp_path / "store") as store, process_launcher() as launch:
        here = {"CROUPIER_REDIS_URL": store.url, "CROUPIER_QUEUE_URL": store.url, "CROUPIER_PORT": str(port)}
        for service in OURS:
            variables = {name: value.replace("/counts", str(counts)) for name, value in environment(service).items()}
            command = COMPOSE["services"][service]["command"]
            python, *arguments = command.split() if isinstance(command, str) else command
            assert python == "python"
            running = launch([sys.executable, *arguments], tmp_path, **variables | here)
            running.wait_for_output("jobs are taken" if service == "worker" else "Booting worker")

        enqueue(open_queue(store.url), "os.getcwd")  # a job that no worker runs, so that it fails

        def is_published():
            return 'croupier_jobs_failed_total{job="os.getcwd"} 1.0' in metrics(port)

        running.wait_until(is_published, "the web publishes the job that failed in the worker")


def test_the_image_contains_all_files_that_the_openapi_document_needs(tmp_path):
    for name in IMAGE_FILES:
        copy = shutil.copytree if (CHECKOUT / name).is_dir() else shutil.copy
        (tmp_path / name).parent.mkdir(exist_ok=True)
        copy(CHECKOUT / name, tmp_path / name)
    program = """if True:
        from service.app import endpoints
        from service.openapi.document import build_document

        print(build_document(endpoints())["info"]["version"])
    """
    result = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, check=False)
    project = tomllib.loads((CHECKOUT / "pyproject.toml").read_text("utf-8"))["project"]
    assert (result.stdout, result.stderr) == (project["version"] + "\n", "")


def metrics(port):
    """The metrics of the web; empty while it does not answer."""
    try:
        with urlopen(f"http://127.0.0.1:{port}/metrics", timeout=10) as answer:
            return answer.read().decode()
    except URLError:
        return ""

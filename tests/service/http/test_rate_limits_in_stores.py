"""Creations are counted in the store, whatever the scheme of its URL."""

from __future__ import annotations

import datetime as dt
import ipaddress
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from redis import Redis

from events.games.command_handler import CommandHandler
from events.settings import SCHEMES, Settings
from events.store.connection import connect
from events.store.embedded import HOST, EmbeddedServer, free_port
from events.store.log_store import LogStore
from games.rulebooks import RULEBOOKS
from service.app import build_app
from service.context import Services
from service.http.auth import Tokens
from tests.stores import SLOTS, cluster, installed_redis, require, until

NEW_GAME = {"rulebook": "six-nimmt", "seats": 2}


@contextmanager
def plain(folder: Path) -> Iterator[str]:
    with EmbeddedServer(folder / "store") as server:
        yield server.url


@contextmanager
def by_socket(folder: Path) -> Iterator[str]:
    place = folder / "socket"
    with EmbeddedServer(folder / "store", flags=("--unixsocket", str(place))):
        yield f"unix://{place}"


@contextmanager
def by_cluster(folder: Path) -> Iterator[str]:
    with cluster(folder) as servers:
        yield f"redis+cluster://{HOST}:{servers[0].port}"


@contextmanager
def secured(folder: Path) -> Iterator[str]:
    with with_certificate(folder) as (_, port):
        yield f"rediss://{HOST}:{port}/0?ssl_ca_certs={folder / 'certificate'}"


@contextmanager
def secured_cluster(folder: Path) -> Iterator[str]:
    flags = ("--cluster-enabled", "yes", "--cluster-port", str(free_port()), "--tls-cluster", "yes")
    with with_certificate(folder, *flags) as (server, port), Redis(host=HOST, port=server.port or 0) as node:
        node.execute_command("CLUSTER", "ADDSLOTSRANGE", 0, SLOTS - 1)
        until(lambda: b"cluster_state:ok" in node.execute_command("CLUSTER", "INFO"), "the cluster of one is ready")
        yield f"rediss+cluster://{HOST}:{port}?ssl_ca_certs={folder / 'certificate'}"


@contextmanager
def with_certificate(folder: Path, *flags: str) -> Iterator[tuple[EmbeddedServer, int]]:
    """Debian's server, which speaks TLS at a second port; ours does not."""
    redis, port = installed_redis(), free_port()
    require(redis is not None, "redis-server is not installed")
    certify(folder)
    tls = {"port": str(port), "auth-clients": "no", "cert-file": str(folder / "certificate")}
    tls |= {"key-file": str(folder / "key"), "ca-cert-file": str(folder / "certificate")}
    secured = [text for name, value in tls.items() for text in (f"--tls-{name}", value)]
    with EmbeddedServer(folder / "store", binary=redis, flags=(*secured, *flags)) as server:
        yield server, port


def certify(folder: Path) -> None:
    """Write a key and a self-signed certificate for the address of the tests."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, HOST)])
    now = dt.datetime.now(dt.UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now - dt.timedelta(days=1))
        .not_valid_after(now + dt.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address(HOST))]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    as_pem = serialization.Encoding.PEM
    form, unlocked = serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    (folder / "key").write_bytes(key.private_bytes(as_pem, form, unlocked))
    (folder / "certificate").write_bytes(certificate.public_bytes(as_pem))


STORES = {
    "redis://": plain,
    "rediss://": secured,
    "unix://": by_socket,
    "redis+cluster://": by_cluster,
    "rediss+cluster://": secured_cluster,
}


@pytest.mark.parametrize("scheme", SCHEMES)
def test_creations_are_counted_in_every_kind_of_store(scheme: str, tmp_path: Path) -> None:
    with STORES[scheme](tmp_path) as url, connect(url) as client:
        assert url.startswith(scheme)
        app = build_app(
            Services(CommandHandler(LogStore(client), RULEBOOKS), Tokens("a secret")), Settings(redis_url=url)
        )
        assert app.test_client().post("/v1/games", json=NEW_GAME).status_code == 201
        (counted,) = client.scan_iter("*creating*")
        assert client.get(counted) == b"1"

"""The key with which this installation signs records."""

from __future__ import annotations

import logging
from hashlib import sha256
from typing import Annotated, Literal

from flask import Response
from msgspec import Meta, Struct

from events.records.signatures import Signer
from events.settings import Settings
from service.context import services
from service.http.endpoint import ApiBlueprint, ResponseSpec, endpoint
from service.http.responses import json_response

bp = ApiBlueprint("keys", url_prefix=None)

log = logging.getLogger(__name__)


class KeyView(Struct):
    help = """A key with which records are signed."""

    algorithm: Literal["Ed25519"]
    key: Annotated[str, Meta(description="the public key, as in the `key` of a record", pattern="^[0-9a-f]{64}$")]


class Keys(Struct):
    help = """The keys of this installation. Keep them with the records, to verify them when the server is gone."""

    format: Literal["croupier-keys/1"]
    keys: list[KeyView]


def open_signer(settings: Settings) -> Signer | None:
    """Return the signer of an installation's records, whose key is derived from a secret kept in the data folder.

    None, with a warning, when the secret can be neither read nor saved: then records are not signed.
    """
    try:
        secret = settings.sealing_secret()
    except OSError as error:
        log.warning("records are not signed: the key cannot be saved (%s); set CROUPIER_RECORD_KEY", error)
        return None
    return Signer(sha256(b"croupier-record-key " + secret.encode()).digest())


@endpoint(
    bp,
    "GET",
    "/.well-known/croupier-keys.json",
    operation="get_keys",
    summary="Get the keys of records",
    description="""Return the public keys that verify records of this installation; none if it does not sign
    records.""",
    responses={200: ResponseSpec("The keys with which this installation signs records.", Keys)},
)
def get_keys() -> Response:
    signer = services().audits.signer
    return json_response(Keys("croupier-keys/1", [] if signer is None else [KeyView("Ed25519", signer.key)]))

"""Seals: signatures (Ed25519) that tell a record from a forgery, even after the server is gone."""

from __future__ import annotations

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from events.records.record import Seal, signed_text


class Signer:
    """Signs records with one private key of 32 bytes."""

    def __init__(self, private: bytes) -> None:
        self._private = Ed25519PrivateKey.from_private_bytes(private)
        self.key = self._private.public_key().public_bytes_raw().hex()
        """The public key, 64 hexadecimal digits."""

    def sign(self, footer_hash: str) -> Seal:
        """Return the seal of a record, from the hash of its footer. The same record always gets the same seal."""
        return Seal(self.key, self._private.sign(signed_text(footer_hash)).hex())


def is_valid(seal: Seal, footer_hash: str) -> bool:
    """Was this record signed with the key that the seal names? It does not say whose key that is."""
    try:
        public = Ed25519PublicKey.from_public_bytes(bytes.fromhex(seal.key))
        public.verify(bytes.fromhex(seal.signature), signed_text(footer_hash))
    except (InvalidSignature, ValueError):
        return False
    return True

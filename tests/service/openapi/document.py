"""The OpenAPI document of the app, made once."""

from __future__ import annotations

from service.app import endpoints
from service.openapi.document import as_yaml, build_document

DOCUMENT = build_document(endpoints())
YAML = as_yaml(DOCUMENT)

"""`python -m service.cli.openapi`: print the OpenAPI document as YAML."""

from __future__ import annotations

import sys

from service.app import endpoints
from service.openapi.document import as_yaml, build_document


def main() -> None:
    """Print the document."""
    sys.stdout.write(as_yaml(build_document(endpoints())))


if __name__ == "__main__":
    main()

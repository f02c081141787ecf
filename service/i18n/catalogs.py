"""The catalogs of translations, kept in sync with the texts in the sources and in the rulebooks.

``python -m service.i18n.catalogs --check`` fails on a text without a translation, on a translation that is no longer
used, and on a translation with other placeholders than its text. ``--update`` adds new texts to the catalogs, to be
translated, and removes those that are no longer used. Only rulebooks that can be played here count.
"""

from __future__ import annotations

import inspect
import string
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po, write_po

from games.kernel import Rulebook
from games.rulebooks import RULEBOOKS
from service.i18n.translate import ENGLISH, LANGUAGES, LOCALE, VALIDATION_MESSAGES
from service.schemas.problems import PROBLEMS

ROOT = Path(__file__).resolve().parents[2]
COMMON = "croupier"
"""The name of the catalog of the kernel, the store and the service."""

KEYWORDS: dict[str, tuple[int, ...]] = {"msg": (1,), "Refusal": (2,), "Problem": (2,)}
"""The functions that take a text for people, and its place among their arguments."""


def texts_by_catalog() -> dict[str, list[str]]:
    """Return every text for people, by the name of its catalog: there is one for each rulebook, and `COMMON`."""
    common = {
        *extract_texts("games/kernel"),
        *extract_texts("events"),
        *extract_texts("service"),
        *(title for _, title in PROBLEMS.values()),
        *VALIDATION_MESSAGES,
    }
    texts = {COMMON: sorted(common)}
    for rulebook in RULEBOOKS.values():
        own = {*extract_texts(str(rulebook.folder.relative_to(ROOT))), *move_texts(rulebook)}
        texts[rulebook.id] = sorted(own - common)
    return texts


def extract_texts(folder: str) -> list[str]:
    """Return the texts in the Python sources of a folder."""
    messages = extract_from_dir(ROOT / folder, method_map=[("**.py", "python")], keywords=KEYWORDS)
    return [str(text) for _, _, text, _, _ in messages]


def move_texts(rulebook: Rulebook[Any]) -> Iterator[str]:
    """Yield the texts that are declared for the moves of a rulebook."""
    for move in rulebook.moves.values():
        yield from (move.title, move.help, *move.arg_titles.values())


def catalog_path(name: str, to: str) -> Path:
    """Return the path of the catalog of this name in a language."""
    return LOCALE / f"{name}.{to}.po"


def _read(file: Path, to: str) -> Catalog:
    if not file.exists():
        return Catalog(locale=to)
    with file.open("rb") as opened:
        return read_po(opened, locale=to)


def problems() -> Iterator[str]:
    """Yield what is wrong with the catalogs, one line for each fault."""
    texts_by_name = texts_by_catalog()
    for to in LANGUAGES:
        if to == ENGLISH:
            continue
        for name, texts in texts_by_name.items():
            file = catalog_path(name, to)
            entries = {str(message.id): message for message in _read(file, to) if message.id}
            for text in texts:
                if text not in entries or not entries[text].string or entries[text].fuzzy:
                    yield f"{file.name}: without translation: {text}"
                elif _placeholders(text) != _placeholders(str(entries[text].string)):
                    yield f"{file.name}: other placeholders than in: {text}"
            yield from (f"{file.name}: no longer used: {text}" for text in sorted(entries.keys() - set(texts)))
        strays = {file.name for file in LOCALE.glob(f"*.{to}.po")} - {
            catalog_path(name, to).name for name in texts_by_name
        }
        yield from (f"{name}: no rulebook has this name" for name in sorted(strays))
    for rulebook in RULEBOOKS.values():
        missing = [to for to in LANGUAGES if not (rulebook.folder / f"help.{to}.md").is_file()]
        yield from (f"{rulebook.id}: there is no help.{to}.md" for to in missing)


def _placeholders(template: str) -> set[str | None]:
    return {name for _, name, _, _ in string.Formatter().parse(template)} - {None}


def update() -> None:
    """Add new texts to the catalogs and remove those no longer used; existing translations stay."""
    for name, texts in texts_by_catalog().items():
        for to in LANGUAGES:
            if to != ENGLISH:
                _write(catalog_path(name, to), to, texts)


def _write(file: Path, to: str, texts: Iterable[str]) -> None:
    translations = {str(message.id): message.string for message in _read(file, to) if message.id}
    catalog = Catalog(locale=to, project="Croupier", fuzzy=False)
    for text in texts:
        catalog.add(text, translations.get(text, ""))
    file.parent.mkdir(exist_ok=True)
    with file.open("wb") as opened:
        write_po(opened, catalog, width=118, omit_header=True)


def main(arguments: list[str]) -> int:
    """Check or update; return the exit status."""
    if arguments == ["--update"]:
        update()
        return 0
    if arguments != ["--check"]:
        sys.stderr.write(f"{inspect.cleandoc(__doc__ or '')}\n")
        return 2
    faults = list(problems())
    sys.stderr.write("".join(f"{fault}\n" for fault in faults))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

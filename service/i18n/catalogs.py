"""Every text for people, found in the sources and kept in sync with the catalogues of translations.

``python -m service.i18n.catalogs --check`` fails on a text without a translation, on a translation that is no longer
used, and on a sentence that cannot be translated because it is put together where it is used. ``--update`` adds new
texts to the catalogues, to be filled in, and removes those no longer used. Only rulebooks that can be played here
count.
"""

from __future__ import annotations

import ast
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
from service.schemas.rulebook_schemas import moves_of

ROOT = Path(__file__).resolve().parents[2]
COMMON = "croupier"
"""The name of the part that covers the kernel, the store and the service."""

TRANSLATED_ARGUMENTS: dict[str, tuple[int, ...]] = {
    "msg": (1,),
    "choose": (1,),
    "pick": (1,),
    "constraint": (1,),
    "Refusal": (2,),
    "Problem": (2,),
    "Target": (1,),
    "MayTarget": (1,),
    "flip_one_of": (2,),
}
"""Which argument of which function is a text for people. So is the default of any parameter `prompt`."""


class DynamicMessage(Exception):
    """A text is put together where it is used: use `msg` with a template and its values instead."""


def extract_sentences(
    source: Any, keywords: Any, comment_tags: Any, options: Any
) -> Iterator[tuple[int, str, tuple[str | None, ...], list[str]]]:
    """Find the texts in a Python source: an extraction method for Babel that works on the syntax tree."""
    tree = ast.parse(source.read())
    own = {node.name for node in tree.body if isinstance(node, ast.FunctionDef)} & {"msg"}  # a `msg` of its own
    for node in ast.walk(tree):
        for text in _default_prompt(node):
            yield node.lineno, "msg", (text,), []  # type: ignore[attr-defined]
        name = _called(node)
        if name in TRANSLATED_ARGUMENTS and name not in own:
            assert isinstance(node, ast.Call)
            place = TRANSLATED_ARGUMENTS[name][0] - 1
            if place < len(node.args):
                for text in _texts(node.args[place]):
                    yield node.lineno, name, (*[None] * place, text), []


def _called(node: ast.AST) -> str:
    return node.func.id if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) else ""


def _default_prompt(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.FunctionDef) and node.args.defaults:
        defaults = zip(node.args.args[-len(node.args.defaults) :], node.args.defaults, strict=True)
        yield from (text for given, default in defaults if given.arg == "prompt" for text in _texts(default))


def _texts(said: ast.expr) -> Iterator[str]:
    """Yield the literal texts of an expression: none for a name or a call, whose texts are found elsewhere."""
    match said:
        case ast.Constant(str(text)):
            yield text
        case ast.IfExp(_, body, other):
            yield from _texts(body)
            yield from _texts(other)
        case ast.JoinedStr() | ast.BinOp():
            raise DynamicMessage(f"{ast.unparse(said)}: use msg(template, …)")


def domains() -> dict[str, list[str]]:
    """Return every text for people, by the part that uses it: each part has one catalogue per language."""
    common = [
        *_found("games/kernel"),
        *_found("events"),
        *_found("service"),
        *(title for _, title in PROBLEMS.values()),
    ]
    said = {COMMON: sorted({*common, *VALIDATION_MESSAGES})}
    for rulebook in RULEBOOKS.values():
        own = {*_found(_folder(rulebook)), *_of_moves(rulebook)}
        said[rulebook.id] = sorted(own - set(said[COMMON]))
    return said


def _folder(rulebook: Rulebook[Any]) -> str:
    return str(rulebook.folder.relative_to(ROOT))


def _of_moves(rulebook: Rulebook[Any]) -> Iterator[str]:
    for name, move in moves_of(rulebook).items():
        yield from (move.title, move.help)
        if name in rulebook.moves:
            yield from move.arg_titles.values()


def _found(folder: str) -> list[str]:
    method = f"{__name__}:{extract_sentences.__name__}"
    found = extract_from_dir(ROOT / folder, method_map=[("**.py", method)], keywords=TRANSLATED_ARGUMENTS)
    return [str(text) for _, _, text, _, _ in found]


def catalogue_of(part: str, to: str) -> Path:
    """Return the path of the file with the translations of a part into a language."""
    return LOCALE / f"{part}.{to}.po"


def _read(file: Path, to: str) -> Catalog:
    if not file.exists():
        return Catalog(locale=to)
    with file.open("rb") as opened:
        return read_po(opened, locale=to)


def problems() -> Iterator[str]:
    """Yield what is wrong with the catalogues, one line per fault."""
    said = domains()
    for to in LANGUAGES:
        if to == ENGLISH:
            continue
        for part, texts in said.items():
            file = catalogue_of(part, to)
            known = {str(message.id): message for message in _read(file, to) if message.id}
            for text in texts:
                if text not in known or not known[text].string or known[text].fuzzy:
                    yield f"{file.name}: without translation: {text}"
                elif _values(text) != _values(str(known[text].string)):
                    yield f"{file.name}: other values than in: {text}"
            yield from (f"{file.name}: not used any more: {text}" for text in known.keys() - set(texts))
        strays = {file.name for file in LOCALE.glob(f"*.{to}.po")} - {catalogue_of(part, to).name for part in said}
        yield from (f"{name}: no part of this name says anything" for name in sorted(strays))
    for rulebook in RULEBOOKS.values():
        missing = [to for to in LANGUAGES if not (rulebook.folder / f"help.{to}.md").is_file()]
        yield from (f"{rulebook.id}: there is no help.{to}.md" for to in missing)


def _values(template: str) -> set[str | None]:
    return {name for _, name, _, _ in string.Formatter().parse(template)} - {None}


def update() -> None:
    """Add new texts to the catalogues and remove those no longer used; existing translations are kept."""
    for part, texts in domains().items():
        for to in LANGUAGES:
            if to != ENGLISH:
                _write(catalogue_of(part, to), to, texts)


def _write(file: Path, to: str, texts: Iterable[str]) -> None:
    before = {str(message.id): message.string for message in _read(file, to) if message.id}
    catalogue = Catalog(
        locale=to, project="Croupier", header_comment=f"# What {file.name.split('.')[0]} says.", fuzzy=False
    )
    for text in texts:
        catalogue.add(text, before.get(text, ""))
    file.parent.mkdir(exist_ok=True)
    with file.open("wb") as opened:
        write_po(opened, catalogue, width=118, omit_header=True)


def main(arguments: list[str]) -> int:
    """Check or update; return the exit status."""
    if arguments == ["--update"]:
        update()
        return 0
    if arguments != ["--check"]:
        sys.stderr.write(f"{inspect.cleandoc(__doc__ or '')}\n")
        return 2
    try:
        found = list(problems())
    except DynamicMessage as error:
        found = [str(error)]
    sys.stderr.write("".join(f"{fault}\n" for fault in found))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

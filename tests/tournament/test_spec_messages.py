"""What the reader of specs says about broken ones: the table in ``tests/data/spec_messages.txt``, word for word.

Rules called V1 to V60 are the validation rules of the tournament design. Running this file writes the table anew.
"""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from pathlib import Path

import pytest

from rummy_tourney.bot.builtin import builtins
from rummy_tourney.errors import ExitCode, SpecError
from rummy_tourney.game.rules import families
from rummy_tourney.tournament.spec import parse_spec

TABLE = Path(__file__).parent.parent / "data" / "spec_messages.txt"
BOT = "class Good:\n    def act(self, view):\n        return view.legal_actions()[0]\n"
FILES = {
    "good.py": BOT,
    "broken.py": "class Bad:\n    def act(self, view:\n",
    "twins/one/bot.py": BOT,
    "twins/two/bot.py": BOT,
}


@dataclass
class Case:
    """One spec of the table and what is expected."""

    title: str
    spec: str
    expected: str


def read_table() -> tuple[str, list[Case]]:
    """The introduction of the table, and its cases."""
    intro, *parts = TABLE.read_text(encoding="utf-8").split("\n#### ")
    cases = []
    for part in parts:
        title, _, rest = part.partition("\n")
        spec, _, expected = (rest + "\n").partition("\n----\n")
        cases.append(Case(title, spec + "\n", expected.strip("\n")))
    return intro, cases


def make_files(folder: Path) -> None:
    """The bots that the specs name."""
    for name, text in FILES.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    (folder / "folder.py").mkdir()


def complaints(spec: str, folder: Path) -> str:
    """What is said about a spec, without what differs between machines and versions."""
    try:
        parse_spec(spec, base_dir=folder, label="spec.yaml")
    except SpecError as error:
        text = "\n".join(error.problems)
    else:
        text = "nothing"
    text = text.replace(str(folder.resolve()), "<here>")
    return text.replace(", ".join(builtins("gin")), "<gin>").replace(", ".join(families()), "<games>")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("specs")
    make_files(made)
    return made


@pytest.mark.parametrize("case", read_table()[1], ids=lambda case: case.title)
def test_a_broken_spec_is_explained_in_these_words(case: Case, folder: Path) -> None:
    """Every problem has its place, says what is wrong, what was found, what is expected, and what to do."""
    assert complaints(case.spec, folder) == case.expected


def test_every_case_of_the_table_is_refused() -> None:
    """A case without a complaint would show nothing."""
    assert [case.title for case in read_table()[1] if case.expected in ("", "nothing")] == []


def test_a_spec_error_is_a_usage_error() -> None:
    """The command line exits with 2 on a broken spec, and prints the lines as they are."""
    with pytest.raises(SpecError) as caught:
        parse_spec("tourney: 1\n", base_dir=Path())
    assert caught.value.exit_code is ExitCode.USAGE
    assert str(caught.value).splitlines() == list(caught.value.problems)


def write_table() -> None:
    """Write the table anew with what is said now."""
    intro, cases = read_table()
    with tempfile.TemporaryDirectory() as name:
        make_files(Path(name))
        blocks = [f"\n#### {c.title}\n{c.spec}----\n{complaints(c.spec, Path(name))}\n" for c in cases]
    TABLE.write_text(intro + "".join(blocks), encoding="utf-8")


if __name__ == "__main__":
    write_table()

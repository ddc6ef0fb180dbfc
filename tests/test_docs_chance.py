"""The page ``docs/chance.md``: its two verifiers run as printed, and its examples and numbers are right.

Expected keys and orders are those of the frozen tables in ``data/``, computed outside this package. The Python verifier
runs isolated and without this package, so that it shows what a stranger would see.
"""

import csv
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rummy_tourney.cards import pack
from rummy_tourney.seeding import commitment, deck_order, root_from_seed

PAGE = (Path(__file__).parents[1] / "docs" / "chance.md").read_text(encoding="utf-8")
DATA = Path(__file__).parent / "data"
CHAIN: list[dict[str, Any]] = json.loads((DATA / "seed_chain_vectors.json").read_text())["vectors"]
CHAIN_DECKS = [vector for vector in CHAIN if vector["label"] == "deck"]
with (DATA / "shake256_deck_vectors.csv").open(newline="") as file:
    # Five decks of all sizes, with small and greatest indexes: starting a program for all 36 would only take longer.
    KEY_DECKS = list(csv.DictReader(file))[3::7]

Verifier = Callable[..., dict[str, str]]


def block(language: str) -> str:
    """The only fenced block of a language on the page."""
    found: list[str] = re.findall(rf"^```{language}\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    assert len(found) == 1, f"the page has {len(found)} blocks of {language}"
    return found[0]


def node() -> str:
    """The Node executable. A machine that tests every change must have it; elsewhere its absence skips the test."""
    found = shutil.which("node")
    if found is None:
        message = "Node is not installed, so the JavaScript verifier of docs/chance.md was not run"
        if os.environ.get("CI"):
            pytest.fail(message)
        pytest.skip(message)
    return found


def run(program: list[str], words: list[str]) -> str:
    """What a program prints."""
    done = subprocess.run([*program, *words], capture_output=True, encoding="utf-8", timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def start_of(language: str, folder: Path) -> list[str]:
    """Save the verifier of the page and say how it is started."""
    name, program = {
        "python": ("verify_deck.py", [sys.executable, "-I", "-X", "utf8"]),
        "js": ("verify_deck.mjs", []),
    }[language]
    saved = folder / name
    saved.write_text(block(language), encoding="utf-8")
    return [*(program or [node()]), str(saved)]


@pytest.fixture(params=["python", "js"])
def verify(request: pytest.FixtureRequest, tmp_path: Path) -> Verifier:
    """The verifier in one of the two languages: its words in, its four lines by their first word out."""
    program = start_of(request.param, tmp_path)

    def call(*words: object) -> dict[str, str]:
        lines = run(program, [str(word) for word in words]).splitlines()
        return dict(line.split(" ", 1) for line in lines)

    return call


def card_texts(order: list[int]) -> str:
    """The cards of an order, as this package writes them."""
    cards = pack(len(order) // 52, len(order) % 52).cards
    return " ".join(cards[position].text for position in order)


def test_both_verifiers_repeat_the_whole_chain(verify: Verifier) -> None:
    """From the text of a seed, and from the revealed root, they print commitment, key and deck of the frozen table."""
    assert len(CHAIN_DECKS) == 4
    for vector in CHAIN_DECKS:
        place = (vector["path"], vector["index"], vector["n"])
        expected = {
            "commitment": vector["commitment"],
            "key": vector["key"],
            "order": " ".join(map(str, vector["order"])),
            "cards": card_texts(vector["order"]),
        }
        assert verify("seed", vector["seed"], *place) == expected
        assert verify("root", vector["root"], *place) == expected


def test_both_verifiers_open_one_deal_with_only_its_key(verify: Verifier) -> None:
    """Without seed or root they print the golden decks of 52, 54 and 104 cards, whatever the key and deal number."""
    assert {row["n"] for row in KEY_DECKS} == {"52", "54", "104"}
    assert {row["deal"] for row in KEY_DECKS} >= {"0", "1", "2", str(2**64 - 1)}
    for row in KEY_DECKS:
        found = verify("key", row["seed_hex"], "-", row["deal"], row["n"])
        assert found["commitment"] == "-"
        assert found["key"] == row["seed_hex"]
        assert found["order"] == row["deck_0based"]
        assert found["cards"] == card_texts([int(text) for text in row["deck_0based"].split()])


def test_both_verifiers_agree_with_the_package_on_other_names(verify: Verifier) -> None:
    """Text beyond ASCII, a great deal number and the largest deck make no difference."""
    seed, path, index, n = "frühling ♥", "deal/été/3/final", 2**64 - 1, 116
    root = root_from_seed(seed)
    key, order = deck_order(root, path, index, n)
    assert verify("seed", seed, path, index, n) == {
        "commitment": commitment(root),
        "key": key.hex(),
        "order": " ".join(map(str, order)),
        "cards": card_texts(order),
    }


def test_python_verifier_needs_nothing_but_the_standard_library() -> None:
    """The verifier is independent: it imports hashlib and sys, not this package."""
    imported = re.findall(r"^(?:from|import) (\S+)", block("python"), re.MULTILINE)
    assert sorted(imported) == ["hashlib", "sys"]


def test_examples_print_what_the_page_shows(tmp_path: Path) -> None:
    """Every command on the page, run as it stands, prints the lines below it."""
    examples = re.findall(r"^```console\n\$ (python|node) (\S+) (.+)\n((?:.+\n)+?)```$", PAGE, re.MULTILINE)
    assert len(examples) == PAGE.count("```console") == 3
    for program, name, words, shown in examples:
        language = {"python": "python", "node": "js"}[program]
        start = start_of(language, tmp_path)
        assert start[-1].endswith(name)
        assert run(start, words.split()) == shown


def test_hashes_on_the_page_are_those_of_the_table() -> None:
    """No hash or key on the page is made up: each stands in the frozen table."""
    hashes = re.findall(r"\b[0-9a-f]{64,}\b", PAGE)
    assert hashes
    assert set(hashes) <= {vector[field] for vector in CHAIN for field in ("root", "commitment", "key")}


def test_table_of_positions_is_the_deck_order_of_the_cards() -> None:
    """The rows of the page that name positions name the first and last card that lie there."""
    rows = re.findall(r"^\| (\d+) … (\d+) \|.*?`([^` ]+)[^|]*?([^` ]+)` \|$", PAGE, re.MULTILINE)
    assert [(int(first), int(last)) for first, last, *_ in rows] == [(0, 12), (13, 25), (26, 38), (39, 51), (52, 103)]
    cards = pack(2).cards
    for first, last, first_card, last_card in rows:
        assert cards[int(first)].text == first_card
        assert cards[int(last)].text == last_card

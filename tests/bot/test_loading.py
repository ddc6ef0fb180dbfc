"""From the text of an entry to a bot."""

from __future__ import annotations

import hashlib
import multiprocessing
import pickle
import random
import sys
from collections.abc import Callable
from importlib import metadata
from pathlib import Path
from typing import Any

import pytest

from rummy_tourney.bot.builtin import builtins
from rummy_tourney.bot.loading import BotFactory, EntrySource, load_factory, resolve_entry
from rummy_tourney.errors import BotLoadError, ExitCode
from rummy_tourney.seeding import Stream, bot_random, bot_stream, root_from_seed

ROOT = root_from_seed("loading")
GOOD = "class Good:\n    def act(self, view):\n        return view\n"
Write = Callable[..., Path]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Writes a file and answers the folder."""

    def make(text: str, name: str = "bot.py") -> Path:
        file = tmp_path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        return tmp_path

    return make


def build(factory: BotFactory) -> Any:
    """A bot with the dice of its first instance in a match."""
    return factory(rng=lambda: bot_random(ROOT, "me", "match", 0), stream=lambda: bot_stream(ROOT, "me", "match", 0))


def load(folder: Path, text: str = "bot.py", options: dict[str, object] | None = None) -> Any:
    """A bot from the text of its entry."""
    return build(load_factory(resolve_entry(text, folder, "gin"), "gin", options))


def copy_through_pickle(value: object) -> object:
    """What arrives in another process."""
    return pickle.loads(pickle.dumps(value))  # noqa: S301 - our own bytes


def refusal(folder: Path, text: str = "bot.py", options: dict[str, object] | None = None) -> str:
    """What is said about an entry that cannot be used."""
    with pytest.raises(BotLoadError) as caught:
        load(folder, text, options)
    assert caught.value.exit_code is ExitCode.BOT_CANNOT_START
    return str(caught.value)


# --- finding -----------------------------------------------------------------------------------------------------------


def test_built_ins_are_known_by_name(tmp_path: Path) -> None:
    """What stands for the file's hash is the version of the package."""
    source = resolve_entry("greedy", tmp_path, "gin")
    version = f"rummy_tourney {metadata.version('rummy_tourney')}"
    assert source == EntrySource("builtin", "greedy", "greedy", "", version)
    assert type(load(tmp_path, "greedy")) is builtins("gin")["greedy"]


def test_every_built_in_can_be_made(tmp_path: Path) -> None:
    """With nothing but its dice."""
    for name in builtins("gin"):
        assert callable(load(tmp_path, name).act)


def test_a_file_is_known_by_its_bytes(write: Write) -> None:
    """The reference stays as written, the hash is SHA-256 of the file."""
    folder = write(GOOD, "bots/good.py")
    source = resolve_entry("bots/good.py", folder, "gin")
    assert (source.kind, source.reference, source.attribute) == ("file", "bots/good.py", "")
    assert source.file_hash == hashlib.sha256(GOOD.encode()).hexdigest()
    assert Path(source.target) == (folder / "bots" / "good.py").resolve()


def test_the_reference_never_holds_an_absolute_path(write: Write) -> None:
    """It is hashed, and has to be the same on every machine."""
    folder = write(GOOD, "bots/good.py")
    source = resolve_entry(f"{folder}/bots/good.py:Good", folder / "specs", "gin")
    assert source.reference == "../bots/good.py:Good"


def test_finding_a_bot_runs_nothing_of_it(write: Write) -> None:
    """A spec can be checked without running anybody's code; a syntax error is found all the same."""
    folder = write("raise SystemExit('I ran')\n")
    resolve_entry("bot.py", folder, "gin")
    assert "I ran" in refusal(folder)


def test_a_module_is_found_without_running_its_package(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only loading imports it."""
    folder = write("raise RuntimeError('imported')\n", "somepackage/__init__.py")
    write(GOOD, "somepackage/bots.py")
    monkeypatch.syspath_prepend(folder)
    source = resolve_entry("somepackage.bots:Good", folder, "gin")
    assert (source.kind, source.reference, source.target) == ("module", "somepackage.bots:Good", "somepackage.bots")
    assert source.file_hash == hashlib.sha256(GOOD.encode()).hexdigest()
    assert "imported" in refusal(folder, "somepackage.bots:Good")


def test_a_module_gives_its_class(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    """As from any installed package."""
    folder = write("", "otherpackage/__init__.py")
    write(GOOD, "otherpackage/bots.py")
    monkeypatch.syspath_prepend(folder)
    assert type(load(folder, "otherpackage.bots:Good")).__qualname__ == "Good"
    assert "there is no module otherpackage.nothing" in refusal(folder, "otherpackage.nothing:Good")
    assert 'there is no "Goof" in it; did you mean "Good"?' in refusal(folder, "otherpackage.bots:Goof")
    assert "there is no module otherpackage.bots.deeper" in refusal(folder, "otherpackage.bots.deeper:Good")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("greddy", "no bot called 'greddy' (did you mean 'greedy'?). Expected a built-in for gin"),
        ("qqq", "no bot called 'qqq'. Expected a built-in for gin"),
        ("", "no bot called ''"),
        ("good", "no bot called 'good'. Hint: for the file beside the spec write good.py"),
        ("my.bots", "no bot called 'my.bots'. Hint: for a class of a module write my.bots:Name"),
        ("../rusty/rusty", '"../rusty/rusty" is not a Python file (.py)'),
        ("god.py", 'Hint: did you mean "good.py"?'),
        ("nowhere/at/all.py", "there is no file nowhere/at/all.py"),
        ("dir.py", "dir.py is a folder"),
        ("a\0b.py", "is not a path"),
        ("x" * 5000 + ".py", "cannot be read"),
        ("sys:Bot", "module sys has no file of its own"),
        ("no.such.module:Bot", "there is no module no here"),
    ],
)
def test_entries_that_are_not_there(write: Write, text: str, message: str) -> None:
    """Each says what was looked for, and what is near."""
    folder = write(GOOD, "good.py")
    (folder / "dir.py").mkdir()
    assert message in refusal(folder, text)


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("class A:\n    def act(self, view:\n        pass\n", "bot.py:2: not valid Python: '(' was never closed"),
        ("a = 'x\0y'\n", "bot.py"),
        ("x = " + "(" * 500, "not valid Python"),
        ("x = " + "-" * 200_000 + "1", "not valid Python"),
    ],
)
def test_files_that_are_not_python(write: Write, source: str, message: str) -> None:
    """With the line; and the compiler's own limits are no way out."""
    assert message in refusal(write(source))


def test_a_file_in_another_encoding_says_so_in_its_first_line(tmp_path: Path) -> None:
    """As Python has it; without such a line it is UTF-8."""
    (tmp_path / "latin.py").write_bytes(b"# coding: latin-1\nname = '\xe9'\n" + GOOD.encode())
    (tmp_path / "broken.py").write_bytes(b"name = '\xe9'\n")
    assert callable(load(tmp_path, "latin.py").act)
    assert "broken.py:1: not valid Python" in refusal(tmp_path, "broken.py")


# --- which class -------------------------------------------------------------------------------------------------------


def test_the_only_class_with_act_is_the_bot(write: Write) -> None:
    """Helpers without it, hidden bases, imported classes and second names do not count."""
    folder = write(
        "from collections import OrderedDict\n"
        "class Helper:\n    pass\n"
        "class _Base:\n    def act(self, view):\n        return 'base'\n"
        "class Mine(_Base):\n    pass\n"
        "Alias = Mine\n"
        "def act(view):\n    return 'function'\n"
    )
    assert load(folder).act(None) == "base"


def test_a_bare_function_is_a_bot(write: Write) -> None:
    """When there is no class; every match has a bot of its own around it."""
    folder = write("def act(view):\n    return ('played', view)\n")
    factory = load_factory(resolve_entry("bot.py", folder, "gin"), "gin")
    assert build(factory).act(1) == ("played", 1)
    assert build(factory) is not build(factory)


def test_a_class_or_function_may_be_named(write: Write) -> None:
    """Even a hidden one, or a function that is not called act."""
    folder = write(GOOD + "class _Other(Good):\n    pass\ndef play(view):\n    return 'played'\n")
    assert type(load(folder, "bot.py:_Other")).__name__ == "_Other"
    assert load(folder, "bot.py:play").act(None) == "played"


@pytest.mark.parametrize(
    ("source", "text", "message"),
    [
        ("", "bot.py", "bot.py has no bot in it. Expected one class with a method act(self, view), or a function act(view)"),
        ("class A:\n    act = 3\n", "bot.py", "has no bot in it"),
        (GOOD + "class Better(Good):\n    pass\n", "bot.py",
         "bot.py has several classes with act(): Good, Better. Hint: name one, as in bot.py:Good"),
        (GOOD, "bot.py:Bad", 'bot.py:Bad: there is no "Bad" in it'),
        (GOOD, "bot.py:Goods", 'there is no "Goods" in it; did you mean "Good"?'),
        ("class A:\n    pass\n", "bot.py:A", "bot.py:A: the class has no method act(self, view)"),
        ("A = 3\n", "bot.py:A", "bot.py:A is neither a class nor a function"),
    ],
)  # fmt: skip
def test_files_without_one_clear_bot(write: Write, source: str, text: str, message: str) -> None:
    """Each says what to write instead."""
    assert message in refusal(write(source), text)


# --- running its module ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("x = 1\n1 / 0\n", "bot.py cannot be loaded: ZeroDivisionError: division by zero (line 2)"),
        ("import sys\nsys.exit(3)\n", "bot.py cannot be loaded: SystemExit: 3 (line 2)"),
        ("raise GeneratorExit\n", "bot.py cannot be loaded: GeneratorExit (line 1)"),
        ("import no_such_helper\n", "(line 1). Hint: a bot is one file; what it imports must be installed"),
        ("class E(Exception):\n    def __str__(self):\n        raise E\nraise E\n", "bot.py cannot be loaded: E (line 4)"),
        ("raise ValueError('x' * 10_000)\n", "ValueError: " + "x" * 300 + " (line 1)"),
    ],
)
def test_a_module_that_cannot_be_run(write: Write, source: str, message: str) -> None:
    """Whatever it raises, with the line of the bot's own file; nothing of it stays behind."""
    before = set(sys.modules)
    assert message in refusal(write(source))
    assert not [name for name in set(sys.modules) - before if name.startswith("rummy_bot_")]


def test_files_of_one_name_do_not_meet(write: Write) -> None:
    """Two students, two files called bot.py."""
    folder = write("NAME = 'ann'\ndef act(view):\n    return NAME\n", "ann/bot.py")
    write("NAME = 'bob'\ndef act(view):\n    return NAME\n", "bob/bot.py")
    bots = [load(folder, f"{name}/bot.py") for name in ("ann", "bob", "ann")]
    assert [bot.act(None) for bot in bots] == ["ann", "bob", "ann"]


def test_a_bot_file_cannot_import_its_neighbours(write: Write) -> None:
    """Its folder does not join the import path, neither for it nor for anybody else."""
    folder = write("import neighbour_of_the_bot\n" + GOOD)
    write("", "neighbour_of_the_bot.py")
    before = list(sys.path)
    assert "No module named 'neighbour_of_the_bot'" in refusal(folder)
    assert sys.path == before


def test_a_file_is_loaded_once_a_process(write: Write) -> None:
    """Its module level runs once, however many bots are made of it."""
    folder = write("RUNS = []\nRUNS.append(1)\nclass Bot:\n    def act(self, view):\n        return len(RUNS)\n")
    assert [load(folder).act(None) for _ in range(3)] == [1, 1, 1]


def test_dataclasses_work_in_a_bot_file(write: Write) -> None:
    """They look their module up by name; and its objects can be pickled."""
    folder = write(
        "from __future__ import annotations\nfrom dataclasses import dataclass, field\n"
        "@dataclass\nclass Bot:\n    seen: list[int] = field(default_factory=list)\n"
        "    def act(self, view):\n        return 1\n"
    )
    bot = load(folder)
    assert copy_through_pickle(bot) == bot


def test_a_file_that_has_changed_is_refused(write: Write) -> None:
    """What is run are the bytes whose hash was taken."""
    folder = write(GOOD)
    source = resolve_entry("bot.py", folder, "gin")
    write(GOOD + "# later\n")
    with pytest.raises(BotLoadError, match=r"bot\.py is not the file it was when this run began"):
        load_factory(source, "gin")


def test_syntax_warnings_of_a_bot_are_its_own_affair(write: Write) -> None:
    """Warnings are errors in this test run, so this would fail."""
    assert callable(load(write('x = "\\d" is "y"\n' + GOOD)).act)


# --- making bots -------------------------------------------------------------------------------------------------------

ASKING = """
class Bot:
    def __init__(self{parameters}):
        self.given = {{k: v for k, v in locals().items() if k in ("rng", "stream", "options", "more")}}
    def act(self, view):
        return None
"""


@pytest.mark.parametrize(
    ("parameters", "expected"),
    [
        ("", set()),
        (", *, rng", {"rng"}),
        (", stream", {"stream"}),
        (", *, options, rng", {"options", "rng"}),
        (", rng=None, depth=3", {"rng"}),
        (", *args, stream=None", {"stream"}),
    ],
)
def test_a_bot_is_given_the_keywords_it_takes(write: Write, parameters: str, expected: set[str]) -> None:
    """And nothing else; other parameters keep their defaults."""
    given = load(write(ASKING.format(parameters=parameters))).given
    assert set(given) == expected


def test_a_bot_that_takes_any_keyword_is_given_all(write: Write) -> None:
    """``**more`` takes all three."""
    assert set(load(write(ASKING.format(parameters=", **more"))).given["more"]) == {"rng", "stream", "options"}


@pytest.mark.parametrize("parameters", [", depth", ", *, rng, depth", ", rng, /"])
def test_a_bot_that_needs_more_is_refused(write: Write, parameters: str) -> None:
    """At once, not in the first match."""
    missing = "rng" if "/" in parameters else "depth"
    assert f"its __init__ needs {missing}, which nobody gives it" in refusal(write(ASKING.format(parameters=parameters)))


def test_dice_are_those_of_the_seed(write: Write) -> None:
    """A user's bot gets Python's generator, a built-in the stream; both as seeding.py has them."""
    given = load(write(ASKING.format(parameters=", rng, stream"))).given
    assert isinstance(given["rng"], random.Random)
    assert isinstance(given["stream"], Stream)
    assert given["rng"].random() == bot_random(ROOT, "me", "match", 0).random()
    assert given["stream"].below(1000) == bot_stream(ROOT, "me", "match", 0).below(1000)


def test_dice_that_nobody_wants_are_not_made(write: Write) -> None:
    """Making a generator costs more than making a bot."""
    factory = load_factory(resolve_entry("bot.py", write(GOOD), "gin"), "gin")

    def never() -> Any:
        raise AssertionError("nobody asked")

    assert callable(factory(rng=never, stream=never).act)


def test_every_bot_has_its_own_copy_of_the_options(write: Write) -> None:
    """What one match's bot does to them does not reach the next."""
    folder = write(
        "class Bot:\n    def __init__(self, options):\n        options['list'].append(1)\n"
        "        self.options = options\n    def act(self, view):\n        return None\n"
    )
    options: dict[str, object] = {"list": []}
    factory = load_factory(resolve_entry("bot.py", folder, "gin"), "gin", options)
    assert [build(factory).options for _ in range(2)] == [{"list": [1]}] * 2
    assert options == {"list": []}


def test_options_for_a_bot_that_takes_none_are_refused(write: Write) -> None:
    """Nobody would notice that they do nothing."""
    expected = "bot.py takes no options: its __init__ has no keyword options (got depth)"
    assert refusal(write(GOOD), options={"depth": 2}) == expected
    function = write("def act(view):\n    return None\n", "function.py")
    assert "takes no options" in refusal(function, "function.py", {"depth": 2})


RAISING = """
class Bot:
    def __init__(self):
        raise {error}
    def act(self, view):
        return None
"""


@pytest.mark.parametrize("error", ["ValueError('no')", "SystemExit(1)", "GeneratorExit()"])
def test_a_bot_that_cannot_be_made_says_why(write: Write, error: str) -> None:
    """The cause is what its class raised."""
    message = refusal(write(RAISING.format(error=error)))
    assert message.startswith(f"bot.py could not be started: {error.partition('(')[0]}")


def test_ctrl_c_is_not_the_bots_fault(write: Write) -> None:
    """Neither while its module runs nor while a bot is made."""
    with pytest.raises(KeyboardInterrupt):
        load(write("raise KeyboardInterrupt\n"))
    with pytest.raises(KeyboardInterrupt):
        load(write(RAISING.format(error="KeyboardInterrupt"), "made.py"), "made.py")


# --- other processes ---------------------------------------------------------------------------------------------------


def _play(source: EntrySource) -> object:
    """What a worker does with the value it was sent."""
    return build(load_factory(source, "gin")).act("view")


def test_an_entry_can_be_sent_to_a_worker(write: Write) -> None:
    """The source is a small value; the worker loads the bot again."""
    source = resolve_entry("bot.py", write(GOOD), "gin")
    assert copy_through_pickle(source) == source
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        assert pool.apply(_play, (source,)) == "view"

"""From the text of an entry to a bot: built-ins, Python files, installed modules.

============================  ===========================================================================
``steady``                    a built-in bot of the game's family
``../bots/counter.py``        a Python file: its only class with a method ``act``, or its function ``act(view)``
``../bots/pair.py:Alpha``     that class (or function) of the file
``package.module:Name``       a class or function of an installed module
============================  ===========================================================================

:func:`resolve_entry` finds an entry without running any of its code; :func:`load_factory` runs it. What lies between is an
:class:`EntrySource`, a small frozen value that can be sent to a worker and loaded again there.

A bot file is one file: its folder is not put on the import path. It is compiled from the very bytes whose hash was taken,
under a module name of its own, so that two files called ``bot.py`` never meet. Module-level state of a file lives as long
as the process that loaded it; what belongs to a match belongs into the object.
"""

from __future__ import annotations

import copy
import hashlib
import inspect
import os
import random
import re
import sys
import traceback
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module, metadata
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any, Final, TypeGuard

from rummy_tourney.bot.builtin import builtins
from rummy_tourney.errors import BotLoadError
from rummy_tourney.game.options import nearest, nearest_hint
from rummy_tourney.seeding import Stream

MAX_FILE: Final = 8 * 1024 * 1024
"""Bytes of the longest bot file."""
MAX_REASON: Final = 300
"""Characters quoted of an exception's own words."""

BUILTIN: Final = "builtin"
FILE: Final = "file"
MODULE: Final = "module"

_FILE_TEXT: Final = re.compile(r"(?P<path>.*\.py)(?::(?P<attribute>\w*))?", re.DOTALL)
_MODULE_TEXT: Final = re.compile(r"(?P<path>[^\W\d]\w*(?:\.[^\W\d]\w*)*):(?P<attribute>[^\W\d]\w*)")


@dataclass(frozen=True, slots=True)
class EntrySource:
    """Where a bot comes from.

    ``kind`` is ``builtin``, ``file`` or ``module``. ``reference`` is the text of the entry, a path in it relative to the folder
    of the spec. ``target`` is the built-in's name, the absolute path of the file, or the dotted name of the
    module; ``attribute`` the class or function in it, empty for the only one. ``file_hash`` is the SHA-256 of the
    file in hex; for a built-in the version of this package.
    """

    kind: str
    reference: str
    target: str
    attribute: str
    file_hash: str


# --- finding -----------------------------------------------------------------------------------------------------------


def resolve_entry(text: str, base_dir: Path, family: str) -> EntrySource:
    """What the entry ``text`` stands for; paths start from ``base_dir``.

    Runs nothing of the bot's: a file is read, hashed and compiled, a module is found. Raises
    :class:`~rummy_tourney.errors.BotLoadError` saying what is wrong and what to do.
    """
    file = _FILE_TEXT.fullmatch(text)
    if file is not None:
        return _resolve_file(file["path"], file["attribute"] or "", base_dir)
    if "/" in text or "\\" in text:
        raise BotLoadError(
            f'"{text}" is not a Python file (.py). Hint: programs in other languages come in a later version'
        )
    module = _MODULE_TEXT.fullmatch(text)
    if module is not None:
        path = _module_file(module["path"])
        return EntrySource(MODULE, text, module["path"], module["attribute"], hashlib.sha256(_read(path, text)).hexdigest())
    return _resolve_builtin(text, base_dir, family)


def _resolve_builtin(text: str, base_dir: Path, family: str) -> EntrySource:
    known = builtins(family)
    if text in known:
        return EntrySource(BUILTIN, text, text, "", f"rummy_tourney {package_version()}")
    if _is_file(base_dir / f"{text}.py"):
        raise BotLoadError(f"no bot called '{text}'. Hint: for the file beside the spec write {text}.py")
    if re.fullmatch(r"\w+(\.\w+)+", text):
        raise BotLoadError(f"no bot called '{text}'. Hint: for a class of a module write {text}:Name")
    near = nearest_hint(text, known).removeprefix("; ").replace('"', "'")
    guess = f" ({near})" if near else ""
    raise BotLoadError(
        f"no bot called '{text}'{guess}. Expected a built-in for {family} ({', '.join(known)}), "
        "a Python file (../bots/counter.py) or package.module:Name"
    )


def _resolve_file(path: str, attribute: str, base_dir: Path) -> EntrySource:
    reference = path
    try:
        if os.path.isabs(path):
            reference = Path(os.path.relpath(path, base_dir)).as_posix()
        target = os.path.realpath(base_dir / path)
    except (OSError, ValueError) as error:
        raise BotLoadError(f"{path!r} is not a path ({error})") from None
    raw = _read(Path(target), path)
    _compile(raw, path)
    if attribute:
        reference = f"{reference}:{attribute}"
    return EntrySource(FILE, reference, target, attribute, hashlib.sha256(raw).hexdigest())


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False


def _read(path: Path, shown: str) -> bytes:
    """The bytes of a bot file."""
    try:
        if path.is_dir():
            raise BotLoadError(f"{shown} is a folder. Hint: name a file in it, or write {shown}/*.py")
        if path.exists() and not path.is_file():
            raise BotLoadError(f"{shown} is not a file")
        with path.open("rb") as stream:
            raw = stream.read(MAX_FILE + 1)
    except FileNotFoundError:
        raise BotLoadError(f"there is no file {shown} (looked for {path}){_similar_file(path)}") from None
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise BotLoadError(f"{shown} cannot be read: {reason}") from None
    if len(raw) > MAX_FILE:
        raise BotLoadError(f"{shown} is too long for a bot file (more than {MAX_FILE // 1024 // 1024} MiB)")
    return raw


def _similar_file(path: Path) -> str:
    try:
        names = sorted(p.name for p in path.parent.iterdir() if p.suffix == ".py")
    except OSError:
        return ""
    hint = nearest_hint(path.name, names)
    return f". Hint: {hint[2:]}" if hint else ""


def _compile(raw: bytes, shown: str) -> CodeType:
    """The code of a bot file. Nothing runs."""
    try:
        with warnings.catch_warnings():
            # Doubtful escapes and comparisons are the author's affair; here they would be told once per worker.
            warnings.simplefilter("ignore", SyntaxWarning)
            warnings.simplefilter("ignore", DeprecationWarning)
            return compile(raw, shown, "exec", dont_inherit=True)
    except SyntaxError as error:
        raise BotLoadError(f"{shown}:{error.lineno or 1}: not valid Python: {error.msg}") from None
    except (RecursionError, MemoryError):
        raise BotLoadError(f"{shown}: not valid Python: something in it nests too deep for the compiler") from None
    except (ValueError, OverflowError) as error:
        raise BotLoadError(f"{shown}: not valid Python: {error}") from None


def _module_file(name: str) -> Path:
    """The file of a module, found without importing its packages."""
    search: Any = None
    full = ""
    spec = None
    for part in name.split("."):
        full = f"{full}.{part}" if full else part
        in_a_package = full == part or search is not None
        spec = next(filter(None, (finder.find_spec(full, search) for finder in sys.meta_path)), None) if in_a_package else None
        if spec is None:
            break
        search = spec.submodule_search_locations
    if spec is None:
        raise BotLoadError(f"there is no module {full} here. Hint: install it into this environment, or name a file")
    if spec.origin is None or not _is_file(Path(spec.origin)):
        raise BotLoadError(f"module {name} has no file of its own. Hint: name the module that holds the class")
    return Path(spec.origin)


@cache
def package_version() -> str:
    """The version of this package, as it was installed."""
    try:
        return metadata.version("rummy_tourney")
    except metadata.PackageNotFoundError:
        return "unknown"


# --- loading -----------------------------------------------------------------------------------------------------------


class BotFactory:
    """Makes a fresh bot of one entry for every match.

    Call it with makers of the entry's dice; the bot's class is given what its ``__init__`` has keywords for: ``rng`` (a
    :class:`random.Random`), ``stream`` (a :class:`~rummy_tourney.seeding.Stream`) and ``options`` (the entry's own, a
    copy for each bot). Raises :class:`~rummy_tourney.errors.BotLoadError` when the class does; the cause is what it raised.
    """

    def __init__(self, label: str, make: Callable[..., Any], options: Mapping[str, object]) -> None:
        self.label = label
        self._make = make
        self._options = dict(options)
        self._accepts = _accepted(label, make)
        if options and "options" not in self._accepts:
            raise BotLoadError(f"{label} takes no options: its __init__ has no keyword options (got {', '.join(options)})")

    def __call__(self, *, rng: Callable[[], random.Random], stream: Callable[[], Stream]) -> Any:
        """A fresh bot."""
        keywords: dict[str, object] = {}
        if "rng" in self._accepts:
            keywords["rng"] = rng()
        if "stream" in self._accepts:
            keywords["stream"] = stream()
        if "options" in self._accepts:
            keywords["options"] = copy.deepcopy(self._options)
        try:
            return self._make(**keywords)
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            raise BotLoadError(f"{self.label} could not be started: {_reason(error)}") from error


_KEYWORDS: Final = ("rng", "stream", "options")


def _accepted(label: str, make: Callable[..., Any]) -> frozenset[str]:
    """Which of our keywords a class takes; refuses one that needs anything else."""
    try:
        parameters = inspect.signature(make).parameters.values()
    except (TypeError, ValueError):
        return frozenset()
    needed = [
        p.name for p in parameters
        if p.default is p.empty and p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)
        and (p.name not in _KEYWORDS or p.kind is p.POSITIONAL_ONLY)
    ]  # fmt: skip
    if needed:
        raise BotLoadError(
            f"{label}: its __init__ needs {', '.join(needed)}, which nobody gives it. "
            f"Expected at most the keywords {', '.join(_KEYWORDS)}"
        )
    if any(p.kind is p.VAR_KEYWORD for p in parameters):
        return frozenset(_KEYWORDS)
    return frozenset(p.name for p in parameters if p.name in _KEYWORDS and p.kind is not p.POSITIONAL_ONLY)


class FunctionBot:
    """A bare function ``act(view)`` as a bot."""

    __slots__ = ("act",)

    def __init__(self, act: Callable[..., object]) -> None:
        self.act = act


def load_factory(source: EntrySource, family: str, options: Mapping[str, object] | None = None) -> BotFactory:
    """Load a bot and answer what makes fresh ones of it. Runs the module of the bot, once per process.

    Raises :class:`~rummy_tourney.errors.BotLoadError` if the file is not the one that was resolved, if its module cannot be
    run, or if it holds no bot (or several, and none is named).
    """
    return BotFactory(source.reference, _load(source, family), options or {})


@cache
def _load(source: EntrySource, family: str) -> Callable[..., Any]:
    """What makes bots of a source."""
    if source.kind == BUILTIN:
        found = builtins(family).get(source.target)
        if found is None:
            raise BotLoadError(f"no bot called '{source.target}' for {family}")
        return found
    module = _file_module(source) if source.kind == FILE else _imported(source)
    return _bot_in(module, source)


def _file_module(source: EntrySource) -> ModuleType:
    """Run a bot file as a module with a name that no other file has."""
    raw = _read(Path(source.target), source.reference)
    if hashlib.sha256(raw).hexdigest() != source.file_hash:
        raise BotLoadError(
            f"{source.reference} is not the file it was when this run began. Hint: put the old file back, or begin a new run"
        )
    code = _compile(raw, source.target)
    stem = re.sub(r"\W", "_", Path(source.target).stem)
    place = hashlib.sha256(os.fsencode(source.target)).hexdigest()[:12]
    name = f"rummy_bot_{stem}_{place}"
    module = ModuleType(name)
    module.__file__ = source.target
    sys.modules[name] = module  # dataclasses and pickle look a class up by the name of its module
    try:
        exec(code, module.__dict__)  # noqa: S102 - running the entry's file is what was asked for
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        del sys.modules[name]
        raise _cannot_load(source, error, source.target) from error
    return module


def _imported(source: EntrySource) -> ModuleType:
    path = _module_file(source.target)
    if hashlib.sha256(_read(path, source.target)).hexdigest() != source.file_hash:
        raise BotLoadError(f"module {source.target} is not what it was when this run began. Hint: begin a new run")
    try:
        return import_module(source.target)
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        raise _cannot_load(source, error, str(path)) from error


def _cannot_load(source: EntrySource, error: BaseException, path: str) -> BotLoadError:
    """What running the module of a bot raised, with the last line of its own that took part."""
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == path]
    line = f" (line {lines[-1]})" if lines else ""
    hint = ""
    if isinstance(error, ModuleNotFoundError) and source.kind == FILE:
        hint = ". Hint: a bot is one file; what it imports must be installed"
    return BotLoadError(f"{source.reference} cannot be loaded: {_reason(error)}{line}{hint}")


def _bot_in(module: ModuleType, source: EntrySource) -> Callable[..., Any]:
    """The class or function that plays: the one that is named, or the only one."""
    if source.attribute:
        return _named_bot(module, source)
    classes: dict[type[Any], str] = {}
    for name, value in vars(module).items():
        if not name.startswith("_") and _is_bot_class(value) and value.__module__ == module.__name__:
            classes.setdefault(value, name)
    if len(classes) > 1:
        names = list(classes.values())
        raise BotLoadError(
            f"{source.reference} has several classes with act(): {', '.join(names)}. "
            f"Hint: name one, as in {source.reference}:{names[0]}"
        )
    for only_one in classes:
        return only_one
    function = vars(module).get("act")
    if isinstance(function, FunctionType):
        return _function_maker(function)
    raise BotLoadError(f"{source.reference} has no bot in it. Expected one class with a method act(self, view), "
                       "or a function act(view)")  # fmt: skip


def _named_bot(module: ModuleType, source: EntrySource) -> Callable[..., Any]:
    found = vars(module).get(source.attribute)
    if _is_bot_class(found):
        return found
    if isinstance(found, FunctionType):
        return _function_maker(found)
    if isinstance(found, type):
        raise BotLoadError(f"{source.reference}: the class has no method act(self, view)")
    if found is not None:
        raise BotLoadError(f"{source.reference} is neither a class nor a function")
    bots = [name for name, value in vars(module).items() if _is_bot_class(value) or isinstance(value, FunctionType)]
    lowered = {name.lower(): name for name in bots}
    near = nearest(source.attribute, lowered)
    hint = f'; did you mean "{lowered[near]}"?' if near else ""
    raise BotLoadError(f'{source.reference}: there is no "{source.attribute}" in it{hint}')


def _is_bot_class(value: object) -> TypeGuard[type[Any]]:
    return isinstance(value, type) and callable(getattr(value, "act", None)) and not inspect.isabstract(value)


def _function_maker(function: Callable[..., object]) -> Callable[..., Any]:
    def make() -> FunctionBot:
        return FunctionBot(function)

    return make


def _reason(error: BaseException) -> str:
    """An exception in one line, bounded; an exception of a bot may do anything when it is looked at."""
    try:
        words = " ".join(str(error).split())[:MAX_REASON]
    except Exception:
        words = ""
    return f"{type(error).__name__}: {words}" if words else type(error).__name__


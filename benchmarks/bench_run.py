"""Whole commands: workers against one worker, checking, memory, start-up. Prints ratios of one run.

python benchmarks/bench_run.py [--deals 40000] [--rounds 3]
"""

from __future__ import annotations

import argparse
import os
import re
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tabulate import tabulate

SPEC = """
tourney: 1
name: bench
game: gin
format: {{kind: match, match: {{deals: {deals}, mirrored: true}}}}
players: [greedy, {{name: greedy 2, bot: greedy}}]
seed: 1
"""


def tourney(*arguments: object) -> list[str]:
    """The command line of a tourney command."""
    return [sys.executable, "-m", "rummy_tourney", *map(str, arguments)]


def timed(command: list[str]) -> tuple[float, float]:
    """Wall seconds and CPU seconds (children included) of a command."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    began = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    wall = time.perf_counter() - began
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def parent_memory(command: list[str]) -> float:
    """Highest resident memory of the parent process of a command, in MiB (Linux)."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    highest = 0
    while process.poll() is None:
        try:
            status = Path(f"/proc/{process.pid}/status").read_text()
        except OSError:
            break
        found = re.search(r"VmHWM:\s+(\d+)", status)
        highest = max(highest, int(found.group(1)) if found else 0)
        time.sleep(0.02)
    return highest / 1024


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--deals", type=int, default=40_000)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        place = Path(name)
        spec = place / "bench.yaml"
        spec.write_text(SPEC.format(deals=options.deals))
        small = place / "small.yaml"
        small.write_text(SPEC.format(deals=options.deals // 10))
        walls: dict[str, list[float]] = {}
        for number in range(options.rounds):
            for workers in (1, 2):
                out = place / f"run-{number}-{workers}"
                walls.setdefault(f"run -j {workers}", []).append(timed(tourney("run", spec, "--out", out, "-j", workers))[0])
            done = place / f"run-{number}-1"
            walls.setdefault("verify", []).append(timed(tourney("verify", done))[1])
            walls.setdefault("replay", []).append(timed(tourney("replay", done))[1])
            walls.setdefault("bare interpreter", []).append(timed([sys.executable, "-c", "pass"])[0])
            walls.setdefault("tourney --help", []).append(timed(tourney("--help"))[0])
        median = {what: statistics.median(found) for what, found in walls.items()}
        memory = [parent_memory(tourney("run", s, "--out", place / f"m-{k}", "-j", 2)) for k, s in enumerate((small, spec))]
        rows = [
            ["run, one worker", f"{options.deals / median['run -j 1']:.0f} deals/s", ""],
            ["run, two workers", f"{options.deals / median['run -j 2']:.0f} deals/s",
             f"{median['run -j 1'] / median['run -j 2']:.2f} x one worker"],
            ["verify", f"{options.deals / median['verify']:.0f} deals per CPU second", ""],
            ["replay", f"{options.deals / median['replay']:.0f} deals per CPU second", ""],
            ["tourney --help", f"{median['tourney --help'] * 1000:.0f} ms",
             f"{median['tourney --help'] / median['bare interpreter']:.1f} x a bare interpreter"],
            ["parent, a tenth of the deals", f"{memory[0]:.0f} MiB", ""],
            ["parent, all deals", f"{memory[1]:.0f} MiB", f"{memory[1] / memory[0]:.2f} x a tenth of the deals"],
        ]  # fmt: skip
        print(f"{options.deals} gin deals, greedy against itself, {os.cpu_count()} processors, medians of {options.rounds}")
        print(tabulate(rows, disable_numparse=True))


if __name__ == "__main__":
    main()

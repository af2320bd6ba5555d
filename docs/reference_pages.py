"""Writes the reference of the command line, of options and of C++, from the sources."""

from __future__ import annotations

import math
import re
import subprocess
import textwrap
from pathlib import Path

from bkernn._input.options import TABLE, Option

# The headers in the order in which they explain the method; one that is missing here is an error.
CHAPTERS = {
    "The whole": ["bkernn"],
    "The method": ["fit", "fit_input", "fit_result", "kernel", "loss", "penalty"],
    "Choosing": ["options", "option_table", "cross_validate", "folds", "row_split", "theory"],
    "What comes out": ["model", "report", "metrics", "io", "export"],
    "How sure": ["intervals", "stability"],
    "Tables with words and gaps": ["columns"],
    "Around it": ["observer", "distributed", "row_shard", "baselines", "simulate", "threads"],
    "At the bottom": [
        *("distinct_rows", "segment_finder", "sorted_particle", "types", "error", "version"),
    ],
}


def write(docs: Path, tool: str) -> None:
    """Write command_line.md, options.md and cpp.md in docs/generated."""
    generated = docs / "generated"
    generated.mkdir(exist_ok=True)
    (generated / "command_line.md").write_text(command_line(tool))
    (generated / "options.md").write_text(options())
    (generated / "cpp.md").write_text(cpp_headers(docs.parent / "include" / "bkernn"))


def command_line(tool: str) -> str:
    """Return the page of the command line: what the tool says of itself."""
    overview = _help(tool)
    commands = re.findall(r"^  ([a-z]+) {2,}\S", overview.partition("Commands:")[2], re.M)
    if not commands:
        raise ValueError(f"{tool} --help lists no commands")
    page = ["# Command line", "", "What `bkernn --help` and the help of each command say.", ""]
    page += ["```text", overview, "```", ""]
    for command in commands:
        page += [f"## bkernn {command}", "", "```text", _help(tool, command), "```", ""]
    return "\n".join(page)


def options() -> str:
    """Return the page of the options of a fit: the table of the library."""
    page = [
        "# Options",
        "",
        "All that can be chosen about a fit. The names are those of `FitOptions` in C++, of model",
        "files and of Python; on the command line they have dashes: `--max-iter`. Python says",
        "`random_state` for the seed and `n_jobs` for the threads.",
        "",
    ]
    for group in dict.fromkeys(option.group for option in TABLE):
        page += [
            f"## {group}",
            "",
            "| option | values | default | what it is |",
            "|---|---|---|---|",
        ]
        for option in TABLE:
            if option.group == group:
                default = option.zero if option.default == 0 and option.zero else option.default
                shown = "none" if default is None else f"`{default}`"
                page.append(f"| `{option.name}` | {_values(option)} | {shown} | {option.help} |")
        page.append("")
    return "\n".join(page)


def _values(option: Option) -> str:
    """Return which values an option may have."""
    if option.kind == "text":
        return ", ".join(f"`{choice}`" for choice in option.choices)
    if option.kind in ("flag", "matrix"):
        return {"flag": "`True`, `False`", "matrix": "a matrix"}[option.kind]
    least = f"{'>' if option.least_excluded else '≥'} {option.least:.15g}"
    most = f", {'<' if option.most_excluded else '≤'} {option.most:.15g}"
    zero = f"; 0 is `{option.zero}`" if option.zero else ""
    return f"{option.kind} {least}{most if math.isfinite(option.most) else ''}{zero}"


def cpp_headers(include: Path) -> str:
    """Return the page of the C++ interface: the headers, which carry the mathematics."""
    listed = [name for names in CHAPTERS.values() for name in names]
    found = {path.stem for path in include.glob("*.hpp")}
    if found != set(listed):
        raise ValueError(f"headers and CHAPTERS differ: {found ^ set(listed)}")
    page = [
        "# C++",
        "",
        "`#include <bkernn/bkernn.hpp>` takes them all. They are meant to be read, in this order.",
        "",
    ]
    for chapter, names in CHAPTERS.items():
        page += [f"## {chapter}", ""]
        for name in names:
            page += [f"### {name}.hpp", ""]
            page += [f"```{{literalinclude}} ../../include/bkernn/{name}.hpp", ":language: cpp"]
            page += ["```", ""]
    return "\n".join(page)


def _help(tool: str, *command: str) -> str:
    shown = subprocess.run([tool, *command, "--help"], capture_output=True, text=True, check=True)
    return "\n".join(map(_wrapped, shown.stdout.rstrip().splitlines()))


def _wrapped(line: str) -> str:
    """Continue a long line under its second column, if it has two."""
    indent = " " * (30 if re.match(r" {30}|  \S.* {2,}\S", line) else 6)
    whole = {"break_long_words": False, "break_on_hyphens": False}
    return textwrap.fill(line, 84, subsequent_indent=indent, **whole) if len(line) > 84 else line

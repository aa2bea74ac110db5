#!/usr/bin/env python3
"""The parts of documents that programs know: lists of commands, programs and operations.

generated.py check BINARY_DIR     exit code 1 where a document differs from what the programs of BINARY_DIR/bin print
generated.py update BINARY_DIR    writes these parts anew

A part is between the lines `<!-- begin NAME -->` and `<!-- end -->`; PARTS has a function for each NAME.
"""
import os
import re
import subprocess
import sys

SOURCE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
DOCUMENTS = ("docs/reference/commands.md", "docs/reference/operation-list.md")
PROGRAMS = ("pingpong", "collectives", "paths", "protocol", "settings", "rma", "threads", "startup", "io", "noise", "halo", "cannon",
            "guidelines", "self-test", "algorithms")


def printed(bin_dir, *command):
    environment = os.environ | {"COLUMNS": "100", "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
    result = subprocess.run([os.path.join(bin_dir, command[0]), *command[1:]], text=True, check=True, capture_output=True,
                            stdin=subprocess.DEVNULL, env=environment)
    return result.stdout


def table(headings, rows):
    lines = [headings, ["---"] * len(headings), *rows]
    return "".join(f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in line)} |\n" for line in lines)


def subcommands(bin_dir):
    """The list of `hockney --help`, whose sentences may go over several lines."""
    listed = re.search(r"\nSubcommands:\n((  .*\n)+)", printed(bin_dir, "hockney", "--help"))[1]
    rows = re.findall(r"^  (\S+) +(.*(?:\n {10,}.*)*)", listed, re.MULTILINE)
    return table(["command", "purpose"], [[f"`hockney {name}`", " ".join(text.split())] for name, text in rows])


def programs(bin_dir):
    """The first line of each program's help."""
    rows = [[f"`hockney-{name}`", printed(bin_dir, f"hockney-{name}", "--help").partition("\nUsage:")[0]] for name in PROGRAMS]
    return table(["program", "measures"], [[name, " ".join(text.split())] for name, text in rows])


def operations_of(bin_dir, program):
    """{name: {"time of": ..., "bytes of": ..., "bandwidth": ...}} as `--list` prints it."""
    operations, facts = {}, {}
    for line in printed(bin_dir, program, "--list").splitlines():
        fact = re.match(r"    ([a-z ]+): +(.*)", line)
        if fact:
            facts[fact[1]] = fact[2]
        else:
            facts = operations[line.strip()] = {}
    return operations


def operations(bin_dir):
    """Those of all programs, those of threads and of noise after the others; without mock-ups of guidelines."""
    text, seen = "", set()
    for program, title in (("collectives", "Messages, collectives, one-sided calls, files, start-up"),
                           ("threads", "By threads"), ("noise", "Without messages")):
        listed = {name: facts for name, facts in operations_of(bin_dir, f"hockney-{program}").items() if name not in seen}
        seen |= set(listed)
        text += f"## {title}\n\n" + table(["operation", "one sample is the time of", "bandwidth counts"], [
            [f"`{name}`", facts.get("time of", ""), facts.get("bandwidth", "")] for name, facts in sorted(listed.items())]) + "\n"
    return text.rstrip("\n") + "\n"


PARTS = {"subcommands": subcommands, "programs": programs, "operations": operations}


def main(action, binary_dir):
    bin_dir, differing = os.path.join(os.path.abspath(binary_dir), "bin"), []
    for document in DOCUMENTS:
        path = os.path.join(SOURCE, document)
        with open(path, encoding="utf-8") as file:
            before = file.read()
        after = re.sub(r"(<!-- begin (\w+) -->\n).*?(<!-- end -->)",
                       lambda found: f"{found[1]}\n{PARTS[found[2]](bin_dir)}\n{found[3]}", before, flags=re.DOTALL)
        if after != before:
            differing.append(document)
            if action == "update":
                with open(path, "w", encoding="utf-8") as file:
                    file.write(after)
    for document in differing:
        print(f"{document}: {'written' if action == 'update' else 'differs from the programs; write it by tests/docs/generated.py update'}")
    return 1 if differing and action != "update" else 0


if __name__ == "__main__":
    if len(sys.argv) != 3 or sys.argv[1] not in ("check", "update"):
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))

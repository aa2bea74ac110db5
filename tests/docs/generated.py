#!/usr/bin/env python3
"""What programs and the schema of records know of documents: lists of commands, programs, operations and keys of records.

generated.py check BINARY_DIR     exit code 1 where a document differs from what the programs of BINARY_DIR/bin print
generated.py update BINARY_DIR    writes them anew

A part is between the lines `<!-- begin NAME -->` and `<!-- end -->`; PARTS has a function for each NAME.
"""
import json
import os
import re
import subprocess
import sys

SOURCE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
DOCUMENTS = ("docs/reference/commands.md", "docs/reference/operation-list.md", "docs/reference/record-and-csv.md")
RECORD_SCHEMA = "results/hockney.record-2.schema.json"
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


def type_of(schema):
    """"integer or null", "array of numbers"."""
    if "enum" in schema:
        return " or ".join("null" if word is None else f"`{word}`" for word in schema["enum"])
    if "const" in schema:
        return f"`{schema['const']}`"
    types = [schema["type"]] if isinstance(schema["type"], str) else list(schema["type"])
    items = schema.get("items", {})
    while types[0] == "array" and "items" in items:
        items = items["items"]
    if types[0] == "array" and items.get("type") != "object":
        types[0] = f"array of {items['type']}s"
    return " or ".join(types)


def keys_below(schema, path=""):
    """(path, schema) of every key. The keys of a point are listed once."""
    for name, member in schema.get("properties", {}).items():
        yield path + name, member
        inner, below = member, path + name
        while "items" in inner:
            inner, below = inner["items"], below + "[]"
        if below != "points[].point":
            yield from keys_below(inner, below + ".")


def linked(text):
    return re.sub(r"docs/([a-z-]+/([a-z-]+)\.md)", r"[\2](../\1)", text)


def record_keys(_):
    with open(os.path.join(SOURCE, RECORD_SCHEMA), encoding="utf-8") as file:
        schema = json.load(file)
    return table(["key", "value", "meaning"], [[f"`{path}`", type_of(member), linked(member.get("description", ""))]
                                               for path, member in keys_below(schema)])


PARTS = {"subcommands": subcommands, "programs": programs, "operations": operations, "record_keys": record_keys}


def with_parts(before, bin_dir):
    return re.sub(r"(<!-- begin (\w+) -->\n).*?(<!-- end -->)",
                  lambda found: f"{found[1]}\n{PARTS[found[2]](bin_dir)}\n{found[3]}", before, flags=re.DOTALL)


def main(action, binary_dir):
    bin_dir, differing = os.path.join(os.path.abspath(binary_dir), "bin"), []
    for document in DOCUMENTS:
        path = os.path.join(SOURCE, document)
        with open(path, encoding="utf-8") as file:
            before = file.read()
        after = with_parts(before, bin_dir)
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

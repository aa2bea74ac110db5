"""What build_cost reads: caches of CMake, records of compilers, dependencies, logs of CTest; its tables, and its reference source."""
import collections
import os
import pathlib
import re
import shlex

REFERENCE = (pathlib.Path(__file__).resolve().parent / "reference_source.cpp").read_text()


def cache_of(text):
    """{name: (type, value)} of a CMakeCache.txt."""
    return {name: (kind, value) for name, kind, value in re.findall(r'^"?([^#/"\s][^:"\n]*)"?:([A-Z]+)=(.*)$', text, re.MULTILINE)}


def priced(rows, key, unit=None, group=None):
    """The rows, or their sums by group, by falling cost, with the share of all and multiples of a unit."""
    rows = list(rows)
    if group:
        lists = {row[group]: [other[key] for other in rows if other[group] == row[group]] for row in rows}
        rows = [{key: sum(values), "count": len(values), group: name} for name, values in lists.items()]
    total = sum(row[key] for row in rows) or 1
    rows = [{key: row[key], "share": row[key] / total, **({"references": row[key] / unit} if unit else {}), **row} for row in rows]
    return sorted(rows, key=lambda row: -row[key])


def lines_of(rows, top):
    """A table: numbers to the right, texts behind them."""
    def text(name, value):
        return f"{100 * value:.1f} %" if name == "share" else f"{value:.3f}" if isinstance(value, float) else str(value)

    cells = [[name.replace("_", " ") for name in rows[0]], *([text(*item) for item in row.items()] for row in rows[:top])]
    columns = [(max(map(len, column)), "<" if isinstance(value, str) else ">") for column, value in zip(zip(*cells), rows[0].values())]
    yield from ("  ".join(f"{word:{side}{width}}" for word, (width, side) in zip(line, columns)).rstrip() for line in cells)
    if len(rows) > top:
        yield f"... and {len(rows) - top} more (--top {len(rows)})"


def target_in(words):
    found = re.search(r"CMakeFiles/([^/ ]+)\.dir/", " ".join(words))
    return found[1] if found else "-"


def rows_of(records, build):
    """A row for each object and each link. Names begin with the folder of a build within the build."""
    for folder, command, seconds, _ in records:
        if "/CMakeFiles/" in f"{folder}/" or "-o" not in command:
            continue  # CMake tries the compiler
        root = folder
        while root != build and not os.path.exists(f"{root}/CMakeCache.txt"):
            root = os.path.dirname(root)
        output = os.path.relpath(os.path.join(folder, command[command.index("-o") + 1]), build)
        is_object = "-c" in command
        target = target_in([output] if is_object else command)  # flags of an object may name another target: its precompiled header
        yield {"cpu_seconds": seconds, "kind": "object" if is_object else "link",
               "target": os.path.normpath(os.path.join(os.path.relpath(root, build), target)),
               "name": re.sub(r"CMakeFiles/[^/]+\.dir/|\.o$", "", output)}


def deps_of(text):
    """{object: files it was made of} of `ninja -t deps`."""
    found = re.findall(r"^(\S.*): #deps \d+, deps mtime \d+ \(VALID\)\n((?: .*\n?)*)", text, re.MULTILINE)
    return {name: [line.strip() for line in files.splitlines()] for name, files in found}


def plain(command):
    """The compiler with its flags alone: no precompiled headers, no input, no output."""
    words = shlex.split(command)
    values = {number + 1 for number, word in enumerate(words) if word in ("-o", "-c", "-include", "-MT", "-MF")}
    left_out = values | {number - 1 for number in values} | {number for number, word in enumerate(words) if word in ("-Winvalid-pch", "-MD")}
    return [*(word for number, word in enumerate(words) if number not in left_out), "-w"]


def includes_of(text):
    """Names of headers, but those of the standard library."""
    return [name for name in re.findall(r'^\s*#\s*include\s*[<"]([^>"]+)', text, re.MULTILINE) if re.search("[./]", name)]


def readers_of(read, source, build):
    """{(name, line that includes it): numbers of the compilations that read it}, of our headers and of others that our files include."""
    readers, others = collections.defaultdict(set), {}
    for number, files in enumerate(read):
        for path in files:
            if not path.startswith(source + "/") or path.startswith(build + "/") or not os.path.isfile(path):
                continue  # of others, made by the build, or removed since ninja wrote its records
            if not re.search(r"\.(c|cc|cpp|cu)$", path):
                readers[os.path.relpath(path, source), f'#include "{path}"\n'].add(number)
            if path not in others:
                others[path] = [name for name in includes_of(pathlib.Path(path).read_text(encoding="utf-8", errors="replace"))
                                if not any(os.path.exists(os.path.join(place, name)) for place in (source, os.path.dirname(path)))]
            for name in others[path]:
                readers[name, f"#include <{name}>\n"].add(number)
    return readers


def times_of(text):
    """{test: wall seconds} of a LastTest.log."""
    found, name = {}, ""
    for begun, seconds in re.findall(r"^\d+/\d+ Testing: (.+)$|^<end of output>\nTest time = +([0-9.]+) sec$", text, re.MULTILINE):
        name = begun or name
        if seconds:
            found[name] = float(seconds)
    return found


def self_test():
    """Texts as CMake, Ninja, compilers and CTest write them, with what must be read from them."""
    assert cache_of('//Kind\nA:STRING=a=b:c\n# no\n"B D":BOOL=\n') == {"A": ("STRING", "a=b:c"), "B D": ("BOOL", "")}
    rows = list(rows_of([["/b", ["c++", "-include", "CMakeFiles/p.dir/p.hxx", "-o", "core/CMakeFiles/one.dir/a.cpp.o", "-c", "a.cpp"], 1.5, 0.1],
                         ["/b", ["c++", "core/CMakeFiles/two.dir/m.cpp.o", "-o", "bin/two"], 0.5, 0.1],
                         ["/b/CMakeFiles/tried", ["c++", "-o", "x.o", "-c", "x.c"], 9, 0], ["/b", ["c++", "--version"], 9, 0]], "/b"))
    assert [tuple(row.values()) for row in rows] == [(1.5, "object", "one", "core/a.cpp"), (0.5, "link", "two", "bin/two")]
    assert [tuple(row.values()) for row in priced(rows, "cpu_seconds", 0.5, "target")] == [(1.5, 0.75, 3, 1, "one"), (0.5, 0.25, 1, 1, "two")]
    assert list(lines_of(priced([{"x_seconds": 1.0, "name": "a"}, {"x_seconds": 3.0, "name": "bc"}], "x_seconds"), 1)) == [
        "x seconds   share  name", "    3.000  75.0 %  bc", "... and 1 more (--top 2)"]
    assert deps_of("a.o: #deps 2, deps mtime 5 (VALID)\n    ../a.cpp\n    /x.h\n\nb.o: #deps 1, deps mtime 5 (STALE)\n    ../b.cpp\n\n"
                   "c.o: #deps 1, deps mtime 5 (VALID)\n    ../c.cpp\n") == {"a.o": ["../a.cpp", "/x.h"], "c.o": ["../c.cpp"]}
    assert plain("c++ -DA=\\\"b\\\" -I/s -Winvalid-pch -include /p.hxx -std=c++20 -o a.o -c /s/a.cpp") == ["c++", '-DA="b"', "-I/s", "-std=c++20", "-w"]
    assert includes_of('#include <map>\n # include <fmt/format.h>\n// #include "no.hpp"\n#include "core/a.hpp"  // x\n') == ["fmt/format.h", "core/a.hpp"]
    assert times_of("1/2 Testing: a/b c\n1/2 Test: a/b c\nTest time = 9 sec\n<end of output>\nTest time =   0.25 sec\n-\n2/2 Testing: d\n"
                    "<end of output>\nTest time = 12.00 sec\n") == {"a/b c": 0.25, "d": 12}
    print("build_cost reads and counts as it should")

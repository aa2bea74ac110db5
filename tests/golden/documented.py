"""Holds docs/reference/json-documents.md to the documents that commands of hockney print and write.

A heading `hockney.NAME/N` begins the section of a document. In tables `| key | meaning |` the first cells name its keys,
in tables `| key of X | meaning |` those of its object X. `a[]` is a list, `a{}` an object whose keys are data, `a?` a key
that may be missing. Where a meaning begins with a link to a section of the page, the object has the keys of that section,
without those that the meaning names in backquotes.
"""
import json
import re

PAGE = "json-documents.md"
ELSEWHERE = {  # schemas whose keys are not on the page, and where they are
    "hockney.record/1": "record-and-csv.md, under Versions",
    "hockney.record/2": "record-and-csv.md, where the program itself writes them",
    "hockney.sites/1": "place-ranks.md, as users write it",
    "hockney.campaign/1": "config-keys.md, as users write it",
    "hockney.manifest/1": "driver/campaign/manifest.hpp: the state of a campaign, which only hockney run reads",
}
SUMMARY = [("summary?", "[the first screen](#the-first-screen)")]  # in every document that a command prints
REPLACED = re.compile(r'("\w+": ?)(?:NOW|DURATION)\b')  # values by RULES of `check`
SCHEMA = re.compile(r'"schema": ?"hockney\.')
CODE = re.compile(r"`([^`]+)`")


def join(path, key):
    return f"{path}.{key}" if path else key


def is_document(value):
    return isinstance(value, dict) and str(value.get("schema")).startswith("hockney.")


def unpacked(value):
    """Rows that a page has as {$keys, $same, $rows}, as objects again."""
    if isinstance(value, list):
        return [unpacked(one) for one in value]
    if not isinstance(value, dict):
        return value
    if "$rows" in value:
        return [{**value["$same"], **dict(zip(value["$keys"], map(unpacked, row)))} for row in value["$rows"]]
    return {key: unpacked(one) for key, one in value.items()}


def documents(text):
    """All in a text. Each begins a line or is inside of another one. ValueError if one of them cannot be read."""
    def inside(value):
        parts = value.values() if isinstance(value, dict) else value if isinstance(value, list) else []
        return [value] * is_document(value) + [one for part in parts for one in inside(part)]

    found, end = [], 0
    text = REPLACED.sub(r"\1null", text)
    for begin in re.finditer(r"^[{\[]", text, re.MULTILINE):
        if begin.start() >= end:
            try:
                value, end = json.JSONDecoder().raw_decode(text, begin.start())
            except json.JSONDecodeError:
                continue
            found += inside(unpacked(value))
    if len(found) != len(SCHEMA.findall(text)):
        raise ValueError(f"{len(SCHEMA.findall(text)) - len(found)} documents cannot be read")
    return found


def objects(value, named, path=""):
    """(path, keys) of every object of a document, but not those of other documents in it."""
    if isinstance(value, list):
        for one in value:
            yield from objects(one, named, path + "[]")
    elif isinstance(value, dict) and path + "{}" in named:
        for one in value.values():
            yield from objects(one, named, path + "{}")
    elif isinstance(value, dict) and not (path and is_document(value)):
        yield path, set(value)
        for key, one in value.items():
            yield from objects(one, named, join(path, key))


def named_keys(page):
    """{schema: {path of a key: whether each object has it}}. The parts of a path are named too."""
    sections, rows, below = {}, [], []
    for line in page.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if line.startswith("#"):
            rows = sections[line.strip("# ")] = []
        if not line.startswith("|"):
            below = []
        elif cells[0].startswith("key") and cells[1] == "meaning":
            below = CODE.findall(cells[0]) or [""]
        elif below:
            rows += [(join(path, key), cells[1]) for path in below for key in CODE.findall(cells[0])]
    of_anchor = {re.sub(r"[^\w-]", "", title.lower().replace(" ", "-")): rows for title, rows in sections.items()}

    def keys_of(rows):
        for key, meaning in rows:
            yield key.rstrip("?"), not key.endswith("?")
            if link := re.match(r"\[[^]]*\]\(#([^)]*)\)", meaning):
                for inner, always in keys_of(of_anchor[link[1]]):
                    if re.match(r"\w+", inner)[0] not in CODE.findall(meaning):
                        yield join(key.rstrip("?"), inner), always

    named = {title: {"schema": True} for title in sections if title.startswith("hockney.")}
    for title, known in named.items():
        for key, always in keys_of(sections[title] + SUMMARY):
            for end in re.finditer(r"\.|\[\]|\{\}|$", key):
                known.setdefault(key[:end.start()], False)
            known[re.sub(r"(\[\]|\{\})+$", "", key)] = always
    return named


def complaints(text, named):
    """Lines: keys of the documents in a text that the page does not name, and named keys that they lack."""
    try:
        found = [one for one in documents(text) if one["schema"] not in ELSEWHERE]
    except ValueError as error:
        return [str(error)]
    lines = {f"{PAGE} has no section {one['schema']}" for one in found if one["schema"] not in named}
    for document in found:
        schema, known = document["schema"], named.get(document["schema"], {})
        for path, keys in objects(document, known) if known else []:
            there = {join(path, key) for key in keys}
            due = {key for key, always in known.items() if always and key.rpartition(".")[0] == path}
            lines |= {f"{PAGE}: {schema} has no key {key}" for key in there - set(known)}
            lines |= {f"{PAGE}: {schema} has a key {key}, which a document lacks" for key in due - there}
    return sorted(lines)


def self_test(page, text):
    """A key that the page loses, and keys that a document gets and loses, are found. `text` has a document of hockney.fit/1."""
    def found(text, page):
        return complaints(text, named_keys(page))

    key, lines = "fits[].max_relative_error", f"{PAGE}: hockney.fit/1 has "
    assert found(text, page) == [], "the page lacks keys: " + "; ".join(found(text, page))
    assert found(text, page.replace("`max_relative_error`", "", 1)) == [lines + "no key " + key], "a lost key of the page"
    assert found(text.replace('"max_relative_error"', '"new"'), page) == [
        lines + f"a key {key}, which a document lacks", lines + "no key fits[].new"], "a new key of a document"
    assert found(text.replace('"fits"', "fits", 1), page) == ["1 documents cannot be read"], "a damaged document"
    assert found(text.replace("hockney.fit/1", "hockney.new/1"), page) == [f"{PAGE} has no section hockney.new/1"], "a new document"

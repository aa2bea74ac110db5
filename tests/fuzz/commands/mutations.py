"""Damage for files of any kind: bytes, lines, words and, of JSON, XML and SQLite, the values in them.

Each function takes the content of a file as bytes and a random.Random, and returns other content. The same state of the
generator gives the same content.
"""

import json
import os
import re
import sqlite3
import struct
import tempfile

NUMBERS = ["-1", "0", "1", "-0.0", "0.5", "1.5", "2", "3", "1e300", "-1e300", "1e308", "1e999", "1e-300", "1e18", "9e15", "-9e15",
           "1e6", "1e9", "1e12", "1000000", "2147483647", "2147483648", "-2147483648", "4294967295", "4294967296",
           "9007199254740993", "9223372036854775807", "9223372036854775808", "-9223372036854775808", "18446744073709551615",
           "18446744073709551616", "1" + "0" * 40, "-" + "9" * 400]
# Of them those that fit the type of most keys, but no measurement.
NONSENSE = ["-1", "1e300", "1e308", "1e18", "9e15", "2147483647", "9223372036854775807", "1e-300", "1e9", "0"]
NO_NUMBERS = ["NaN", "Infinity", "-Infinity", "0x10", "01", "+1", "1.", ".5", "1e", "1,5", "nan", "inf"]
FACTORS = [-1, 1e-9, 1e-6, 1e-3, 0.5, 2, 10, 1e3, 1e6, 1e9, 1e12]
LONG = 100_000
MOST = 2 << 20  # that a repetition adds [B]
DEEP = 10_000
TEXTS = [b'""', b'"' + b"x" * LONG + b'"', b'"\\u0000"', b'"\\u001b[31m\\u0007\\u007f\\u009b"', b'"a\\nb\\tc\\r"', b'"\\ud800"',
         b'"\xff\xfe\xc3"', '"\u202e\u2066\u200b\u2028"'.encode(), b'"../../../etc/passwd"', b'"/dev/full"', b'"%s%n%x"', b'"=1+1"',
         b'"nan"', b'"inf"', b'"-1"', b'"1e300"', b'"0"', b'"9223372036854775808"', b'","', b'" "', b'"a;b|c\'d"', b'"<a href=x>&amp;"',
         b'"9999-12-31T23:59:59Z"', b'"0000-01-01T00:00:00Z"', b'"2026-02-30T03:00:00Z"', b'"2026-11-22T25:61:61Z"',
         b'"2036-01-01T00:00:00Z"', b'"1969-12-31T23:59:59Z"', b'"2026-11-22"', b'"default"', b'"none"', b'"all"', b'"*"', b'"n[0-999999]"']
OTHERS = [b"null", b"true", b"false", b"[]", b"{}", b"[null]", b"[[]]", b'{"":0}', b'[0,1,2,3]', b'{"a":[1,{"b":2}]}']
DAMAGED_WORDS = [b"", b"-", b"nan", b"inf", b"-1", b"0", b"1e300", b"1e-300", b"9223372036854775808", b"0x12", b"1,20", b"*", b"'", b'"',
                 b"\0", b"\xff\xfe", b"\x1b[31m", b"x" * LONG, b"%s", b"#", b"=", b":", b"[0-99999999]", b"\r\n", b"\t"]


class Raw:
    """Text that stands in a JSON document as it is, whether JSON or not."""

    def __init__(self, text):
        self.text = text.encode() if isinstance(text, str) else text


# ---- JSON ------------------------------------------------------------------------------------------------------------

def places(node, parent=None, key=None):
    """(holder, key) of every value in a document but its root."""
    if parent is not None:
        yield parent, key
    children = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
    for name, child in list(children):
        yield from places(child, node, name)


def damaged_number(value, draw):
    way = draw.random()
    if way < 0.55:
        return Raw(draw.choice(NUMBERS))
    if way < 0.85:
        changed = value * draw.choice(FACTORS)
        return int(changed) if isinstance(value, int) and changed == int(changed) else changed
    return draw.choice([Raw(draw.choice(NO_NUMBERS)), str(value), value + 1, value - 1, Raw(draw.choice(OTHERS)), [value]])


def damaged_text(value, draw):
    way = draw.random()
    if way < 0.6:
        return Raw(draw.choice(TEXTS))
    if way < 0.75:
        return Raw(draw.choice(NUMBERS + NO_NUMBERS))
    if way < 0.85:
        return value + draw.choice(["x", " ", "-1", "\n", "\u001b[0m", "\u202e", ";", ":", ",", "/.."])
    return draw.choice([value[: len(value) // 2], value[::-1], value.upper(), value * 50, Raw(draw.choice(OTHERS)), [value]])


def damaged_list(value, draw):
    shuffled = draw.sample(value, len(value))
    return draw.choice([[], value + value, value[::-1], shuffled, value[1:], value[:-1], value[:1] * max(2, len(value)), value[:1] * min(3000, MOST // (1 + len(repr(value[:1])))),
                        value + [None], [value], Raw(draw.choice(OTHERS)), Raw(draw.choice(TEXTS)), dict(enumerate(map(str, value)))])


def damaged_object(value, draw):
    keys = list(value)
    changed = dict(value)
    way = draw.randrange(7)
    if way == 0 or not keys:
        return Raw(draw.choice(OTHERS + TEXTS))
    key = draw.choice(keys)
    if way in (1, 2):
        del changed[key]
    elif way == 3:
        changed[Key(key)] = draw.choice([value[key], None, -1, "again"])
    elif way == 4:
        changed[draw.choice(["", "unknown", "x" * LONG, "\u001b[31m", "\ud800", str(key) + " "])] = value[key]
    elif way == 5:
        changed[draw.choice([key.upper(), key + "x", key[:-1]])] = changed.pop(key)
    else:
        return list(value.values())
    return changed


class Key(str):
    """A key of its own, though another one of the same object is spelt alike."""

    def __hash__(self):
        return id(self)

    def __eq__(self, other):
        return self is other


def damaged_value(value, draw):
    if draw.random() < 0.01:
        return Raw(draw.choice(["[" * DEEP + "]" * DEEP, '{"a":' * DEEP + "0" + "}" * DEEP, "[" * DEEP, "[0" + ",0" * 300_000 + "]"]))
    if isinstance(value, Raw):
        return value
    if isinstance(value, bool) or value is None:
        return Raw(draw.choice(OTHERS + [text.encode() for text in NUMBERS] + TEXTS))
    if isinstance(value, (int, float)):
        return damaged_number(value, draw)
    if isinstance(value, str):
        return damaged_text(value, draw)
    return damaged_list(value, draw) if isinstance(value, list) else damaged_object(value, draw)


def damage_document(document, draw):
    """Changes values of a document in place: one, a few, or all under the same key in the same way. Returns the document."""
    holder = {"": document}
    everywhere = draw.random() < 0.2
    only_numbers = draw.random() < 0.35
    for _ in range(1 if everywhere or draw.random() < 0.75 else draw.randint(2, 5)):
        all_places = list(places(holder))
        # A key is drawn first, so that long lists of samples do not take every turn.
        by_key = {}
        for parent, key in all_places:
            is_number = isinstance(parent[key], (int, float)) and not isinstance(parent[key], bool)
            if is_number or not only_numbers:
                by_key.setdefault(key if isinstance(key, str) else "[]", []).append((parent, key))
        if not by_key:
            break
        name = draw.choice(sorted(by_key))
        parent, key = draw.choice(by_key[name])
        parent[key] = Raw(draw.choice(NONSENSE)) if only_numbers else damaged_value(parent[key], draw)
        if everywhere and name not in ("", "[]") and not isinstance(parent[key], (dict, list)):
            for other, same in by_key[name]:
                other[same] = parent[key]
    return holder[""]


def json_text(document):
    """As bytes, with every Raw as it is and every Key once more."""
    raws = []

    def plain(node):
        if isinstance(node, Raw):
            raws.append(node.text)
            return f"@raw{len(raws) - 1}@"
        if isinstance(node, dict):
            members = {}
            for key, value in node.items():
                name = key
                if isinstance(key, Key):
                    raws.append(json.dumps(str(key)).encode())
                    name = f"@raw{len(raws) - 1}@"
                members[name] = plain(value)
            return members
        return [plain(child) for child in node] if isinstance(node, list) else node

    text = json.dumps(plain(document)).encode()
    return re.sub(rb'"@raw(\d+)@"', lambda found: raws[int(found[1])], text)


def damage_json(content, draw):
    if draw.random() < 0.15:
        return damage_text(content, draw)
    return json_text(damage_document(json.loads(content), draw))


def damage_json_lines(content, draw):
    lines = content.splitlines()
    if draw.random() < 0.3:
        return damage_text(content, draw)
    # Lines of each kind (by their keys) in turn, since most lines are of one kind. The last line may be cut.
    kinds = {}
    for index, line in enumerate(lines):
        try:
            kinds.setdefault(tuple(sorted(json.loads(line))), []).append(index)
        except ValueError:
            pass
    index = draw.choice(kinds[draw.choice(sorted(kinds))])
    lines[index] = json_text(damage_document(json.loads(lines[index]), draw))
    return b"\n".join(lines) + b"\n"


# ---- CBOR ------------------------------------------------------------------------------------------------------------

def cbor_head(major, number):
    if number < 24:
        return bytes([major << 5 | number])
    for code, size in ((24, 1), (25, 2), (26, 4), (27, 8)):
        if number < 1 << 8 * size:
            return bytes([major << 5 | code]) + number.to_bytes(size, "big")
    raise OverflowError(number)


def cbor(node):
    if isinstance(node, Raw):
        try:
            return cbor(json.loads(node.text))
        except (ValueError, OverflowError, RecursionError):
            return node.text[:1000]
    if node is None or isinstance(node, bool):
        return {None: b"\xf6", True: b"\xf5", False: b"\xf4"}[node]
    if isinstance(node, int):
        if -(1 << 64) <= node < 1 << 64:
            return cbor_head(0, node) if node >= 0 else cbor_head(1, -1 - node)
        node = float(node) if abs(node) < 10**300 else float("inf")
    if isinstance(node, float):
        return b"\xfb" + struct.pack(">d", node)
    if isinstance(node, str):
        text = node.encode("utf-8", "surrogatepass")
        return cbor_head(3, len(text)) + text
    if isinstance(node, dict):
        return cbor_head(5, len(node)) + b"".join(cbor(str(key)) + cbor(value) for key, value in node.items())
    return cbor_head(4, len(node)) + b"".join(map(cbor, node))


def damage_cbor(content, draw):
    """Of a document in JSON, which is written as CBOR."""
    document = json.loads(content)
    if draw.random() < 0.3:
        return damage_bytes(cbor(document), draw)
    return cbor(damage_document(document, draw))


# ---- text, bytes, XML ------------------------------------------------------------------------------------------------

def damage_bytes(content, draw):
    data = bytearray(content)
    for _ in range(draw.choice([1, 1, 1, 2, 4, 16])):
        if not data:
            return draw.randbytes(draw.choice([0, 1, 8, 100]))
        at = draw.randrange(len(data))
        until = min(len(data), at + draw.choice([1, 2, 4, 8, 64, 1000]))
        way = draw.randrange(8)
        if way == 0:
            data[at] ^= 1 << draw.randrange(8)
        elif way == 1:
            data[at] = draw.choice([0, 10, 34, 92, 127, 128, 255])
        elif way == 2:
            del data[at:until]
        elif way == 3:
            data[at:at] = draw.randbytes(draw.choice([1, 4, 64]))
        elif way == 4:
            data[at:at] = data[at:until] * draw.choice([1, 2, 100])
        elif way == 5:
            del data[at:]
        elif way == 6:
            word = draw.choice([0, 1, -1, 2**31 - 1, -2**31, 2**63 - 1, -2**63, 2**32, 1 << 20, struct.unpack("<q", struct.pack(
                "<d", draw.choice([1e300, float("nan"), float("inf"), -1.0])))[0]])
            place = at - at % 8
            data[place:place + 8] = struct.pack("<q", word)
        else:
            data[at:until] = draw.randbytes(until - at)
    return bytes(data)


def damage_lines(content, draw):
    lines = content.split(b"\n")
    at, other = draw.randrange(len(lines)), draw.randrange(len(lines))
    way = draw.randrange(8)
    if way == 0:
        del lines[at]
    elif way == 1:
        lines.insert(other, lines[at])
    elif way == 2:
        lines[at], lines[other] = lines[other], lines[at]
    elif way == 3:
        draw.shuffle(lines)
    elif way == 4:
        lines[at] *= 2
    elif way == 5:
        lines[at] = lines[at][: draw.randrange(len(lines[at]) + 1)]
    elif way == 6:
        lines[at:at] = [lines[at]] * min(2000, MOST // (len(lines[at]) + 1) + 1)
    else:
        lines[at] += b" " + lines[other]
    return b"\n".join(lines)


def damage_words(content, draw):
    """Words and numbers of a text, each by another one or by nonsense."""
    words = list(re.finditer(rb"[-+]?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?|[\w.]+|[^\w\s]+", content))
    if not words:
        return damage_bytes(content, draw)
    word = draw.choice(words)
    other = draw.choice(words)[0]
    numbers = [text.encode() for text in NUMBERS + NO_NUMBERS]
    new = draw.choice(numbers if word[0][:1].isdigit() and draw.random() < 0.7 else DAMAGED_WORDS + [other, other, word[0] * 2])
    return content[: word.start()] + new + content[word.end():]


def damage_text(content, draw):
    way = draw.random()
    if way < 0.02:
        return draw.choice([b"", b"\n", b"\0", b"\xef\xbb\xbf" + content, content.replace(b"\n", b"\r\n"), content.replace(b"\n", b"\r"),
                            content + b"\0", content * 3, b"x" * LONG, content.decode("latin-1").encode("utf-16")])
    ways = [damage_words] * 5 + [damage_lines] * 3 + [damage_bytes] * 2
    for _ in range(1 if draw.random() < 0.75 else draw.randint(2, 5)):
        content = draw.choice(ways)(content, draw)
    return content


def damage_xml(content, draw):
    attributes = list(re.finditer(rb'="([^"]*)"', content))
    elements = list(re.finditer(rb"<[^<>]*>", content))
    way = draw.random()
    if way < 0.5 and attributes:
        value = draw.choice(attributes)
        new = draw.choice([text.encode() for text in NUMBERS] + DAMAGED_WORDS + [b"0x0", b"0x" + b"f" * 200, b"&lt;", b"&#0;", b"&nosuch;"])
        return content[: value.start(1)] + new.replace(b'"', b"") + content[value.end(1):]
    if way < 0.7 and elements:
        element = draw.choice(elements)
        new = draw.choice([b"", element[0] * 2, element[0] * 3000, draw.choice(elements)[0], b"<!-- " + element[0] + b" -->", b"<![CDATA[x]]>"])
        return content[: element.start()] + new + content[element.end():]
    return damage_text(content, draw)


# ---- SQLite ----------------------------------------------------------------------------------------------------------

def damage_rows(connection, draw):
    tables = [name for (name,) in connection.execute("select name from sqlite_master where type = 'table' order by name")
              if not name.startswith("sqlite_")]
    filled = [name for name in tables if connection.execute(f'select 1 from "{name}" limit 1').fetchone()]
    table = draw.choice(filled or tables)
    columns = [row[1] for row in connection.execute(f'pragma table_info("{table}")')]
    column = draw.choice(columns)
    way = draw.randrange(12)
    if way == 0:
        connection.execute(f"pragma user_version = {draw.choice([-1, 0, 1, 2, 99, 2**31 - 1])}")
    elif way == 1:
        connection.execute(f'drop table "{table}"')
    elif way == 2:
        connection.execute(f'delete from "{table}"')
    elif way == 3:
        connection.execute(f'alter table "{table}" rename column "{column}" to x')
    else:
        count = connection.execute(f'select count(*) from "{table}"').fetchone()[0]
        values = [-1, 0, 2**31, 2**63 - 1, -2**63, 1e300, -1e300, 1e-300, float("inf"), 0.5, None, "", "nan", "1e300", "x" * LONG,
                  b"\xff\xfe", "\u001b[31m\u202e", "9999-12-31", 10**9, 3_000_000, -800_000]
        # By its value, since not every table has row numbers.
        some = f' where "{column}" is (select "{column}" from "{table}" limit 1 offset {draw.randrange(max(1, count))})'
        where = "" if way < 6 else some
        value = draw.choice(values)
        if draw.random() < 0.2:
            connection.execute(f'update "{table}" set "{column}" = "{column}" * {draw.choice(FACTORS)!r}{where}')
        else:
            connection.execute(f'update "{table}" set "{column}" = ?{where}', (value,))


def damage_sqlite(content, draw):
    if draw.random() < 0.25:
        return damage_bytes(content, draw)
    with tempfile.NamedTemporaryFile(suffix=".sqlite") as file:
        file.write(content)
        file.flush()
        connection = sqlite3.connect(file.name, isolation_level=None)
        try:
            for pragma in ("ignore_check_constraints = 1", "foreign_keys = 0", "journal_mode = memory", "synchronous = 0"):
                connection.execute(f"pragma {pragma}")
            damage_rows(connection, draw)
        except (sqlite3.Error, OverflowError):
            return damage_bytes(content, draw)
        finally:
            connection.close()
            for trace in (file.name + "-journal", file.name + "-wal", file.name + "-shm"):
                if os.path.exists(trace):
                    os.unlink(trace)
        with open(file.name, "rb") as changed:
            return changed.read()


def values_in(content):
    """Of a history, all values as text; of another or a broken file its content."""
    if not content.startswith(b"SQLite format 3"):
        return content
    with tempfile.NamedTemporaryFile(suffix=".sqlite") as file:
        file.write(content)
        file.flush()
        connection = sqlite3.connect(f"file:{file.name}?immutable=1", uri=True)
        try:
            tables = [name for (name,) in connection.execute("select name from sqlite_master where type = 'table'")]
            return "\n".join(str(row) for name in tables for row in connection.execute(f'select * from "{name}"')).encode("utf-8", "replace")
        except (sqlite3.Error, UnicodeDecodeError):
            return content
        finally:
            connection.close()


DAMAGE = {"json": damage_json, "jsonl": damage_json_lines, "cbor": damage_cbor, "text": damage_text, "xml": damage_xml,
          "bytes": damage_bytes, "sqlite": damage_sqlite}

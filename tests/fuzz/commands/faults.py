"""What is wrong with how a command ended, and with what it printed and wrote."""

import dataclasses
import json
import re

ENDS = {0, 1, 2, 3, 4}  # core/error.hpp
TOOK = {0, 1, 4}        # a command that took its input
MOST_OUTPUT = 8 << 20   # [B]
MOST_MEMORY = 2 << 20   # [KiB]
LONGEST_LINE = 2000     # of a message [letters]
DIGITS = 15             # more before the point are no number that anybody measured
WRITES_DOCUMENT = {"--json"}
WRITTEN_FOR_BROWSERS = (".html",)
LONGEST_NUMBER = 24     # that repeats one of the input in another spelling, 1e+300 for 1e300 [letters]
SAID_AFTER_OUTPUT = ("no curve could be fitted",)  # the table says why of each
LIMITS = {str(sign * (2**bits) + offset) for bits in (31, 32, 63, 64) for sign in (-1, 1) for offset in (-1, 0)}

NUMBER = re.compile(r"(?<![\w.-])[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?(?!\w|-\w)")
NO_NUMBER = re.compile(r"(?<![\w./'-])[-+]?(?:inf|infinity|nan)(?![\w'/-])", re.IGNORECASE)
PERCENT = re.compile(r"(?<![\w.])(\d[\d.]*(?:e[-+]?\d+)?) ?%")
NEGATIVE_TIME = re.compile(r"(?<![\w.,-])-\d[\d.]*(?:e[-+]?\d+)? ?(?:ns|us|µs|ms|s|min|h)\b")
NEGATIVE_KEY = re.compile(r'"(\w*seconds)": (-[\d.e+-]+)')
KEY_OF_CHANGE = re.compile(r"differ|change|low|offset|skew|shift|error|intercept|delta")
SHARE_KEY = re.compile(r'"(\w*(?:fraction|share|efficiency)\w*)": ([\d.e+]+)')
SHARE_WORDS = re.compile(r"comput|communicat|efficien|balance|MPI\b|of the time|recording|disturbed|waiting|of pairs|of visits|of the calls|within|"
                         r"agree|files|path\b|busy|idle|transfer|serial")
EXCEPTION_TEXT = re.compile(r"unexpected failure|please report|terminate called|std::|basic_string|vector::|map::at|\bstoi\b|\bstod\b|"
                            r"bad_alloc|json\.exception|Assertion|Sanitizer|segfault", re.IGNORECASE)
CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\u200b\u2028\u2029]")


@dataclasses.dataclass
class Outcome:
    """How a command ended. `texts` is what it printed and wrote: stdout, stderr and files by name."""

    code: int  # negative: the signal
    seconds: float = 0  # of processors
    is_late: bool = False  # ended by us
    memory: int = 0  # at most [KiB]
    sizes: dict = dataclasses.field(default_factory=dict)
    texts: dict = dataclasses.field(default_factory=dict)  # bytes by name
    left: list = dataclasses.field(default_factory=list)  # files that it should have removed


@dataclasses.dataclass(frozen=True)
class Fault:
    kind: str
    words: str


def decoded(content):
    return content.decode("utf-8", "replace")


def values_of(text):
    """The magnitudes of the numbers in a text."""
    return {abs(float(word)) for word in set(NUMBER.findall(text))}


class Given:
    """Numbers and words that a command may repeat: those of its input."""

    def __init__(self, content):
        self.text = decoded(content) if len(content) < 2 << 20 else ""
        self.values = values_of(self.text)
        self.long = tuple(set(re.findall(r"\d{10,}", self.text)))

    def has(self, word):
        digits = word.lstrip("-+")  # also the beginning of a host's name: n9223372036854775808[001-002]
        is_repeated = digits in self.text or digits.startswith(self.long)
        return is_repeated or (len(digits) <= LONGEST_NUMBER and abs(float(word)) in self.values)

    def has_word(self, word):
        return word.lower() in self.text.lower()


def excerpt(text, found):
    begin = text.rfind("\n", 0, found.start()) + 1
    end = text.find("\n", found.end())
    line = text[begin: len(text) if end < 0 else end]
    at = found.start() - begin
    return line[max(0, at - 70): at + 90].strip()


def is_too_large(word):
    if re.search(r"[eE]\+?0*(1[5-9]|[2-9]\d|\d{3,})$", word):
        return True
    return "e" not in word.lower() and len(word.lstrip("-+").split(".")[0].lstrip("0")) >= DIGITS


def absurd_numbers(text, usual, given):
    """Numbers of a text that no measurement has, that neither the output of the undamaged input nor the damaged input has."""
    for found in NO_NUMBER.finditer(text):
        if found[0] not in usual and not given.has_word(found[0].lstrip("-+")):
            yield Fault("inf or nan", excerpt(text, found))
    for found in NUMBER.finditer(text):
        word = found[0]
        if len(word) < 10 and "e" not in word and "E" not in word:
            continue
        if word in usual or given.has(word):
            continue
        if word.lstrip("+") in LIMITS:
            yield Fault("limit of an integer", excerpt(text, found))
        elif is_too_large(word):
            yield Fault("number of 15 digits", excerpt(text, found))
    for found in PERCENT.finditer(text):
        try:
            share = float(found[1])
        except ValueError:
            continue
        line = excerpt(text, found)
        if share > 100.5 and found[0] not in usual and SHARE_WORDS.search(line):
            yield Fault("share above 100 %", line)
    for found in NEGATIVE_TIME.finditer(text):
        if found[0] not in usual and not given.has(NUMBER.match(found[0])[0]):
            yield Fault("negative time", excerpt(text, found))
    for found in NEGATIVE_KEY.finditer(text):
        if found[0] not in usual and not given.has(found[2]) and not KEY_OF_CHANGE.search(found[1]):
            yield Fault("negative time", excerpt(text, found))
    for found in SHARE_KEY.finditer(text):
        try:
            share = float(found[2])
        except ValueError:
            continue
        if share > 1.0001 and found[0] not in usual and not given.has(found[2]):
            yield Fault("share above 1", excerpt(text, found))


def usual_words(text):
    """What absurd_numbers looks for, in the output of a command of undamaged input."""
    patterns = (NO_NUMBER, NUMBER, PERCENT, NEGATIVE_TIME, NEGATIVE_KEY, SHARE_KEY)
    return {found[0] for pattern in patterns for found in pattern.finditer(text)}


def refuse_constant(word):
    raise ValueError(f"{word} in a document")


def check_document(text):
    try:
        json.loads(text, parse_constant=refuse_constant)
    except (ValueError, RecursionError) as error:
        return [Fault("no JSON", str(error)[:200])]
    return []


def check_texts(name, content):
    """Whatever the exit code: no control characters and nothing but UTF-8 reaches a terminal."""
    faults = []
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError as error:
        return [Fault("no UTF-8", f"{name}: {error}")]
    found = CONTROL.search(text)
    if found and name in ("stdout", "stderr"):
        faults.append(Fault("control character", f"{name}: {found[0]!r} in {excerpt(text, found)!r}"))
    return faults


def check_message(outcome):
    """One line on stderr alone says why input is refused: <problem> (<why>) <suggestion>."""
    said = decoded(outcome.texts.get("stderr", b""))
    lines = said.splitlines()
    if len(lines) != 1 or not said.endswith("\n"):
        return [Fault("exit 2 without one line", f"{len(lines)} lines: {said[:300]}")]
    if outcome.sizes.get("stdout", 0) > 0 and not said.startswith(SAID_AFTER_OUTPUT):
        return [Fault("exit 2 with output", decoded(outcome.texts["stdout"])[:200])]
    if not re.search(r"\S \(.{2,}\)", said):
        return [Fault("message without a reason", said[:300])]
    return []


def check_end(outcome):
    faults = []
    if outcome.code < 0:
        faults.append(Fault("killed by us: too late" if outcome.is_late else f"signal {-outcome.code}", f"after {outcome.seconds:.1f} s"))
    elif outcome.code not in ENDS:
        faults.append(Fault(f"exit code {outcome.code}", decoded(outcome.texts.get("stderr", b""))[:300]))
    elif outcome.is_late:
        faults.append(Fault("too late", f"{outcome.seconds:.1f} s of a processor"))
    if outcome.memory > MOST_MEMORY:
        faults.append(Fault("memory", f"{outcome.memory >> 10} MiB"))
    for name, size in outcome.sizes.items():
        if size > MOST_OUTPUT:
            faults.append(Fault("output", f"{name}: {size >> 20} MiB"))
    if outcome.left:
        faults.append(Fault("left over", " ".join(outcome.left)[:300]))
    said = decoded(outcome.texts.get("stderr", b""))
    found = EXCEPTION_TEXT.search(said)
    if found:
        faults.append(Fault("unexpected failure", excerpt(said, found)))
    longest = max(map(len, said.splitlines()), default=0)
    if longest > LONGEST_LINE:
        faults.append(Fault("long line", f"{longest} letters: {said[:80]}"))
    return faults


def faults_of(outcome, words, given, usual, is_document):
    """All faults of a run, each kind once. `words` is the command line, `usual` what usual_words found, by name of text."""
    faults = check_end(outcome)
    for name, content in outcome.texts.items():
        faults += check_texts(name, content)
    if outcome.code == 2:
        faults += check_message(outcome)
    if outcome.code in TOOK:
        if is_document:
            faults += check_document(decoded(outcome.texts.get("stdout", b"")))
        for name, content in outcome.texts.items():
            faults += absurd_numbers(decoded(content), usual.get(name, set()), given)
    first = {}
    for fault in faults:
        first.setdefault(fault.kind, fault)
    return list(first.values())

#!/usr/bin/env python3
"""links.py: every link of a *.md file of this repository leads to a file, and to a heading of it where it names one."""
import os
import re
import sys

SOURCE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)\)")


def text_of(path):
    """Without fenced and indented blocks and without code in backquotes, in which brackets are no links."""
    with open(path, encoding="utf-8") as file:
        text = re.sub(r"^```.*?^```", "", file.read(), flags=re.DOTALL | re.MULTILINE)
    return re.sub(r"`[^`]*`", "", re.sub(r"^    .*$", "", text, flags=re.MULTILINE))


def anchors(path):
    """Those that GitHub and MkDocs make of headings."""
    with open(path, encoding="utf-8") as file:
        text = re.sub(r"^```.*?^```", "", file.read(), flags=re.DOTALL | re.MULTILINE)
    found = set()
    for heading in re.findall(r"^#+ (.*)$", text, re.MULTILINE):
        plain = re.sub(r"[^\w\- ]", "", heading.lower())
        found.add(plain.strip().replace(" ", "-"))
    return found


def main():
    documents, bad = [], []
    for folder, folders, names in os.walk(SOURCE):
        folders[:] = [name for name in folders if not name.startswith(".") and name not in ("build", "node_modules")]
        documents += [os.path.join(folder, name) for name in sorted(names) if name.endswith(".md")]
    for document in documents:
        for link in LINK.findall(text_of(document)):
            if re.match(r"[a-z]+:", link):
                continue
            name, _, heading = link.partition("#")
            target = os.path.normpath(os.path.join(os.path.dirname(document), name)) if name else document
            if not os.path.exists(target):
                bad.append(f"{os.path.relpath(document, SOURCE)}: {link}: no such file")
            elif heading and heading not in anchors(target):
                bad.append(f"{os.path.relpath(document, SOURCE)}: {link}: no such heading")
    print("\n".join(bad) or f"{len(documents)} documents, all links lead somewhere")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())

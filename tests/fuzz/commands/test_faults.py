#!/usr/bin/env python3
"""What counts as a fault, tried on made-up outcomes; and that damage is the same each time."""

import json
import os
import pathlib
import random
import sys
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import faults  # noqa: E402
import mutations  # noqa: E402
import readers  # noqa: E402
import seeds  # noqa: E402


def kinds(code, stdout="", stderr="", given="", usual="", is_document=False, **more):
    texts = {"stdout": stdout.encode() if isinstance(stdout, str) else stdout, "stderr": stderr.encode()}
    outcome = faults.Outcome(code=code, texts=texts, sizes={name: len(text) for name, text in texts.items()}, **more)
    words = {"stdout": faults.usual_words(usual)}
    return [fault.kind for fault in faults.faults_of(outcome, [], faults.Given(given.encode()), words, is_document)]


GOOD = "bad size 'x' (no number) write it like 8\n"


class Faults(unittest.TestCase):
    def test_good_ends_are_none(self):
        self.assertEqual(kinds(0, "pingpong 1.2 us, 12 % computing, -3.1 % (-4 .. -2)\n"), [])
        self.assertEqual(kinds(1, "slower\n"), [])
        self.assertEqual(kinds(2, "", GOOD), [])
        self.assertEqual(kinds(3, "partly\n", "no launch completed (all failed) see the logs\n"), [])

    def test_ends(self):
        self.assertEqual(kinds(-11), ["signal 11"])
        self.assertEqual(kinds(-9, is_late=True), ["killed by us: too late"])
        self.assertEqual(kinds(0, seconds=11, is_late=True), ["too late"])
        self.assertEqual(kinds(139), ["exit code 139"])
        self.assertEqual(kinds(0, memory=3 << 20), ["memory"])
        self.assertEqual(kinds(0, left=["a.tmp.1"]), ["left over"])
        self.assertEqual(kinds(3, "", "unexpected failure (map::at) please report it\n"), ["unexpected failure"])

    def test_messages(self):
        self.assertEqual(kinds(2), ["exit 2 without one line"])
        self.assertEqual(kinds(2, "", GOOD + GOOD), ["exit 2 without one line"])
        self.assertEqual(kinds(2, "answer\n", GOOD), ["exit 2 with output"])
        self.assertEqual(kinds(2, "", "bad\n"), ["message without a reason"])
        self.assertEqual(kinds(2, "", "bad '" + "x" * 3000 + "' (no number) so\n"), ["long line"])
        self.assertEqual(kinds(2, "", "bad '\x1b[31m' (no number) so\n"), ["control character"])
        self.assertEqual(kinds(0, b"\xff\n"), ["no UTF-8"])

    def test_absurd_numbers(self):
        self.assertEqual(kinds(0, "took inf % of the time\n"), ["inf or nan"])
        self.assertEqual(kinds(0, '{"a": NaN}', is_document=True), ["no JSON", "inf or nan"])
        self.assertEqual(kinds(0, "4803839602528528887709696 %\n"), ["number of 15 digits"])
        self.assertEqual(kinds(0, "1e+300 s\n"), ["number of 15 digits"])
        self.assertEqual(kinds(0, "1 launch in -9223372036854775808 s\n"), ["limit of an integer", "negative time"])
        self.assertEqual(kinds(0, "efficiency 7870 %\n"), ["share above 100 %"])
        self.assertEqual(kinds(0, '{"wait_share": 3}'), ["share above 1"])
        self.assertEqual(kinds(0, "latency -3 us\n"), ["negative time"])
        self.assertEqual(kinds(0, f"{1e300:f} faults\n", given="1e300"), ["number of 15 digits"])
        self.assertEqual(kinds(0, '{"median_seconds": -1e-06}'), ["negative time"])

    def test_what_the_input_or_the_usual_output_has_is_none(self):
        self.assertEqual(kinds(0, "note inf\n", given="inf"), [])
        self.assertEqual(kinds(0, "seed 9223372036854775807\n", given='{"seed": 9223372036854775807}'), [])
        self.assertEqual(kinds(0, "1e+18 B\n", given="1e18"), [])
        self.assertEqual(kinds(0, "efficiency 110 %\n", usual="efficiency 110 %\n"), [])
        self.assertEqual(kinds(0, "info nano 1-inf.txt nonce-021e9614-8d9f 6e97aa1d \"9e522064-5401\"\n"), [])
        self.assertEqual(kinds(2, "", "bad value 123456789012345678 (too large) take another\n"), [])


class Damage(unittest.TestCase):
    SAMPLES = {"json": "documents/record.json", "cbor": "documents/record.json", "jsonl": "documents/launch.json.journal", "xml": "topologies/hybrid.xml",
               "text": "network/ib-two-rails.txt", "bytes": "documents/record.cbor"}

    def test_damage_is_the_same_again_and_seldom_none(self):
        for kind, name in self.SAMPLES.items():
            content = pathlib.Path(seeds.SOURCE, "tests/fixtures", name).read_bytes()
            changed = 0
            for index in range(200):
                one = mutations.DAMAGE[kind](content, random.Random(f"1/{index}"))
                self.assertEqual(one, mutations.DAMAGE[kind](content, random.Random(f"1/{index}")))
                changed += one != content
            self.assertGreater(changed, 180, kind)

    def test_most_damaged_documents_are_still_json(self):
        content = pathlib.Path(seeds.SOURCE, "tests/fixtures/documents/record.json").read_bytes()
        read = 0
        for index in range(200):
            try:
                json.loads(mutations.damage_json(content, random.Random(index)))
                read += 1
            except (ValueError, RecursionError):
                pass
        self.assertGreater(read, 120)

    def test_readers_have_names_and_commands_of_their_own(self):
        found = readers.readers(False)
        self.assertEqual(len(found), len({reader.name for reader in found}))
        for reader in found:
            self.assertEqual(len(reader.commands), len(set(reader.commands)))
            self.assertIn(reader.kind, mutations.DAMAGE)


if __name__ == "__main__":
    unittest.main()

// CPUs, ranks and switches of the pages of places. node --test tests/page/
import assert from "node:assert/strict";
import test from "node:test";
import { classOf, hostCount } from "../../report/page/topology.js";
import { badCpus, cpusOf, cpuWords, partsOf, rangesOf, shellText, threadRows } from "../../report/page/where.js";

test("lists of CPUs are read and written", () => {
  assert.deepEqual(cpusOf("0-2,16"), [0, 1, 2, 16]);
  assert.deepEqual(cpusOf(""), []);
  assert.equal(rangesOf([0, 1, 2, 16]), "0-2,16");
});

test("CPUs are grouped by what they share, and named by what differs", () => {
  const pu = (os_cpu, core, l3) => ({ os_cpu, core, l3, numa: [0], package: 0 });
  const parts = partsOf([pu(0, 0, 0), pu(1, 1, 1), pu(2, 0, 0)]);
  assert.deepEqual(
    parts.map((part) => [part.name, part.cores.map((core) => core.map((one) => one.os_cpu))]),
    [
      ["L3 0", [[0, 2]]],
      ["L3 1", [[1]]],
    ],
  );
});

test("a CPU shows the ranks that may run there", () => {
  const ranks = [0, 1].map((rank) => ({
    rank,
    host: "n",
    started_on: ["0-1"],
    threads: [{ allowed_cpus: "0-1" }, { allowed_cpus: String(rank) }],
  }));
  const rows = threadRows(ranks);
  assert.equal(rows.length, 4);
  assert.deepEqual(rows[0].cpus, [0, 1]);
  assert.equal(cpuWords(rows), "0-1");
  assert.equal(cpuWords([rows[3]]), "1.1");
  assert.equal(cpuWords([]), "");
});

test("NUMA nodes of far memory are no CPUs", () => {
  const faults = [
    { kind: "far-memory", host: "n", cpus: [1], text: "far" },
    { kind: "shared-cpu", host: "n", cpus: [0], text: "shared" },
    { kind: "shared-cpu", host: "other", cpus: [5], text: "shared" },
  ];
  assert.deepEqual([...badCpus(faults, "n")], [[0, "shared"]]);
});

test("a command line can be pasted into a shell", () => {
  assert.equal(shellText(["mpirun", "-x", "A=b c", "it's"]), `mpirun -x 'A=b c' 'it'\\''s'`);
});

test("hosts of a list are counted", () => {
  assert.equal(hostCount("n00,n01"), 2);
  assert.equal(hostCount("nid[000-127],login1"), 129);
  assert.equal(hostCount("r[0-1]n[0-3,7]"), 10);
});

test("the hop class of places follows from the nearest site that they share", () => {
  const [a, b, c] = [
    ["l0", "g0"],
    ["l1", "g0"],
    ["l2", "g1"],
  ].map((sites) => ({ sites }));
  const levels = ["switch", "group"];
  assert.equal(classOf({ levels }, a, a), "same-switch");
  assert.equal(classOf({ levels }, a, b), "same-group");
  assert.equal(classOf({ levels }, a, c), "other-group");
  assert.equal(classOf({ levels, hops: { g0: { g1: 3 } } }, a, c), "3-hops");
});

// hockney.where: who runs on which core, what is wrong with it, and the command line that mends it.
import { choiceOf, counted, h, kind } from "./kit.js";
import { plural, text } from "./format.js";

const mostDrawnNodes = 8;
const launcherWords = {
  openmpi4: "Open MPI 4",
  openmpi5: "Open MPI 5",
  mpich: "MPICH",
  intel: "Intel MPI",
  slurm: "Slurm",
  simgrid: "SimGrid",
};

// --- CPUs -----------------------------------------------------------------------------------------------------------------------

/** The numbers of a text like "0-7,16". */
export function cpusOf(ranges) {
  const parts = ranges.split(",").filter(Boolean);
  return parts.flatMap((range) => {
    const [first, last = first] = range.split("-").map(Number);
    return Array.from({ length: last - first + 1 }, (_, i) => first + i);
  });
}

/** "0-7,16" of ascending numbers. */
export function rangesOf(numbers, separator = ",") {
  const parts = [];
  for (const number_ of numbers) {
    if (parts.length > 0 && parts.at(-1)[1] === number_ - 1) parts.at(-1)[1] = number_;
    else parts.push([number_, number_]);
  }
  return parts.map(([first, last]) => (first === last ? `${first}` : `${first}-${last}`)).join(separator);
}

const cpuLevels = [
  ["package", (pu) => pu.package],
  ["NUMA", (pu) => pu.numa.join("+")],
  ["L3", (pu) => pu.l3 ?? "none"],
];

/** CPUs in parts that share a package, a NUMA node and an L3 cache: [{name, cores: [[CPU]]}]. */
export function partsOf(pus) {
  const told = cpuLevels.filter(([, of]) => new Set(pus.map(of)).size > 1);
  const parts = new Map();
  for (const pu of pus) {
    const key = cpuLevels.map(([, of]) => of(pu)).join("/");
    const part = parts.get(key) ?? { name: told.map(([name, of]) => `${name} ${of(pu)}`).join(", "), cores: new Map() };
    part.cores.set(pu.core, [...(part.cores.get(pu.core) ?? []), pu]);
    parts.set(key, part);
  }
  return [...parts.values()].map(({ name, cores }) => ({ name, cores: [...cores.values()] }));
}

/** Boxes of the parts of a node. `cellOf(pu)` is {words, says, isBad} of a CPU. */
export function cpuBoxes(pus, cellOf) {
  const cell = (pu) => {
    const { words, says: title, isBad } = cellOf(pu);
    const number_ = h("small", {}, String(pu.os_cpu));
    return h("span", { class: `cpu${words ? " used" : ""}${isBad ? " bad" : ""}`, title }, number_, words ? text(words) : "\u00a0");
  };
  const coreBox = (core) => h("span", { class: "core" }, ...core.map(cell));
  const partBox = ({ name, cores }) =>
    h("div", { class: "part" }, name ? h("div", { class: "label" }, name) : null, h("div", { class: "cores" }, ...cores.map(coreBox)));
  return h("div", { class: "parts" }, ...partsOf(pus).map(partBox));
}

// --- ranks ----------------------------------------------------------------------------------------------------------------------

/** A row for each thread. */
export const threadRows = (ranks) =>
  ranks.flatMap(({ rank, host, threads, started_on }) =>
    threads.map((one, thread) => ({
      ...one,
      rank,
      host,
      thread,
      of: threads.length,
      started: started_on.at(-1),
      cpus: cpusOf(one.allowed_cpus),
    })),
  );

/** CPUs of a node with a fault, each with the sentence of the first. Numbers of far memory are NUMA nodes, not CPUs. */
export function badCpus(faults, host) {
  const here = faults.filter((fault) => fault.host === host && fault.kind !== "far-memory");
  return new Map([...here].reverse().flatMap((fault) => fault.cpus.map((cpu) => [cpu, fault.text])));
}

/** What stands on a CPU: "3" for a rank, "3.1" for one of its threads, "0-3" for ranks that may all run there. */
export function cpuWords(threads) {
  if (threads.length === 1 && threads[0].of > 1) return `${threads[0].rank}.${threads[0].thread}`;
  return rangesOf([...new Set(threads.map((one) => one.rank))].sort((a, b) => a - b));
}

function nodePicture(found, node) {
  const threads = threadRows(found.ranks).filter((one) => one.host === node.host);
  const bad = badCpus(found.faults, node.host);
  return cpuBoxes(node.pus, ({ os_cpu, core }) => {
    const words = cpuWords(threads.filter((one) => one.cpus.includes(os_cpu)));
    const who = `CPU ${os_cpu}, core ${core}: ${words ? `rank ${words}` : "nobody"}`;
    return { words, says: bad.has(os_cpu) ? `${who}\n${bad.get(os_cpu)}` : who, isBad: bad.has(os_cpu) };
  });
}

const threadColumns = [
  "rank [count]; thread [count]; host: node; allowed_cpus: allowed CPUs; last_cpu: last CPU [count]",
  "memory_node: memory node [count]; started: CPUs at the start",
];

function faultyFirst({ nodes, faults }) {
  const isFaulty = (node) => faults.some((fault) => fault.host === node.host);
  return [...nodes].sort((a, b) => isFaulty(b) - isFaulty(a));
}

const howToRead =
  "Squares: CPUs with their numbers and the ranks that may run there; 3.1 is thread 1 of rank 3. " +
  "Squares of a core touch. Thick frame: with a fault.";

function placedSections(found, view, prefix, when) {
  const nodes = faultyFirst(found).filter((node) => !view.choice.host || node.host === view.choice.host);
  const more = nodes.length > mostDrawnNodes ? ` ${plural(nodes.length - mostDrawnNodes, "more node")} not drawn: choose one.` : "";
  return nodes.slice(0, mostDrawnNodes).map((node, i) => {
    const rows = threadRows(found.ranks).filter((one) => one.host === node.host);
    const faults = found.faults.filter((fault) => fault.host === node.host).map((fault) => fault.text);
    return {
      id: `${prefix}-${i + 1}`,
      title: `Ranks on ${node.host}${when}`,
      headline:
        faults.join("; ") || `${plural(new Set(rows.map((row) => row.rank)).size, "rank")}, ${plural(rows.length, "thread")}, no fault`,
      caption: (i === 0 && !when ? howToRead : "") + (i === mostDrawnNodes - 1 ? more : ""),
      columns: threadColumns,
      rows,
      draw: (place) => place.replaceChildren(nodePicture(found, node)),
    };
  });
}

// --- the command ----------------------------------------------------------------------------------------------------------------

const shellWord = (word) => (/^[\w@%+=:,./{}-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`);
export const shellText = (words) => words.map(shellWord).join(" ");

function proofText({ proof, proof_failure }) {
  if (proof_failure) return `It could not be started: ${proof_failure}`;
  if (!proof) return "Not tried yet: hockney where --prove starts it.";
  return `Started again with it: ${proof.faults.length > 0 ? `${plural(proof.faults.length, "fault")} left` : "no fault"}.`;
}

function fixSection(where) {
  if (where.faults.length === 0) return null;
  if (!where.fixed_command)
    return { id: "fix", title: "No correction", headline: where.not_mendable ?? "hockney knows no option that helps" };
  const left = where.left_out.length > 0 ? `Left out: ${shellText(where.left_out)}. ` : "";
  const nodes = [h("pre", {}, text(shellText(where.fixed_command)))];
  return { id: "fix", title: "Corrected command", caption: left + proofText(where), nodes };
}

function whereFindings(where) {
  const order = faultyFirst(where).map((node) => node.host);
  return [
    ...where.faults.map(({ text: what, fix, host }) => {
      const place = order.indexOf(host);
      return {
        what: what[0].toUpperCase() + what.slice(1),
        advice: fix,
        at: place >= 0 && place < mostDrawnNodes ? `node-${place + 1}` : "fix",
      };
    }),
    ...where.causes.map((what) => ({ what })),
  ];
}

function whereTiles({ faults, ranks, nodes }) {
  const threads = threadRows(ranks);
  const sum = (of) => nodes.reduce((total, node) => total + of(node), 0);
  const coresOf = (pus) => new Set(pus.map((pu) => pu.core)).size;
  const used = (node) => new Set(threads.filter((one) => one.host === node.host).flatMap((one) => one.cpus));
  const usedPus = (node) => node.pus.filter((pu) => used(node).has(pu.os_cpu));
  const cores = sum((node) => coresOf(node.pus));
  const idle = cores - sum((node) => coresOf(usedPus(node)));
  const most = Math.max(0, ...threads.map((one) => one.of));
  return [
    counted("Faults", faults.length, faults[0]?.kind.replaceAll("-", " "), faults.length > 0 && "findings"),
    counted("Ranks", ranks.length, `on ${plural(nodes.length, "node")}`),
    counted("Threads", threads.length, `at most ${most} of a rank`),
    counted("Cores", cores, `${idle} without a rank`),
  ];
}

function whereHead({ command, launcher, ranks, nodes, ran_program }) {
  const [libraries, models] = [ranks.map((one) => one.mpi_library), nodes.map((node) => node.cpu_model)].map((all) =>
    [...new Set(all)].join(", "),
  );
  const machine = [launcherWords[launcher] ?? launcher, libraries, models].filter(Boolean).join(" · ");
  return [shellText(command), machine, ran_program ? "The program itself ran." : "A probe ran in place of the program."];
}

kind("hockney.where", {
  head: whereHead,
  choices: (where) => [choiceOf(where.nodes, "host", "node")],
  tiles: whereTiles,
  findings: whereFindings,
  sections: (where, view) => [
    fixSection(where),
    ...placedSections(where, view, "node", ""),
    ...(where.proof ? placedSections(where.proof, view, "proof", ", corrected") : []),
  ],
});

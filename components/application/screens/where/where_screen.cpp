#include "components/application/screens/where/where_screen.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

#include "core/json_values.hpp"
#include "core/provenance.hpp"
#include "core/text.hpp"
#include "driver/campaign/launch_command.hpp"
#include "report/screen.hpp"
#include "report/table.hpp"

namespace hockney::where {
namespace {

/// Sentences of this screen.
namespace words {

constexpr std::string_view unseen = "no fault up to '{}', a script that may bind ranks itself";
constexpr std::string_view proof_failed = "tried: {}: {}";
constexpr std::string_view fixes_nothing = "tried: {}: it fixes nothing, {}";
constexpr std::string_view started_again = "started again with these options: {}, {}";
constexpr std::string_view threads_at_work =
    "threads of '{}' that were at work while it ran, as the kernel has them (/proc)";
constexpr std::string_view affinities = "affinities that a probe in place of '{}' found, {}{}";
constexpr std::string_view no_mpi_init = "no MPI_Init was called";

}  // namespace words

/// Threads that may run on one core, by rank.
using Guests = std::map<int, std::vector<int>>;

std::map<int, Guests> guests_by_core(const Occupancy& node) {
  std::map<int, Guests> guests;
  for (const placement::Pu& pu : node.node().pus) guests[pu.core];
  for (const Occupant& thread : node.threads()) {
    for (const int core : node.cores_of(thread.place->allowed_cpus)) {
      guests[core][thread.rank].push_back(thread.thread);
    }
  }
  return guests;
}

/// The only thread on a core; nullopt if there are none or several.
std::optional<std::pair<int, int>> single_guest(const Guests& guests) {
  if (guests.size() != 1 || guests.begin()->second.size() != 1) return std::nullopt;
  return std::pair(guests.begin()->first, guests.begin()->second.front());
}

/// Consecutive cores that share one entry.
struct CoreRun {
  std::vector<int> cores;
  Guests first;  ///< guests of the first core
  Guests last;
  bool is_series = false;  ///< one thread per core, in consecutive order

  /// Adds a core if it continues the run; returns whether it did.
  bool take(int core, const Guests& guests) {
    const auto before = single_guest(last);
    const auto now = single_guest(guests);
    const bool is_next =
        before && now && before->first == now->first && before->second + 1 == now->second;
    const bool is_alike = guests == first && !is_series;
    const bool goes_on = is_next && (is_series || cores.size() == 1);
    if (!is_alike && !goes_on) return false;
    is_series = !is_alike;
    cores.push_back(core);
    last = guests;
    return true;
  }
};

/// The threads of a rank on all cores of a run that has `first` on its first core.
std::vector<int> threads_on(const CoreRun& run, std::vector<int> first) {
  const int more = run.is_series ? static_cast<int>(run.cores.size()) - 1 : 0;
  const int begin = first.front();
  for (int i = 1; i <= more; ++i) first.push_back(begin + i);
  return first;
}

std::string guests_text(const CoreRun& run, const std::map<int, std::size_t>& threads_of) {
  if (run.first.empty()) return "idle";
  std::vector<std::string> parts;
  std::vector<int> whole;  // ranks all of whose threads are here
  for (const auto& [rank, threads] : run.first) {
    const std::vector<int> all = threads_on(run, threads);
    if (all.size() == threads_of.at(rank) && !run.is_series) {
      whole.push_back(rank);
    } else {
      parts.push_back(fmt::format("rank {} {} {}", rank, all.size() == 1 ? "thread" : "threads",
                                  placement::format_cpus(all)));
    }
  }
  if (!whole.empty()) {
    const std::size_t threads = threads_of.at(whole.front());
    parts.insert(
        parts.begin(),
        fmt::format("{} {}{}", whole.size() == 1 ? "rank" : "ranks", placement::format_cpus(whole),
                    threads > 1 ? fmt::format(" all {} threads", threads) : ""));
  }
  return join(parts);
}

/// A part of the node, identified by the smallest units that its PUs share.
struct NodePart {
  int package = 0;
  std::vector<int> numa;
  std::optional<int> l3;
  std::optional<int> kind;

  auto operator<=>(const NodePart&) const = default;
};

/// "L3 0"; on processors with several kinds of cores "L3 0 P" for performance cores, "L3 0 E" for
/// the others.
std::string cache_text(const NodePart& place) {
  std::string cache = place.l3 ? fmt::format("L3 {}", *place.l3) : "no L3";
  if (!place.kind) return cache;
  return cache + (*place.kind == 0 ? " P" : " E");
}

/// The entries of a part, in lines that leave room for its name.
std::vector<std::string> runs_lines(const std::set<int>& cores, const std::map<int, Guests>& guests,
                                    const std::map<int, std::size_t>& threads_of) {
  std::vector<CoreRun> runs;
  for (const int core : cores) {
    const Guests& here = guests.at(core);
    if (runs.empty() || !runs.back().take(core, here)) runs.push_back({{core}, here, here});
  }
  constexpr std::size_t width = 60;
  std::vector<std::string> lines;
  for (const CoreRun& run : runs) {
    const std::string entry =
        fmt::format("{} {}: {}", run.cores.size() == 1 ? "core" : "cores",
                    placement::format_cpus(run.cores), guests_text(run, threads_of));
    if (!lines.empty() && lines.back().size() + entry.size() + 2 <= width) {
      lines.back() += "; " + entry;
    } else {
      lines.push_back(entry);
    }
  }
  return lines;
}

using report::count_text;

constexpr std::size_t most_fault_lines = 6;
constexpr std::size_t most_picture_lines = 10;

std::string shell_line(const Words& words) { return campaign::to_shell({.arguments = words}); }

/// A label and a text, with the texts of all faults aligned.
std::string labelled(const std::string& label, const std::string& text) {
  constexpr std::size_t width = 17;
  return label + std::string(width - std::min(width - 1, label.size()), ' ') + escaped(text);
}

/// "4 ranks x 8 threads on 2 nodes"; for unequal ranks "2 ranks with 3 threads on 1 node".
std::string size_text(const RankBindings& all) {
  const std::size_t most = most_threads(all);
  std::size_t threads = 0;
  for (const RankPlace& rank : all.ranks) threads += rank.threads.size();
  const bool is_same = threads == most * all.ranks.size();
  return fmt::format("{} {} {} on {}", count_text(all.ranks.size(), "rank"), is_same ? "x" : "with",
                     count_text(is_same ? most : threads, "thread"),
                     count_text(all.nodes.size(), "node"));
}

/// ", and 2 more" after the first of `count`.
std::string more_text(std::size_t count) {
  return count > 1 ? fmt::format(", and {} more", count - 1) : "";
}

/// "fault: ..." for the worst one, and the number of the others.
std::string verdict_text(const std::vector<Fault>& faults) {
  if (faults.empty()) return "no fault";
  return fmt::format("fault: {}{}", escaped(fault_text(faults.front())), more_text(faults.size()));
}

/// The fault in the first line: a shortage, the wrapper that binds, or the worst fault.
std::string cause_text(const WhereView& view) {
  if (view.fix.shortage) return "fault: " + escaped(shortage_text(*view.fix.shortage));
  if (view.probed.faults.empty() && !view.unseen.empty()) {
    return fmt::format(words::unseen, escaped(view.unseen));
  }
  if (view.causes.empty()) return verdict_text(view.probed.faults);
  return fmt::format("fault: {}{}", escaped(view.causes.front()), more_text(view.causes.size()));
}

/// Fix for a kind of fault; empty if it has no fix, or if the proof has refuted it.
std::string fix_of(const WhereView& view, FaultKind kind) {
  const bool is_refuted =
      !view.proof_failure.empty() ||
      (view.proof && std::ranges::count(view.proof->faults, kind, &Fault::kind) > 0);
  return is_refuted ? std::string() : remedy(view.fix, kind, view.launcher);
}

/// Whether the fixed command is worth a try.
bool is_fixed(const WhereView& view) {
  return !view.corrected.empty() &&
         std::ranges::any_of(view.probed.faults,
                             [&](const Fault& fault) { return !fix_of(view, fault.kind).empty(); });
}

/// "shared-cpu   8 threads of ...": the first fault of each kind with the number of its kind. The
/// fix follows after all kinds that it covers.
report::Lines fault_lines(const WhereView& view, const std::vector<Fault>& faults) {
  report::Lines lines;
  for (std::size_t i = 0; i < faults.size();) {
    const FaultKind kind = faults[i].kind;
    const auto same = static_cast<std::size_t>(std::ranges::count(faults, kind, &Fault::kind));
    lines.push_back(labelled(std::string(word(kind)), fault_text(faults[i]) + more_text(same)));
    if (!faults[i].others.empty()) {
      lines.push_back(labelled("  by", process_text(faults[i].others)));
    }
    i += same;
    const std::string option = fix_of(view, kind);
    const bool goes_on = i < faults.size() && fix_of(view, faults[i].kind) == option;
    if (!goes_on && !option.empty()) lines.push_back(labelled("fix", option));
  }
  return lines;
}

report::Lines pictures(const RankBindings& all) {
  report::Lines lines;
  for (const NodeCpus& node : all.nodes) {
    std::ranges::move(picture_of(Occupancy(all, node)), std::back_inserter(lines));
  }
  return lines;
}

report::Lines cut(report::Lines lines, std::size_t most) {
  if (lines.size() <= most) return lines;
  const std::size_t more = lines.size() - most + 1;
  lines.resize(most - 1);
  lines.push_back(fmt::format("... {}: --all", count_text(more, "more line")));
  return lines;
}

/// A launcher's output with single blanks.
std::string one_line(const std::string& text) {
  std::vector<std::string> words = split(text, ' ');
  std::erase(words, "");
  return join(words, " ");
}

/// Result of the launch with the fix.
std::string proof_text(const WhereView& view) {
  const std::string tried = escaped(shell_line(view.corrected));
  if (!view.proof) {
    return fmt::format(words::proof_failed, tried, escaped(one_line(view.proof_failure)));
  }
  const Probed& proof = *view.proof;
  const std::string verdict = verdict_text(proof.faults);
  if (proof.faults.empty() || is_fixed(view)) {
    return fmt::format(words::started_again, size_text(proof.found), verdict);
  }
  return fmt::format(words::fixes_nothing, tried, verdict);
}

/// "./atm' and './ocean": the distinct programs, between quotes.
std::string programs_text(const WhereView& view) {
  Words distinct;
  for (const std::string& program : view.programs) {
    if (std::ranges::count(distinct, program) == 0) distinct.push_back(escaped(program));
  }
  return join(distinct, "' and '");
}

/// Origin of the threads shown: the probe, or the program itself.
report::Lines trust_lines(const WhereView& view) {
  report::Lines lines;
  const RankPlace& first = view.probed.found.ranks.front();
  const std::string library = first.mpi_library.empty()
                                  ? std::string(words::no_mpi_init)
                                  : "after MPI_Init of " + escaped(first.mpi_library);
  if (view.ran_program) {
    lines.push_back(fmt::format(words::threads_at_work, programs_text(view)));
  } else {
    lines.push_back(fmt::format(
        words::affinities, programs_text(view), library,
        first.openmp_runtime.empty() ? "" : ", in threads of " + escaped(first.openmp_runtime)));
  }
  if (view.proof || !view.proof_failure.empty()) lines.push_back(proof_text(view));
  std::ranges::transform(view.notes, std::back_inserter(lines),
                         [](const std::string& note) { return escaped(note); });
  return lines;
}

std::vector<report::NextStep> next_steps(const WhereView& view) {
  if (!is_fixed(view)) return {};
  if (view.proof) return {{escaped(shell_line(view.corrected)), ""}};
  return {{"hockney where --prove -- ...", "starts the probe with the fix and checks it"}};
}

nlohmann::json fault_json(const WhereView& view, const Fault& fault) {
  const std::string option = fix_of(view, fault.kind);
  return {{"kind", word(fault.kind)},
          {"host", fault.host},
          {"ranks", fault.ranks},
          {"threads", fault.threads},
          {"cores", fault.cores},
          {"cpus", fault.cpus},
          {"text", fault_text(fault)},
          {"fix", filled_or_null(option)},
          {"others", fault.others},
          {"limit", fault.limit ? nlohmann::json(*fault.limit) : nlohmann::json(nullptr)}};
}

nlohmann::json probed_json(const WhereView& view, const Probed& probed) {
  nlohmann::json faults = nlohmann::json::array();
  for (const Fault& fault : probed.faults) faults.push_back(fault_json(view, fault));
  return {{"command", without_secrets(probed.command)},
          {"ranks", probed.found.ranks},
          {"nodes", probed.found.nodes},
          {"empty_nodes", probed.found.empty_hosts},
          {"faults", faults}};
}

}  // namespace

std::vector<std::string> picture_of(const Occupancy& node) {
  const std::map<int, Guests> guests = guests_by_core(node);
  std::map<int, std::size_t> threads_of;
  for (const RankPlace* rank : node.ranks()) threads_of[rank->rank] = rank->threads.size();
  std::map<NodePart, std::set<int>> places;
  for (const placement::Pu& pu : node.node().pus) {
    places[{pu.package, pu.numa, pu.l3, pu.kind}].insert(pu.core);
  }
  std::vector<std::vector<std::string>> rows;
  for (const auto& [place, cores] : places) {
    std::vector<std::string> name{rows.empty() ? escaped(node.node().host) : "",
                                  fmt::format("package {}", place.package),
                                  "NUMA " + placement::format_cpus(place.numa), cache_text(place)};
    for (const std::string& line : runs_lines(cores, guests, threads_of)) {
      name.push_back(line);
      rows.push_back(name);
      name.assign(4, "");
    }
  }
  return report::columns_of(rows);
}

nlohmann::json to_json(const WhereView& view) {
  nlohmann::json document = probed_json(view, view.probed);
  document["schema"] = "hockney.where/2";
  document["launcher"] = view.launcher;
  document["program"] = view.programs.front();
  document["programs"] = view.programs;
  document["fixed_command"] =
      is_fixed(view) ? filled_or_null(without_secrets(view.corrected)) : nlohmann::json(nullptr);
  document["causes"] = view.causes;
  document["not_mendable"] =
      filled_or_null(view.fix.shortage ? shortage_text(*view.fix.shortage) : std::string());
  document["proof_failure"] = filled_or_null(view.proof_failure);
  document["ran_program"] = view.ran_program;
  document["left_out"] = view.left_out;
  document["notes"] = view.notes;
  document["proof"] = view.proof ? probed_json(view, *view.proof) : nlohmann::json(nullptr);
  return document;
}

report::Screen screen_of(const WhereView& view) {
  report::Screen screen;
  const Probed& probed = view.probed;
  // A shortage contains its own numbers; more would make the line too long.
  screen.verdict = (view.fix.shortage ? "" : size_text(probed.found) + ": ") + cause_text(view);
  screen.answer = {screen.verdict};
  const report::Lines faults = fault_lines(view, probed.faults);
  std::ranges::move(cut(pictures(probed.found), most_picture_lines),
                    std::back_inserter(screen.answer));
  std::ranges::move(cut(faults, most_fault_lines), std::back_inserter(screen.answer));
  screen.reliability = trust_lines(view);
  screen.next = next_steps(view);
  return screen;
}

report::View view_of(const WhereView& view) {
  report::View table{{{"host", "host"},
                      {"rank", "rank", report::Unit::count},
                      {"thread", "thread", report::Unit::count},
                      {"allowed_cpus", "may use CPUs"},
                      {"last_cpu", "was on CPU", report::Unit::count},
                      {"memory_node", "memory of node", report::Unit::count}},
                     {}};
  for (const RankPlace& rank : view.probed.found.ranks) {
    for (std::size_t i = 0; i < rank.threads.size(); ++i) {
      const ThreadPlace& thread = rank.threads[i];
      table.rows.push_back({rank.host, rank.rank, i, placement::format_cpus(thread.allowed_cpus),
                            thread.last_cpu, thread.memory_node});
    }
  }
  return table;
}

void print_where_tables(std::ostream& out, const WhereView& view) {
  for (const Probed* probed : {&view.probed, view.proof ? &*view.proof : nullptr}) {
    if (probed == nullptr) continue;
    out << fmt::format("{}\n\n{}: {}\n\n", escaped(shell_line(probed->command)),
                       size_text(probed->found), verdict_text(probed->faults));
    for (const std::string& line : pictures(probed->found)) out << line << '\n';
    if (!probed->faults.empty()) out << '\n';
    for (const Fault& fault : probed->faults) {
      out << fmt::format("{}: {}\n", word(fault.kind), escaped(fault_text(fault)));
    }
    out << '\n';
  }
}

}  // namespace hockney::where

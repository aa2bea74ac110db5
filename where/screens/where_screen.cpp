#include "where/screens/where_screen.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "campaign/launch_command.hpp"
#include "core/json_values.hpp"
#include "core/secrets.hpp"
#include "core/text.hpp"
#include "report/table.hpp"
#include "where/screens/picture.hpp"

namespace hockney::where {
namespace {

using report::count_text;

constexpr std::size_t most_fault_lines = 6;
constexpr std::size_t most_picture_lines = 10;

std::string shell_line(const Words& words) { return campaign::to_shell({.arguments = words}); }

/// With the words of faults below each other.
std::string labelled(const std::string& label, const std::string& text) {
  constexpr std::size_t width = 17;
  return label + std::string(width - std::min(width - 1, label.size()), ' ') + inert(text);
}

/// "4 ranks x 8 threads on 2 nodes".
std::string size_text(const Whereabouts& all) {
  const std::size_t most = most_threads(all);
  const bool is_same = std::ranges::all_of(
      all.ranks, [&](const RankPlace& rank) { return rank.threads.size() == most; });
  return count_text(all.ranks.size(), "rank") + " x " + (is_same ? "" : "up to ") +
         count_text(most, "thread") + " on " + count_text(all.nodes.size(), "node");
}

/// "fault: ..." of the worst one, and how many more there are.
std::string verdict_text(const std::vector<Fault>& faults) {
  if (faults.empty()) return "no fault";
  const std::string more =
      faults.size() == 1 ? "" : ", and " + std::to_string(faults.size() - 1) + " more";
  return "fault: " + inert(fault_text(faults.front())) + more;
}

/// "shared-cpu   8 threads of ...": of each kind the first, with how often it is there; after those
/// with the same remedy what mends them.
report::Lines fault_lines(const WhereView& view, const std::vector<Fault>& faults) {
  report::Lines lines;
  for (std::size_t i = 0; i < faults.size();) {
    const FaultKind kind = faults[i].kind;
    const auto same = static_cast<std::size_t>(std::ranges::count(faults, kind, &Fault::kind));
    const std::string more = same > 1 ? ", and " + std::to_string(same - 1) + " more" : "";
    lines.push_back(labelled(std::string(word(kind)), fault_text(faults[i]) + more));
    i += same;
    const std::string option = remedy(view.mending, kind, view.launcher);
    const bool goes_on =
        i < faults.size() && remedy(view.mending, faults[i].kind, view.launcher) == option;
    if (!goes_on && !option.empty()) lines.push_back(labelled("mended by", option));
  }
  return lines;
}

report::Lines pictures(const Whereabouts& all) {
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
  lines.push_back("... " + count_text(more, "more line") + ": --all");
  return lines;
}

std::string proof_text(const Probed& proof) {
  const std::string again = "started again with these options: " + size_text(proof.found) + ", ";
  return again + verdict_text(proof.faults);
}

/// The threads that are seen are those of the probe.
report::Lines trust_lines(const WhereView& view) {
  report::Lines lines;
  const RankPlace& first = view.probed.found.ranks.front();
  const std::string library = first.mpi_library.empty()
                                  ? "no MPI_Init was called"
                                  : "after MPI_Init of " + inert(first.mpi_library);
  lines.push_back(
      "affinities that a probe in place of '" + inert(view.program) + "' found, " + library +
      (first.openmp_runtime.empty() ? "" : ", in threads of " + inert(first.openmp_runtime)));
  if (view.proof) lines.push_back(proof_text(*view.proof));
  std::ranges::transform(view.notes, std::back_inserter(lines),
                         [](const std::string& note) { return inert(note); });
  return lines;
}

std::vector<report::NextStep> next_steps(const WhereView& view) {
  if (view.mended.empty()) return {};
  if (view.proof) return {{inert(shell_line(view.mended)), ""}};
  return {{"hockney where --prove -- ...", "starts the probe with what mends it, and looks again"}};
}

nlohmann::json fault_json(const WhereView& view, const Fault& fault) {
  const std::string option = remedy(view.mending, fault.kind, view.launcher);
  return {{"kind", word(fault.kind)},  {"host", fault.host},
          {"ranks", fault.ranks},      {"threads", fault.threads},
          {"cores", fault.cores},      {"cpus", fault.cpus},
          {"text", fault_text(fault)}, {"mended_by", filled_or_null(option)}};
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

nlohmann::json to_json(const WhereView& view) {
  nlohmann::json document = probed_json(view, view.probed);
  document["schema"] = "hockney.where/1";
  document["launcher"] = view.launcher;
  document["program"] = view.program;
  document["mended_command"] = filled_or_null(without_secrets(view.mended));
  document["left_out"] = view.left_out;
  document["notes"] = view.notes;
  document["proof"] = view.proof ? probed_json(view, *view.proof) : nlohmann::json(nullptr);
  return document;
}

report::Screen screen_of(const WhereView& view) {
  report::Screen screen;
  const Probed& probed = view.probed;
  screen.verdict = size_text(probed.found) + ": " + verdict_text(probed.faults);
  screen.answer = {screen.verdict};
  const report::Lines faults = fault_lines(view, probed.faults);
  std::ranges::move(cut(pictures(probed.found), most_picture_lines),
                    std::back_inserter(screen.answer));
  std::ranges::move(cut(faults, most_fault_lines), std::back_inserter(screen.answer));
  screen.trust = trust_lines(view);
  screen.next = next_steps(view);
  return screen;
}

void print_where_tables(std::ostream& out, const WhereView& view) {
  for (const Probed* probed : {&view.probed, view.proof ? &*view.proof : nullptr}) {
    if (probed == nullptr) continue;
    out << inert(shell_line(probed->command)) << "\n\n"
        << size_text(probed->found) << ": " << verdict_text(probed->faults) << "\n\n";
    for (const std::string& line : pictures(probed->found)) out << line << '\n';
    if (!probed->faults.empty()) out << '\n';
    for (const Fault& fault : probed->faults) {
      out << word(fault.kind) << ": " << inert(fault_text(fault)) << '\n';
    }
    out << '\n';
  }
}

}  // namespace hockney::where

#include "application/screens/finding_words.hpp"

#include <algorithm>
#include <set>

#include "application/screens/function_views.hpp"
#include "application/screens/profile_views.hpp"
#include "core/text.hpp"
#include "report/table.hpp"

namespace hockney::report {
namespace {

using applications::CpuTaker;
using applications::Finding;
using applications::FindingKind;

/// Mean size up to which putting messages together helps more than moving them faster [B].
constexpr double small_message = 1024;

std::string share_of_run(const Finding& finding) {
  return share_text(finding.fraction) + " of the run";
}

std::string region_words(const ProfileView& view, const Finding& finding) {
  if (!finding.region) return {};
  const auto& region = view.profile.regions.at(static_cast<std::size_t>(*finding.region));
  return " of region '" + inert(region.name) + "'";
}

/// A call site without the parameters of a C++ function: "receive (planted.cpp:60)".
std::string short_site(const ProfileView& view, const Finding& finding) {
  if (!finding.site) return {};
  std::string text = site_text(view, finding.site);
  const std::string unnamed = "(anonymous namespace)::";
  for (std::size_t at = text.find(unnamed); at != std::string::npos; at = text.find(unnamed)) {
    text.erase(at, unnamed.size());
  }
  const std::size_t place = text.rfind(" (");
  const std::size_t parameters = text.find('(');
  if (place != std::string::npos && parameters < place) text.erase(parameters, place - parameters);
  return text;
}

/// "MPI_Recv in exchange (ring.c:9)".
std::string place_words(const ProfileView& view, const Finding& finding) {
  const std::string call = inert(finding.call);
  const std::string site = short_site(view, finding);
  const std::string region = region_words(view, finding);
  if (call.empty()) return site.empty() ? "" : site + region;
  return call + (site.empty() ? "" : " in " + site) + region;
}

std::string rank_words(const Finding& finding) {
  return "rank " + std::to_string(finding.rank.value_or(0));
}

std::string times_words(double ratio) { return significant(ratio, 2) + " times as long as "; }

std::string imbalance_words(const ProfileView& view, const Finding& finding) {
  const std::string place = place_words(view, finding);
  if (!finding.rank) {
    return "In turn, another rank is the last at " + place + ": " + share_of_run(finding) +
           " is waiting for it";
  }
  const bool is_alone = finding.ranks_alike <= 1;
  std::string text = "R" + rank_words(finding).substr(1);
  if (!is_alone) {
    text += " and " + count_text(static_cast<std::size_t>(finding.ranks_alike - 1), "other") +
            " compute ";
  } else {
    text += " computes ";
  }
  if (finding.ratio > 0) {
    text += times_words(finding.ratio) +
            (view.profile.ranks.size() == 2 ? "the other rank" : "the median rank");
  } else {
    text += "and the others do not";
  }
  if (finding.function) {
    text += ", in " + function_text(*finding.function);
  } else if (!place.empty()) {
    text += (finding.is_by_log ? ", before " : "; the others wait in ") + place;
  }
  return text + "; " + share_of_run(finding) + " is waiting for " + (is_alone ? "it" : "them");
}

std::string starved_words(const ProfileView& view, const Finding& finding) {
  const std::string who = finding.rank ? "R" + rank_words(finding).substr(1) : "The ranks";
  std::string text = who + " got " + fixed_text(finding.ratio, 2) + " of a CPU: ";
  switch (finding.taker.value_or(CpuTaker::other_processes)) {
    case CpuTaker::cpu_limit:
      text += "a CPU limit of the control group stopped them";
      break;
    case CpuTaker::other_ranks:
      text += "more ranks than CPUs share them";
      break;
    case CpuTaker::other_processes:
      text += std::string("other processes ran on ") + (finding.rank ? "its" : "their") + " cores";
      break;
  }
  text += ". Times below are not the program's: " + share_text(finding.fraction) +
          " of the run is not scheduled";
  const bool is_estimated = view.cpu && view.cpu->is_estimated;
  return text + (is_estimated ? ", estimated from context switches" : "");
}

bool is_small(const Finding& finding) {
  const auto mean = finding.volume.mean_bytes();
  constexpr std::int64_t many = 1000;
  return finding.volume.count >= many && mean && *mean <= small_message;
}

std::string transfer_words(const ProfileView& view, const Finding& finding) {
  const std::string place = place_words(view, finding);
  const auto mean = finding.volume.mean_bytes();
  std::string text = "Messages take " + share_of_run(finding);
  if (mean) {
    text +=
        ": " + std::to_string(finding.volume.count) + " of " + short_bytes(*mean) + " on average";
  }
  return text + (place.empty() ? "" : ", most in " + place);
}

std::string late_receive_words(const ProfileView& view, const Finding& finding) {
  std::string text = "Senders wait in " + place_words(view, finding) +
                     " until the receive is posted: " + share_of_run(finding);
  if (finding.volume.count > 0) {
    text += "; messages of " + short_bytes(static_cast<double>(finding.volume.min_bytes)) +
            (finding.volume.max_bytes > finding.volume.min_bytes ? " and more" : "") +
            " are above the eager limit";
  }
  return text;
}

std::string collective_words(const ProfileView& view, const Finding& finding) {
  std::string text = place_words(view, finding) + " takes " + share_of_run(finding);
  text += finding.is_by_log ? " after the last rank has entered" : " even when no rank is late";
  if (finding.volume.count > 0 && finding.volume.bytes > 0) {
    text += " (" + short_bytes(*finding.volume.mean_bytes()) + " a call)";
  }
  return text;
}

}  // namespace

std::string name_of(FindingKind kind) {
  std::string name(word(kind));
  std::ranges::replace(name, '_', ' ');
  return kind == FindingKind::starved_cpu ? "starved CPU" : kind == FindingKind::io ? "I/O" : name;
}

namespace {

std::string words_of(const ProfileView& view, const Finding& finding) {
  const std::string place = place_words(view, finding);
  switch (finding.kind) {
    case FindingKind::starved_cpu:
      return starved_words(view, finding);
    case FindingKind::imbalance:
      return imbalance_words(view, finding);
    case FindingKind::slow_node:
      return "The ranks on " + inert(finding.node) + " compute " + times_words(finding.ratio) +
             "those on other nodes; " + share_of_run(finding) + " is waiting for them";
    case FindingKind::io:
      return "Files take " + share_of_run(finding) +
             (finding.rank ? ", nearly all on " + rank_words(finding) : "") +
             (finding.call.empty() ? "" : ", most in " + place);
    case FindingKind::serialisation:
      return "Ranks work one after the other: " + fixed_text(finding.concurrency, 1) + " of " +
             std::to_string(view.profile.world_ranks) + " compute at a time; " +
             share_of_run(finding) + " is waiting, most in " + place;
    case FindingKind::late_sender:
      return "Receivers wait for late senders in " + place + ": " + share_of_run(finding) +
             (finding.rank ? ", most for " + rank_words(finding) : "");
    case FindingKind::eager_limit:
      return late_receive_words(view, finding);
    case FindingKind::slow_collective:
      return collective_words(view, finding);
    case FindingKind::transfer:
      return transfer_words(view, finding);
  }
  return {};
}

/// Without a log, waiting is estimated from the fastest calls. Sums over ranks are exact.
bool is_estimated(const Finding& finding) {
  switch (finding.kind) {
    case FindingKind::starved_cpu:
    case FindingKind::slow_node:
    case FindingKind::io:
      return false;
    case FindingKind::imbalance:
      return !finding.is_by_log && !finding.rank;
    default:
      return !finding.is_by_log;
  }
}

}  // namespace

std::string sentence_of(const ProfileView& view, const Finding& finding) {
  return words_of(view, finding) + (is_estimated(finding) ? " (estimated without a log)" : "");
}

namespace {

std::string run_without(const ProfileView& view, const Finding& finding) {
  const double ratio = finding.without_seconds / view.split.seconds;
  return short_time(finding.without_seconds) + " (-" + share_text(std::max(0.0, 1 - ratio)) + ")";
}

/// "; MPI settings gain at most 0.4 %".
std::string settings_words(const ProfileView& view, const Finding& finding) {
  const bool is_computing =
      finding.kind == FindingKind::imbalance || finding.kind == FindingKind::io;
  if (!view.most_by_settings) {
    return is_computing && finding.rank ? "; MPI settings do not help against it" : "";
  }
  return "; MPI settings gain at most " + share_text(*view.most_by_settings);
}

std::string starved_help(const Finding& finding) {
  switch (finding.taker.value_or(CpuTaker::other_processes)) {
    case CpuTaker::cpu_limit:
      return "raise the limit (cpu.max) or use fewer ranks, and run again";
    case CpuTaker::other_ranks:
      return "start at most one rank per CPU, bound to it, and run again: hockney where";
    case CpuTaker::other_processes:
      return "free the cores, and run again: no MPI setting helps";
  }
  return {};
}

std::string transfer_help(const ProfileView& view, const Finding& finding) {
  const std::string most = "at most to " + run_without(view, finding);
  if (is_small(finding)) return "put small messages together into one: " + most;
  return "compute while messages travel (MPI_Isend, MPI_Irecv, then MPI_Waitall): " + most;
}

}  // namespace

std::string help_of(const ProfileView& view, const Finding& finding) {
  const std::string without = run_without(view, finding);
  switch (finding.kind) {
    case FindingKind::starved_cpu:
      return starved_help(finding);
    case FindingKind::imbalance:
      return (finding.rank ? "balanced, the run would take "
                           : "with even work between these calls, the run would take ") +
             without + settings_words(view, finding);
    case FindingKind::slow_node:
      return "check that node, or leave it out; as fast as the others, the run would take " +
             without;
    case FindingKind::io:
      return "write less often, or from all ranks (MPI_File_write_all); without files " + without +
             settings_words(view, finding);
    case FindingKind::serialisation:
      return "divide the work so that ranks overlap (smaller pieces, a pipeline): at most to " +
             without + settings_words(view, finding);
    case FindingKind::late_sender:
      return "send earlier, or compute between MPI_Irecv and MPI_Wait: at most to " + without +
             settings_words(view, finding);
    case FindingKind::eager_limit:
      return "post receives earlier, send with MPI_Isend, or raise the limit (hockney advise): at "
             "most to " +
             without;
    case FindingKind::slow_collective:
      return "combine calls, start them nonblocking, or try other algorithms (hockney advise): at "
             "most to " +
             without;
    case FindingKind::transfer:
      return transfer_help(view, finding);
  }
  return {};
}

namespace {

/// For a run without a finding worth naming; empty if no time passed.
Lines no_cause(const ProfileView& view) {
  const applications::TimeParts& mean = view.split.mean;
  if (view.split.ranks == 0 || !(mean.whole() > 0)) return {};
  const double mpi = mean.mpi_seconds / mean.whole();
  if (mpi >= applications::least_named_finding && !view.replay) {
    return {"What takes the " + share_text(mpi) + " in MPI is not known without a log (--log)"};
  }
  return {"No cause takes " + share_text(applications::least_named_finding) +
          " of the run: it computes for " + share_text(mean.outside_mpi() / mean.whole())};
}

}  // namespace

Lines causes_of(const ProfileView& view) {
  const auto& findings = view.findings;
  const double least = applications::least_named_finding * scheduled_share(view.cpu);
  if (findings.empty() || findings.front().fraction < least) {
    return no_cause(view);
  }
  Lines lines{sentence_of(view, findings.front()), help_of(view, findings.front())};
  constexpr std::size_t most = 3;
  std::vector<std::string> others;
  for (std::size_t i = 1; i < findings.size() && others.size() < most; ++i) {
    if (findings[i].fraction < least) continue;
    // What the program itself does wrong is worth a sentence beside a CPU that others took.
    const bool is_whole = i == 1 && findings.front().kind == FindingKind::starved_cpu;
    others.push_back(is_whole ? sentence_of(view, findings[i])
                              : name_of(findings[i].kind) + " " + share_text(findings[i].fraction));
  }
  if (!others.empty()) lines.push_back("then: " + join(others, "; "));
  return lines;
}

View view_of_findings(const ProfileView& view) {
  const Forms shown = Form::terminal | Form::page | Form::csv;
  const Columns<Finding> columns{
      {{"kind", "cause", Unit::text, shown}, [](const Finding& one) { return name_of(one.kind); }},
      {{"kind", "cause", Unit::text, Form::json},
       [](const Finding& one) { return std::string(word(one.kind)); }},
      {{"rank", "rank", Unit::count},
       [](const Finding& one) { return one.rank ? Value(*one.rank) : Value(); }},
      {{"site", "site"},
       [&](const Finding& one) { return one.site ? Value(site_text(view, one.site)) : Value(); }},
      {{"function", "function", Unit::text, Form::csv | Form::json},
       [](const Finding& one) { return one.function ? Value(one.function->name) : Value(); }},
      {{"fraction", "of the run", Unit::share}, [](const Finding& one) { return one.fraction; }},
      {{"without_seconds", "without it", Unit::seconds, shown},
       [](const Finding& one) {
         return one.kind == FindingKind::starved_cpu ? Value() : Value(one.without_seconds);
       }},
      {{"sentence", "what", Unit::text, shown},
       [&](const Finding& one) { return sentence_of(view, one); }},
      {{"help", "what would help", Unit::text, shown},
       [&](const Finding& one) { return help_of(view, one); }}};
  return make_view(columns, view.findings);
}

std::vector<std::size_t> sites_of_summary(const ProfileView& view) {
  std::set<std::size_t> sites;
  for (const Finding& one : view.findings) {
    if (one.site) sites.insert(static_cast<std::size_t>(*one.site));
  }
  const profile::ParallelRegion* const waiting = most_waiting_region(view.profile);
  if (waiting != nullptr && waiting->site) sites.insert(static_cast<std::size_t>(*waiting->site));
  return {sites.begin(), sites.end()};
}

}  // namespace hockney::report

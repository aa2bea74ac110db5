#include "components/application/screens/finding_words.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <string_view>

#include "components/application/screens/function_views.hpp"
#include "components/application/screens/profile_views.hpp"
#include "core/text.hpp"
#include "report/table.hpp"

namespace hockney::report {
namespace {

/// Sentences about causes.
namespace words {

constexpr std::string_view in_turn =
    "In turn, another rank is the last at {}: {} of the run is waiting for it";
constexpr std::string_view rank_computes = "Rank {} computes {}{}";
constexpr std::string_view ranks_compute = "Rank {} and {} compute {}{}";
constexpr std::string_view waiting_for = "; {} of the run is waiting for {}";
constexpr std::string_view by_cpu_time = " (CPU time {} against {})";
constexpr std::string_view longer_than_other = "{} times as long as the other rank";
constexpr std::string_view longer_than_median = "{} times as long as the median rank";
constexpr std::string_view others_do_not = "and the others do not";
constexpr std::string_view others_wait = "; the others wait in {}";
constexpr std::string_view starved =
    "{} got {} of a CPU: {}. Times below are not the program's: {} of the run is not scheduled{}";
constexpr std::string_view cpu_limit = "a CPU limit of the control group stopped them";
constexpr std::string_view other_ranks = "more ranks than CPUs share them";
constexpr std::string_view other_processes = "other processes ran on {} cores{}";
constexpr std::string_view own_threads = "{} own threads share {} cores";
constexpr std::string_view by_switches = ", estimated from context switches";
constexpr std::string_view slow_node =
    "The ranks on {} compute {} times as long as those on other nodes; {} of the run is waiting "
    "for them";
constexpr std::string_view files_take = "Files take {} of the run{}{}";
constexpr std::string_view files_on_rank = ", nearly all on rank {}";
constexpr std::string_view serialisation =
    "Ranks work one after the other: {} of {} compute at a time; {} of the run is waiting, most "
    "in {}";
constexpr std::string_view late_senders = "Receivers wait for late senders in {}: {} of the run{}";
constexpr std::string_view senders_wait =
    "Senders wait in {} until the receive is posted: {} of the run{}";
constexpr std::string_view above_limit = "; messages of {}{} are above the eager limit";
constexpr std::string_view after_last_rank =
    "{} takes {} of the run after the last rank has entered{}";
constexpr std::string_view none_late = "{} takes {} of the run even when no rank is late{}";
constexpr std::string_view messages_take = "Messages take {} of the run{}{}";
constexpr std::string_view mean_message = ": {} of {} on average";
constexpr std::string_view starts_processes = "{} takes {} of the run: it starts processes";
constexpr std::string_view with_other_job =
    "{} takes {} of the run, with processes of another job that are not followed";
constexpr std::string_view without_log = " (estimated without a log)";
constexpr std::string_view not_known = "What takes the {} in MPI is not known{}";
constexpr std::string_view as_no_log = " without a log (--log)";
constexpr std::string_view no_cause = "No cause takes {} of the run: it computes for {}";

}  // namespace words

/// Sentences about what would help.
namespace help {

constexpr std::string_view raise_limit =
    "raise the limit (cpu.max) or use fewer ranks, and run again";
constexpr std::string_view one_rank_per_cpu =
    "start at most one rank per CPU, bound to it, and run again: hockney where";
constexpr std::string_view cores_for_threads =
    "bind each rank to {0} cores (mpirun --map-by slot:PE={0}), or start fewer threads, and run "
    "again";
constexpr std::string_view free_cores = "free the cores, and run again: no MPI setting helps";
constexpr std::string_view balance = "balanced, the run would take {}{}";
constexpr std::string_view even_work =
    "with even work between these calls, the run would take {}{}";
constexpr std::string_view check_node =
    "check that node, or leave it out; as fast as the others, the run would take {}";
constexpr std::string_view write_less =
    "write less often, or from all ranks (MPI_File_write_all); without files {}{}";
constexpr std::string_view divide_work =
    "divide the work so that ranks overlap (smaller pieces, a pipeline): at most to {}{}";
constexpr std::string_view send_earlier =
    "send earlier, or compute between MPI_Irecv and MPI_Wait: at most to {}{}";
constexpr std::string_view receive_earlier =
    "post receives earlier, send with MPI_Isend, or raise the limit (hockney advise): at most to "
    "{}";
constexpr std::string_view combine_calls =
    "combine calls, start them nonblocking, or try other algorithms (hockney advise): at most to "
    "{}";
constexpr std::string_view join_messages = "put small messages together into one: at most to {}";
constexpr std::string_view overlap =
    "compute while messages travel (MPI_Isend, MPI_Irecv, then MPI_Waitall): at most to {}";
constexpr std::string_view start_once =
    "start processes once and keep them, or with the job (mpirun -n): at most to {}";
constexpr std::string_view other_profile =
    "the profile of that job says what it does meanwhile (NAME.world2.json)";
constexpr std::string_view settings_do_not_help = "; MPI settings do not help against it";
constexpr std::string_view settings_gain = "; MPI settings gain at most {}";

}  // namespace help

using applications::ContentionSource;
using applications::Finding;
using applications::FindingKind;

/// Mean size up to which putting messages together helps more than moving them faster [B].
constexpr double small_message = 1024;

std::string region_words(const ProfileView& view, const Finding& finding) {
  if (!finding.region) return {};
  const auto& region = view.report.profile.regions.at(static_cast<std::size_t>(*finding.region));
  return fmt::format(" of region '{}'", escaped(region.name));
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
  const std::string call = escaped(finding.call);
  const std::string site = short_site(view, finding);
  const std::string region = region_words(view, finding);
  if (call.empty()) return site.empty() ? "" : site + region;
  return fmt::format("{}{}{}", call, site.empty() ? "" : " in " + site, region);
}

/// "2.7 times as long as the median rank".
std::string longer_words(const ProfileView& view, const Finding& finding) {
  if (!(finding.ratio > 0)) return std::string(words::others_do_not);
  const std::string ratio = significant(finding.ratio, 2);
  return view.report.profile.ranks.size() == 2 ? fmt::format(words::longer_than_other, ratio)
                                               : fmt::format(words::longer_than_median, ratio);
}

std::string imbalance_words(const ProfileView& view, const Finding& finding) {
  const std::string place = place_words(view, finding);
  const std::string share = share_text(finding.fraction);
  if (!finding.rank) return fmt::format(words::in_turn, place, share);
  const bool is_by_cpu_time = finding.cpu_seconds > 0;
  std::string longer = longer_words(view, finding);
  if (is_by_cpu_time) {
    longer += fmt::format(words::by_cpu_time, short_time(finding.cpu_seconds),
                          short_time(finding.other_cpu_seconds));
  }
  std::string where;
  if (finding.function) {
    where = ", in " + function_text(*finding.function);
  } else if (!place.empty()) {
    where = finding.is_by_log ? ", before " + place : fmt::format(words::others_wait, place);
  }
  const bool is_one = finding.ranks_alike <= 1;
  const auto others = static_cast<std::size_t>(finding.ranks_alike - 1);
  const std::string text = is_one ? fmt::format(words::rank_computes, *finding.rank, longer, where)
                                  : fmt::format(words::ranks_compute, *finding.rank,
                                                count_text(others, "other"), longer, where);
  if (is_by_cpu_time) return text;  // ranks wait for others that have no CPU, too
  return text + fmt::format(words::waiting_for, share, is_one ? "it" : "them");
}

std::string taker_words(const ProfileView& view, const Finding& finding) {
  switch (finding.source.value_or(ContentionSource::other_processes)) {
    case ContentionSource::cpu_limit:
      return std::string(words::cpu_limit);
    case ContentionSource::other_ranks:
      return std::string(words::other_ranks);
    case ContentionSource::own_threads:
      return finding.rank ? fmt::format(words::own_threads, "its", "its")
                          : fmt::format(words::own_threads, "their", "their");
    case ContentionSource::other_processes:
      return fmt::format(words::other_processes, finding.rank ? "its" : "their",
                         view.busy.empty() ? "" : ", busy: " + escaped(view.busy));
  }
  return {};
}

std::string starved_words(const ProfileView& view, const Finding& finding) {
  const bool is_estimated = view.report.cpu && view.report.cpu->is_estimated;
  return fmt::format(words::starved,
                     finding.rank ? fmt::format("Rank {}", *finding.rank) : "The ranks",
                     fixed_text(finding.ratio, 2), taker_words(view, finding),
                     share_text(finding.fraction), is_estimated ? words::by_switches : "");
}

bool is_small(const Finding& finding) {
  const auto mean = finding.volume.mean_bytes();
  constexpr std::int64_t many = 1000;
  return finding.volume.count >= many && mean && *mean <= small_message;
}

std::string transfer_words(const ProfileView& view, const Finding& finding) {
  const std::string place = place_words(view, finding);
  const auto mean = finding.volume.mean_bytes();
  return fmt::format(
      words::messages_take, share_text(finding.fraction),
      mean ? fmt::format(words::mean_message, finding.volume.count, short_bytes(*mean)) : "",
      place.empty() ? "" : ", most in " + place);
}

std::string late_receive_words(const ProfileView& view, const Finding& finding) {
  const applications::Volume& volume = finding.volume;
  const std::string above =
      volume.count > 0
          ? fmt::format(words::above_limit, short_bytes(static_cast<double>(volume.min_bytes)),
                        volume.max_bytes > volume.min_bytes ? " and more" : "")
          : "";
  return fmt::format(words::senders_wait, place_words(view, finding), share_text(finding.fraction),
                     above);
}

std::string collective_words(const ProfileView& view, const Finding& finding) {
  const std::string place = place_words(view, finding);
  const std::string share = share_text(finding.fraction);
  const std::optional<double> mean = finding.volume.mean_bytes();
  const std::string size = mean && *mean > 0 ? fmt::format(" ({} a call)", short_bytes(*mean)) : "";
  return finding.is_by_log ? fmt::format(words::after_last_rank, place, share, size)
                           : fmt::format(words::none_late, place, share, size);
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
  const std::string share = share_text(finding.fraction);
  switch (finding.kind) {
    case FindingKind::starved_cpu:
      return starved_words(view, finding);
    case FindingKind::imbalance:
      return imbalance_words(view, finding);
    case FindingKind::slow_node:
      return fmt::format(words::slow_node, escaped(finding.node), significant(finding.ratio, 2),
                         share);
    case FindingKind::io:
      return fmt::format(words::files_take, share,
                         finding.rank ? fmt::format(words::files_on_rank, *finding.rank) : "",
                         finding.call.empty() ? "" : ", most in " + place);
    case FindingKind::serialisation:
      return fmt::format(words::serialisation, fixed_text(finding.concurrency, 1),
                         view.report.profile.world_ranks, share, place);
    case FindingKind::late_sender:
      return fmt::format(words::late_senders, place, share,
                         finding.rank ? fmt::format(", most for rank {}", *finding.rank) : "");
    case FindingKind::eager_limit:
      return late_receive_words(view, finding);
    case FindingKind::slow_collective:
      return collective_words(view, finding);
    case FindingKind::transfer:
      return transfer_words(view, finding);
    case FindingKind::starting:
      return fmt::format(words::starts_processes, place, share);
    case FindingKind::other_job:
      return fmt::format(words::with_other_job, place, share);
  }
  return {};
}

/// Without a log, waiting is estimated from the fastest calls. Sums over ranks are exact.
bool is_estimated(const Finding& finding) {
  switch (finding.kind) {
    case FindingKind::starved_cpu:
    case FindingKind::slow_node:
    case FindingKind::io:
    case FindingKind::starting:
    case FindingKind::other_job:
      return false;
    case FindingKind::imbalance:
      return !finding.is_by_log && !finding.rank;
    default:
      return !finding.is_by_log;
  }
}

}  // namespace

std::string sentence_of(const ProfileView& view, const Finding& finding) {
  std::string text = words_of(view, finding);
  if (is_estimated(finding)) text += words::without_log;
  return text;
}

namespace {

std::string run_without(const ProfileView& view, const Finding& finding) {
  const double ratio = finding.without_seconds / view.report.split.seconds;
  return fmt::format("{} (-{})", short_time(finding.without_seconds),
                     share_text(std::max(0.0, 1 - ratio)));
}

/// "; MPI settings gain at most 0.4 %".
std::string settings_words(const ProfileView& view, const Finding& finding) {
  const bool is_computing =
      finding.kind == FindingKind::imbalance || finding.kind == FindingKind::io;
  if (!view.report.most_by_settings) {
    return std::string(is_computing && finding.rank ? help::settings_do_not_help : "");
  }
  return fmt::format(help::settings_gain, share_text(*view.report.most_by_settings));
}

std::string starved_help(const Finding& finding) {
  switch (finding.source.value_or(ContentionSource::other_processes)) {
    case ContentionSource::cpu_limit:
      return std::string(help::raise_limit);
    case ContentionSource::other_ranks:
      return std::string(help::one_rank_per_cpu);
    case ContentionSource::own_threads:
      return fmt::format(help::cores_for_threads, finding.threads);
    case ContentionSource::other_processes:
      return std::string(help::free_cores);
  }
  return {};
}

}  // namespace

std::string help_of(const ProfileView& view, const Finding& finding) {
  const std::string without = run_without(view, finding);
  const std::string settings = settings_words(view, finding);
  switch (finding.kind) {
    case FindingKind::starved_cpu:
      return starved_help(finding);
    case FindingKind::imbalance:
      return finding.rank ? fmt::format(help::balance, without, settings)
                          : fmt::format(help::even_work, without, settings);
    case FindingKind::slow_node:
      return fmt::format(help::check_node, without);
    case FindingKind::io:
      return fmt::format(help::write_less, without, settings);
    case FindingKind::serialisation:
      return fmt::format(help::divide_work, without, settings);
    case FindingKind::late_sender:
      return fmt::format(help::send_earlier, without, settings);
    case FindingKind::eager_limit:
      return fmt::format(help::receive_earlier, without);
    case FindingKind::slow_collective:
      return fmt::format(help::combine_calls, without);
    case FindingKind::transfer:
      return is_small(finding) ? fmt::format(help::join_messages, without)
                               : fmt::format(help::overlap, without);
    case FindingKind::starting:
      return fmt::format(help::start_once, without);
    case FindingKind::other_job:
      return std::string(help::other_profile);
  }
  return {};
}

namespace {

/// For a run without a finding worth naming; empty if no time passed.
Lines no_cause(const ProfileView& view) {
  const applications::TimeParts& mean = view.report.split.mean;
  if (view.report.split.ranks == 0 || !(mean.whole() > 0)) return {};
  const double mpi = mean.mpi_seconds / mean.whole();
  if (mpi >= applications::least_named_finding && !view.report.replay) {
    // With a log, reliability begins with what is wrong with it.
    return {fmt::format(words::not_known, share_text(mpi),
                        view.report.profile.log ? "" : words::as_no_log)};
  }
  return {fmt::format(words::no_cause, share_text(applications::least_named_finding),
                      share_text(mean.outside_mpi() / mean.whole()))};
}

}  // namespace

Lines causes_of(const ProfileView& view) {
  const auto& findings = view.report.findings;
  const double least = applications::least_named_finding * scheduled_share(view.report.cpu);
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
                              : fmt::format("{} {}", name_of(findings[i].kind),
                                            share_text(findings[i].fraction)));
  }
  if (!others.empty()) lines.push_back("then: " + join(others, "; "));
  return lines;
}

namespace {

/// The columns of a finding. The view must outlive them.
Columns<Finding> finding_columns(const ProfileView& view) {
  const Forms shown = Form::terminal | Form::csv;
  return {
      {{"kind", "cause", Unit::text, shown}, [](const Finding& one) { return name_of(one.kind); }},
      {{"kind", "cause", Unit::text, Form::json},
       [](const Finding& one) { return std::string(word(one.kind)); }},
      {{"rank", "rank", Unit::count},
       [](const Finding& one) { return one.rank ? Value(*one.rank) : Value(); }},
      {{"site", "site"},
       [&](const Finding& one) { return one.site ? Value(site_text(view, one.site)) : Value(); }},
      {{"function", "function", Unit::text, Form::csv | Form::json},
       [](const Finding& one) { return one.function ? Value(one.function->name) : Value(); }},
      {{"fraction", "of the run", Unit::share}, &Finding::fraction},
      {{"without_seconds", "without it", Unit::seconds, shown},
       [](const Finding& one) {
         return one.kind == FindingKind::starved_cpu ? Value() : Value(one.without_seconds);
       }},
      {{"sentence", "what"}, [&](const Finding& one) { return sentence_of(view, one); }},
      {{"help", "what would help"}, [&](const Finding& one) { return help_of(view, one); }}};
}

}  // namespace

View view_of_findings(const ProfileView& view) {
  return make_view(finding_columns(view), view.report.findings);
}

}  // namespace hockney::report

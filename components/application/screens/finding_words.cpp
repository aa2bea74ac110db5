#include "components/application/screens/finding_words.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <string_view>

#include "components/application/screens/function_views.hpp"
#include "components/application/screens/profile_views.hpp"
#include "core/text.hpp"
#include "report/table.hpp"

namespace hockney::report {
namespace {

using applications::ContentionSource;
using applications::Finding;
using applications::FindingKind;

/// What is said of a kind of cause. Names in braces are arguments of text_of().
struct FindingText {
  std::string_view name;
  std::string_view sentence;
  std::string_view help;
  bool needs_log = true;  ///< without one the time is an estimate, from the fastest calls
};

/// By FindingKind.
constexpr std::array texts{
    FindingText{
        "starved CPU",
        "{who} got {cpus} of a CPU: {source}. Times below are not the program's: {share} of "
        "the run is not scheduled{by_switches}",
        "{free_cpus}", false},
    FindingText{"imbalance", "{imbalance}", "{balanced}, the run would take {without}{settings}"},
    FindingText{
        "slow node",
        "The ranks on {node} compute {ratio} times as long as those on other nodes; {share} "
        "of the run is waiting for them",
        "check that node, or leave it out; as fast as the others, the run would take "
        "{without}",
        false},
    FindingText{"I/O", "Files take {share} of the run{files_on}{most_in}",
                "write less often, or from all ranks (MPI_File_write_all); without files "
                "{without}{settings}",
                false},
    FindingText{"serialisation",
                "Ranks work one after the other: {concurrency} of {ranks} compute at a time; "
                "{share} of the run is waiting, most in {place}",
                "divide the work so that ranks overlap (smaller pieces, a pipeline): at most to "
                "{without}{settings}"},
    FindingText{"late sender",
                "Receivers wait for late senders in {place}: {share} of the run{most_for}",
                "send earlier, or compute between MPI_Irecv and MPI_Wait: at most to "
                "{without}{settings}"},
    FindingText{"eager limit",
                "Senders wait in {place} until the receive is posted: {share} of the "
                "run{above_limit}",
                "post receives earlier, send with MPI_Isend, or raise the limit (hockney advise): "
                "at most to {without}"},
    FindingText{"slow collective", "{place} takes {share} of the run {alone}{each}",
                "combine calls, start them nonblocking, or try other algorithms (hockney advise): "
                "at most to {without}"},
    FindingText{"transfer", "Messages take {share} of the run{mean_message}{most_in}",
                "{fewer_messages}: at most to {without}"},
    FindingText{"starting", "{place} takes {share} of the run: it starts processes",
                "start processes once and keep them, or with the job (mpirun -n): at most to "
                "{without}",
                false},
    FindingText{"other job",
                "{place} takes {share} of the run, with processes of another job that are not "
                "followed",
                "the profile of that job says what it does meanwhile (NAME.world2.json)", false}};
static_assert(texts.size() == enum_words<FindingKind>.size());

const FindingText& text_of(FindingKind kind) { return texts[static_cast<std::size_t>(kind)]; }

/// Parts of these sentences.
namespace words {

constexpr std::string_view in_turn =
    "In turn, another rank is the last at {}: {} of the run is waiting for it";
constexpr std::string_view rank_computes = "Rank {}{} {} {}{}";
constexpr std::string_view waiting_for = "; {} of the run is waiting for {}";
constexpr std::string_view by_cpu_time = " (CPU time {} against {})";
constexpr std::string_view longer = "{} times as long as the {} rank";
constexpr std::string_view others_do_not = "and the others do not";
constexpr std::string_view others_wait = "; the others wait in {}";
constexpr std::string_view cpu_limit = "a CPU limit of the control group stopped them";
constexpr std::string_view other_ranks = "more ranks than CPUs share them";
constexpr std::string_view other_processes = "other processes ran on {} cores{}";
constexpr std::string_view own_threads = "{0} own threads share {0} cores";
constexpr std::string_view by_switches = ", estimated from context switches";
constexpr std::string_view raise_limit =
    "raise the limit (cpu.max) or use fewer ranks, and run again";
constexpr std::string_view one_rank_per_cpu =
    "start at most one rank per CPU, bound to it, and run again: hockney where";
constexpr std::string_view cores_for_threads =
    "bind each rank to {0} cores (mpirun --map-by slot:PE={0}), or start fewer threads, and run "
    "again";
constexpr std::string_view free_cores = "free the cores, and run again: no MPI setting helps";
constexpr std::string_view even_work = "with even work between these calls";
constexpr std::string_view above_limit = "; messages of {}{} are above the eager limit";
constexpr std::string_view after_last_rank = "after the last rank has entered";
constexpr std::string_view none_late = "even when no rank is late";
constexpr std::string_view join_messages = "put small messages together into one";
constexpr std::string_view overlap =
    "compute while messages travel (MPI_Isend, MPI_Irecv, then MPI_Waitall)";
constexpr std::string_view settings_do_not_help = "; MPI settings do not help against it";
constexpr std::string_view settings_gain = "; MPI settings gain at most {}";
constexpr std::string_view without_log = " (estimated without a log)";
constexpr std::string_view not_known = "What takes the {} in MPI is not known{}";
constexpr std::string_view as_no_log = " without a log (--log)";
constexpr std::string_view no_cause = "No cause takes {} of the run: it computes for {}";

}  // namespace words

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
  return fmt::format(words::longer, significant(finding.ratio, 2),
                     view.report.profile.ranks.size() == 2 ? "other" : "median");
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
  const std::string others =
      is_one ? ""
             : " and " + count_text(static_cast<std::size_t>(finding.ranks_alike - 1), "other");
  const std::string text = fmt::format(words::rank_computes, *finding.rank, others,
                                       is_one ? "computes" : "compute", longer, where);
  if (is_by_cpu_time) return text;  // ranks wait for others that have no CPU, too
  return text + fmt::format(words::waiting_for, share, is_one ? "it" : "them");
}

/// Who had the CPUs, and what would free them.
struct Contention {
  std::string source;
  std::string help;
};

Contention contention_words(const ProfileView& view, const Finding& finding) {
  const char* const whose = finding.rank ? "its" : "their";
  switch (finding.source.value_or(ContentionSource::other_processes)) {
    case ContentionSource::cpu_limit:
      return {std::string(words::cpu_limit), std::string(words::raise_limit)};
    case ContentionSource::other_ranks:
      return {std::string(words::other_ranks), std::string(words::one_rank_per_cpu)};
    case ContentionSource::own_threads:
      return {fmt::format(words::own_threads, whose),
              fmt::format(words::cores_for_threads, finding.threads)};
    case ContentionSource::other_processes:
      break;
  }
  return {fmt::format(words::other_processes, whose,
                      view.busy.empty() ? "" : ", busy: " + escaped(view.busy)),
          std::string(words::free_cores)};
}

bool is_small(const Finding& finding) {
  const auto mean = finding.volume.mean_bytes();
  constexpr std::int64_t many = 1000;
  return finding.volume.count >= many && mean && *mean <= small_message;
}

/// "; messages of 64 KB and more are above the eager limit"; empty if their sizes are not known.
std::string above_limit_words(const applications::Volume& volume) {
  if (volume.count == 0) return {};
  return fmt::format(words::above_limit, short_bytes(static_cast<double>(volume.min_bytes)),
                     volume.max_bytes > volume.min_bytes ? " and more" : "");
}

/// "; MPI settings gain at most 0.4 %".
std::string settings_words(const ProfileView& view, const Finding& finding) {
  const bool is_computing =
      finding.kind == FindingKind::imbalance || finding.kind == FindingKind::io;
  if (!view.report.most_by_settings) {
    return std::string(is_computing && finding.rank ? words::settings_do_not_help : "");
  }
  return fmt::format(words::settings_gain, share_text(*view.report.most_by_settings));
}

std::string run_without(const ProfileView& view, const Finding& finding) {
  const double ratio = finding.without_seconds / view.report.split.seconds;
  return fmt::format("{} (-{})", short_time(finding.without_seconds),
                     share_text(std::max(0.0, 1 - ratio)));
}

/// A sentence or a help of a FindingText with the numbers of a finding.
std::string filled(std::string_view text, const ProfileView& view, const Finding& finding) {
  const std::string place = place_words(view, finding);
  const auto mean = finding.volume.mean_bytes();
  const auto of_rank = [&](const char* before) {
    return finding.rank ? fmt::format("{}{}", before, *finding.rank) : std::string();
  };
  const bool is_estimated = view.report.cpu && view.report.cpu->is_estimated;
  const Contention contention = contention_words(view, finding);
  return fmt::format(
      fmt::runtime(text), fmt::arg("place", place), fmt::arg("share", share_text(finding.fraction)),
      fmt::arg("who", finding.rank ? of_rank("Rank ") : "The ranks"),
      fmt::arg("cpus", fixed_text(finding.ratio, 2)), fmt::arg("source", contention.source),
      fmt::arg("free_cpus", contention.help),
      fmt::arg("by_switches", is_estimated ? words::by_switches : ""),
      fmt::arg("imbalance", imbalance_words(view, finding)),
      fmt::arg("balanced", finding.rank ? "balanced" : words::even_work),
      fmt::arg("node", escaped(finding.node)), fmt::arg("ratio", significant(finding.ratio, 2)),
      fmt::arg("files_on", of_rank(", nearly all on rank ")),
      fmt::arg("most_in", place.empty() ? "" : ", most in " + place),
      fmt::arg("concurrency", fixed_text(finding.concurrency, 1)),
      fmt::arg("ranks", view.report.profile.world_ranks),
      fmt::arg("most_for", of_rank(", most for rank ")),
      fmt::arg("above_limit", above_limit_words(finding.volume)),
      fmt::arg("alone", finding.is_by_log ? words::after_last_rank : words::none_late),
      fmt::arg("each", mean && *mean > 0 ? fmt::format(" ({} a call)", short_bytes(*mean)) : ""),
      fmt::arg("mean_message",
               mean ? fmt::format(": {} of {} on average", finding.volume.count, short_bytes(*mean))
                    : ""),
      fmt::arg("fewer_messages", is_small(finding) ? words::join_messages : words::overlap),
      fmt::arg("without", run_without(view, finding)),
      fmt::arg("settings", settings_words(view, finding)));
}

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

std::string name_of(FindingKind kind) { return std::string(text_of(kind).name); }

std::string sentence_of(const ProfileView& view, const Finding& finding) {
  const FindingText& text = text_of(finding.kind);
  const bool is_sum = finding.kind == FindingKind::imbalance && finding.rank;  // over one rank
  const bool is_estimated = text.needs_log && !finding.is_by_log && !is_sum;
  return fmt::format("{}{}", filled(text.sentence, view, finding),
                     is_estimated ? words::without_log : "");
}

std::string help_of(const ProfileView& view, const Finding& finding) {
  return filled(text_of(finding.kind).help, view, finding);
}

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

View view_of_findings(const ProfileView& view) {
  return make_view(finding_columns(view), view.report.findings);
}

}  // namespace hockney::report

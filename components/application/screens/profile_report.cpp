#include "components/application/screens/profile_report.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <filesystem>
#include <iterator>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include "components/application/screens/finding_words.hpp"
#include "components/application/screens/function_views.hpp"
#include "components/application/screens/profile_views.hpp"
#include "components/application/screens/time_line_views.hpp"
#include "core/quantities.hpp"
#include "core/record.hpp"
#include "core/shell.hpp"
#include "core/text.hpp"
#include "report/table.hpp"

namespace hockney::report {
namespace {

/// Sentences of this screen.
namespace words {

constexpr std::string_view other_library =
    "the eager limits are those of {}, the program ran under {}";
constexpr std::string_view limits_not_reached =
    "no message went as far as the eager limits are known";
constexpr std::string_view recording_took = "recording took {} of the time, {} ns a call";
constexpr std::string_view recording_took_less =
    "recording took less than {} of the time, {} ns a call";
constexpr std::string_view efficiency =
    "{} parallel = {} load balance x {} communication (POP, multiplicative)";
constexpr std::string_view efficiency_by_replay =
    "{} parallel = {} load balance x {} serialisation x {} transfer (POP, multiplicative)";
constexpr std::string_view time_in_mpi = "of the run, in MPI: load imbalance {}, communication {}";
constexpr std::string_view late_receives = "{} for late receives (rendezvous)";
constexpr std::string_view critical_path = "path: {} computing{}, {} transfer";
constexpr std::string_view explained_by_pattern = " ({} % of the bytes)";
constexpr std::string_view mean_call_message = ", {} a message on average";
constexpr std::string_view leaving_node = "; {} of the bytes leave their node";
constexpr std::string_view threads_wait = "wait {} of the time in {}, {} of the run";
constexpr std::string_view slowest_thread = "; the slowest computes {} times as long as the mean";
constexpr std::string_view messages_above_limit =
    "{} of the messages and {} of the bytes are above it";
constexpr std::string_view perhaps_above = ", perhaps {} of the messages more";
constexpr std::string_view just_above = "; within twice the limit: {}";
constexpr std::string_view profile_of_one_launch =
    "one launch: {} (hockney profile compare makes them of several)";
constexpr std::string_view without_intervals = "no figure has an interval";
constexpr std::string_view own_intervals = "intervals are of this launch alone";
constexpr std::string_view no_cpu_time =
    "CPU time is not known: an earlier version recorded the profile, or a simulator ran it";
constexpr std::string_view more_notes = "and {} more: --all";

}  // namespace words

using applications::share_of;

constexpr std::size_t fact_width = 13;  // of a label with its blanks
constexpr std::size_t most_calls = 3;
constexpr std::size_t most_notes = 2;
constexpr double least_shown = 0.005;  // of the time in MPI, of a call

/// A labelled fact of the summary, on as many lines as needed.
void add_fact(Lines& lines, const std::string& label, const std::string& text) {
  std::string head = label + std::string(fact_width - label.size(), ' ');
  for (const std::string& line : wrapped(text, screen_columns - fact_width)) {
    lines.push_back(head + line);
    head.assign(fact_width, ' ');
  }
}

/// "71 % computing, 27 % MPI, 2 % MPI files".
std::string time_words(const applications::TimeParts& mean) {
  std::vector<std::string> parts;
  const auto add = [&](double seconds, const std::string& name) {
    const auto share = share_of(seconds, mean.whole());
    if (share && (seconds > 0 || name == "computing")) {
      parts.push_back(fmt::format("{} {}", share_text(*share), name));
    }
  };
  add(mean.computing_seconds, "computing");
  add(mean.mpi_seconds, "MPI");
  add(mean.mpi_io_seconds, "MPI files");
  add(mean.io_seconds, "other files");
  add(mean.not_scheduled_seconds, "not scheduled");
  return join(parts);
}

std::string first_line(const ProfileView& view) {
  std::string line = fmt::format(
      "{} on {}, {}", count_text(static_cast<std::size_t>(view.report.profile.world_ranks), "rank"),
      count_text(static_cast<std::size_t>(view.report.nodes.known), "node"),
      short_time(view.report.split.seconds));
  if (const std::string words = time_words(view.report.split.mean); !words.empty())
    line += ": " + words;
  return line;
}

/// The overhead of recording.
void add_overhead(Lines& lines, const ProfileView& view) {
  if (!view.report.overhead || !view.report.overhead->fraction) return;
  constexpr double least = 1e-4;
  const double fraction = *view.report.overhead->fraction;
  const std::string a_call = fixed_text(view.report.overhead->seconds_per_call * nanoseconds, 0);
  lines.push_back(fraction < least
                      ? fmt::format(words::recording_took_less, format_fraction(least), a_call)
                      : fmt::format(words::recording_took, format_fraction(fraction), a_call));
}

void add_efficiency(Lines& lines, const ProfileView& view) {
  const applications::Efficiencies& found = view.report.efficiencies;
  if (!found.parallel || !found.load_balance || !found.communication) return;
  const std::string parallel = share_text(*found.parallel);
  const std::string balance = share_text(*found.load_balance);
  add_fact(
      lines, "efficiency",
      found.serialisation && found.transfer
          ? fmt::format(words::efficiency_by_replay, parallel, balance,
                        share_text(*found.serialisation), share_text(*found.transfer))
          : fmt::format(words::efficiency, parallel, balance, share_text(*found.communication)));
}

/// Reasons for the time in MPI: from a replay of the log, else from sums.
void add_reasons(Lines& lines, const ProfileView& view) {
  if (view.report.replay && view.report.replay->seconds > 0) {
    const applications::ReplaySplit& split = *view.report.replay;
    const auto share = [&](double seconds) { return share_text(seconds / split.seconds); };
    const applications::SplitTimes& times = split.times;
    std::vector<std::string> parts{share(split.load) + " load imbalance",
                                   share(times.dependency) + " waiting for others"};
    if (times.protocol) parts.push_back(fmt::format(words::late_receives, share(*times.protocol)));
    if (times.not_scheduled > 0) parts.push_back(share(times.not_scheduled) + " not scheduled");
    parts.push_back(share(times.transfer) +
                    (times.protocol ? " transfer" : " transfer and protocol"));
    lines.push_back("of the run: " + join(parts));
    return;
  }
  const auto shares = time_shares(view.report.split);
  if (!shares || shares->load_imbalance + shares->communication <= 0) return;
  lines.push_back(fmt::format(words::time_in_mpi, share_text(shares->load_imbalance),
                              share_text(shares->communication)));
}

/// "rank 3 61 %, rank 0 20 %": the ranks that compute the most on the critical path.
std::string critical_ranks(const applications::ReplaySplit& split) {
  constexpr std::size_t most_ranks = 3;
  std::vector<std::pair<double, std::size_t>> ranks;
  for (std::size_t rank = 0; rank < split.ranks.size(); ++rank) {
    ranks.emplace_back(split.ranks[rank].on_path.computing / split.seconds, rank);
  }
  std::ranges::stable_sort(ranks, std::greater<>(), [](const auto& one) { return one.first; });
  std::vector<std::string> parts;
  for (const auto& [share, rank] : ranks) {
    if (share < least_shown || parts.size() == most_ranks) break;
    parts.push_back(fmt::format("rank {} {}", rank, share_text(share)));
  }
  return parts.empty() ? "" : fmt::format(" ({})", join(parts));
}

/// The critical path.
void add_critical_path(Lines& lines, const ProfileView& view) {
  if (!view.report.replay || view.report.replay->seconds <= 0) return;
  const applications::ReplaySplit& split = *view.report.replay;
  const applications::PathTimes& path = split.times.on_path;
  const auto share = [&](double seconds) { return share_text(seconds / split.seconds); };
  std::string text = fmt::format(words::critical_path, share(path.computing), critical_ranks(split),
                                 share(path.transfer));
  const auto most = std::ranges::max_element(
      split.sites, {}, [](const auto& site) { return site.times.on_path.transfer; });
  if (most != split.sites.end() && most->times.on_path.transfer / split.seconds >= least_shown) {
    text += fmt::format(" ({} {})", escaped(most->call), share(most->times.on_path.transfer));
  }
  add_fact(lines, "critical", text);
}

/// "; 61 % of the bytes leave their node".
std::string leaving_words(const ProfileView& view) {
  const auto leaving = leaving_share(view.report.by_node, view.report.nodes);
  if (view.report.nodes.size() < 2 || !leaving) return {};
  return fmt::format(words::leaving_node, share_text(*leaving));
}

void add_pattern(Lines& lines, const ProfileView& view) {
  if (view.report.pattern.kind == applications::PatternKind::none) return;
  std::string text = name_of(view.report.pattern);
  const bool is_whole = view.report.pattern.explained > 0.9995;
  if (view.report.pattern.explained > 0 && !is_whole) {
    text += fmt::format(words::explained_by_pattern,
                        fixed_text(per_cent * view.report.pattern.explained, 1));
  }
  if (const auto mean = view.report.by_rank.total().mean_bytes()) {
    text += fmt::format(words::mean_call_message, short_bytes(*mean));
  }
  add_fact(lines, "pattern", text + leaving_words(view));
}

/// The longest calls: "MPI_Sendrecv 19 % of the run (28.8 KB), MPI_Allreduce 1 % (8 B)".
void add_calls(Lines& lines, const ProfileView& view) {
  const auto calls = applications::by_function(view.report.profile);
  double whole = 0;
  for (const auto& one : calls) whole += one.sums.seconds;
  std::vector<std::string> parts;
  for (const auto& [call, sums] : calls) {
    const auto of_run = share_of(sums.seconds, view.report.split.time_of_all());
    const bool is_reported = of_run && sums.seconds > 0 && sums.seconds >= least_shown * whole;
    if (!is_reported || parts.size() == most_calls) break;
    const auto mean = sums.volume.mean_bytes();
    const bool has_data = mean && sums.volume.bytes > 0;
    parts.push_back(fmt::format("{} {}{}{}", escaped(call), share_text(*of_run),
                                parts.empty() ? " of the run" : "",
                                has_data ? fmt::format(" ({})", short_bytes(*mean)) : ""));
  }
  if (parts.empty()) return;
  add_fact(lines, "calls", join(parts));
}

/// The parallel region whose threads wait longest, if that is a twentieth of the run.
void add_threads(Lines& lines, const ProfileView& view) {
  const profile::ParallelRegion* const worst =
      applications::most_waiting_region(view.report.profile);
  if (worst == nullptr) return;
  const double threads = worst->thread_seconds / worst->seconds;
  constexpr double least = 0.05;
  if (applications::waiting_seconds(*worst) < least * threads * view.report.split.time_of_all())
    return;
  const auto of_region = share_of(applications::waiting_seconds(*worst), worst->thread_seconds);
  const auto of_run = share_of(worst->seconds, view.report.split.time_of_all());
  std::string text =
      fmt::format(words::threads_wait, share_text(of_region.value_or(0)),
                  escaped(site_text(view, worst->site)), share_text(of_run.value_or(0)));
  if (const auto imbalance = applications::thread_imbalance(*worst)) {
    text += fmt::format(words::slowest_thread, significant(*imbalance, 2));
  }
  add_fact(lines, "threads", text);
}

std::string above_words(const applications::LimitUse& use) {
  const auto messages = share_of(use.above.count, use.messages.count);
  const auto bytes = share_of(use.above.bytes, use.messages.bytes);
  std::string text = fmt::format(words::messages_above_limit, share_text(messages.value_or(0)),
                                 share_text(bytes.value_or(0)));
  if (use.perhaps_above.count > 0) {
    const auto perhaps = share_of(use.perhaps_above.count, use.messages.count);
    text += fmt::format(words::perhaps_above, share_text(perhaps.value_or(0)));
  }
  return text;
}

void add_limits(Lines& lines, const ProfileView& view) {
  for (const applications::LimitUse& use : view.report.limits) {
    std::string text = fmt::format("{} up to {} B: {}", word(use.limits.reach),
                                   join_numbers(use.limits.limits_bytes, " or "), above_words(use));
    Names just_above;
    for (const auto& one : use.just_above) {
      just_above.add(fmt::format("{} of {} B", one.call, one.volume.min_bytes));
    }
    if (!just_above.empty()) text += fmt::format(words::just_above, just_above.text());
    add_fact(lines, "eager", text);
  }
}

Lines answer_of(const ProfileView& view) {
  Lines lines = causes_of(view);
  if (const std::string words = functions_words(view); !words.empty()) {
    add_fact(lines, "functions", words);
  }
  lines.push_back(first_line(view));
  if (view.report.lines && view.report.lines->iterations.count() > 0) {
    lines.push_back(iteration_words(view.report.lines->iterations));
  }
  add_reasons(lines, view);
  add_critical_path(lines, view);
  add_efficiency(lines, view);
  add_pattern(lines, view);
  add_calls(lines, view);
  add_threads(lines, view);
  add_limits(lines, view);
  return lines;
}

/// Limits that were measured under another MPI library, or nowhere that messages went.
void add_limit_doubts(Lines& lines, const applications::ProgramReport& report) {
  const std::string own = library_name(report.profile.provenance.mpi.library);
  Names others;
  for (const std::string& library : report.limit_libraries) {
    if (library_name(library) != own) others.add(library_name(library));
  }
  if (!others.empty()) {
    lines.push_back(fmt::format(words::other_library, others.text(), escaped(own)));
  }
  if (!report.limit_libraries.empty() && report.limits.empty()) {
    lines.emplace_back(words::limits_not_reached);
  }
}

Lines reliability_of(const ProfileView& view) {
  const profile::Profile& profile = view.report.profile;
  Lines lines;
  if (std::string shared = oversubscription_text({&profile, 1}); !shared.empty()) {
    lines.push_back(std::move(shared));
  }
  add_limit_doubts(lines, view.report);
  std::ranges::copy(view.report.doubts, std::back_inserter(lines));
  std::ranges::copy(view.doubts, std::back_inserter(lines));
  if (!view.report.cpu) lines.emplace_back(words::no_cpu_time);
  const std::size_t most =
      view.report.cpu ? most_notes : most_notes - 1;  // the line above is one, too
  for (std::size_t i = 0; i < std::min(profile.notes.size(), most); ++i) {
    lines.push_back(escaped(profile.notes[i]));
  }
  if (profile.notes.size() > most) {
    lines.push_back(
        fmt::format(words::more_notes, count_text(profile.notes.size() - most, "note")));
  }
  const bool has_interval =
      view.report.functions ||
      (view.report.lines && view.report.lines->iterations.interval);  // of shares; of a median
  lines.push_back(fmt::format(words::profile_of_one_launch,
                              has_interval ? words::own_intervals : words::without_intervals));
  add_overhead(lines, view);
  if (std::string words = sampling_words(view); !words.empty()) lines.push_back(std::move(words));
  return lines;
}

/// Time of the run, its parts and the median iteration.
std::vector<SummaryRow> figures_of(const ProfileView& view) {
  const applications::TimeParts& mean = view.report.split.mean;
  std::vector<SummaryRow> rows{{.label = "run", .value = view.report.split.seconds, .unit = "s"}};
  const auto add = [&](const std::string& label, double seconds) {
    const auto share = share_of(seconds, mean.whole());
    if (share) rows.push_back({.label = label, .value = per_cent * *share, .unit = "%"});
  };
  add("computing", mean.computing_seconds);
  add("MPI", mean.mpi_seconds);
  add("files", mean.mpi_io_seconds + mean.io_seconds);
  if (view.report.cpu) add("not scheduled", mean.not_scheduled_seconds);
  if (view.report.lines && view.report.lines->iterations.count() > 0) {
    const applications::Iterations& found = view.report.lines->iterations;
    rows.push_back({.label = "iteration",
                    .value = found.median_seconds,
                    .interval = found.interval,
                    .unit = "s",
                    .mark = "median of " + std::to_string(found.count())});
  }
  return rows;
}

}  // namespace

std::string run_line(const std::vector<std::string>& hosts, const profile::Profile& profile,
                     const std::string& last) {
  Names names;
  for (const std::string& host : hosts) names.add(host);
  std::vector<std::string> parts{names.text(),
                                 escaped(library_name(profile.provenance.mpi.library)),
                                 escaped(join(profile.provenance.command_line, " ")), last};
  std::erase(parts, "");
  return join(parts, "  ");
}

std::string site_text(const ProfileView& view, const std::optional<int>& site) {
  if (!site) return "-";
  const auto index = static_cast<std::size_t>(*site);
  const profile::Site& found = view.report.profile.sites.at(index);
  const SiteName name = index < view.site_names.size() ? view.site_names[index] : SiteName{};
  const std::string function = name.function.empty() ? found.function : name.function;
  const std::string module = std::filesystem::path(found.module).filename().string();
  const std::string place =
      name.place.empty()
          ? fmt::format("{}+0x{:x}", module, static_cast<std::uint64_t>(found.offset))
          : name.place;
  return escaped(function.empty() ? place : fmt::format("{} ({})", function, place));
}

std::string oversubscription_text(std::span<const profile::Profile> profiles) {
  std::map<CpuSharing, std::size_t> sharing;
  for (const profile::Profile& profile : profiles) {
    std::vector<RankPlace> places;
    places.reserve(profile.ranks.size());
    for (const profile::Rank& rank : profile.ranks) {
      places.push_back(
          {.rank = rank.rank, .host = rank.host, .requested_cpu = {}, .actual_cpus = rank.cpus});
    }
    if (const auto found = cpu_sharing(places)) ++sharing[*found];
  }
  return hockney::oversubscription_text(sharing, profiles.size());
}

Screen screen_of(const ProfileView& view) {
  const std::string file = escaped(shell_word(view.file));
  const std::string show = "hockney profile show " + file;
  std::vector<NextStep> next{{show + " --all", "calls, sizes, call sites, nodes, ranks"}};
  if (view.report.profile.log) {
    next.push_back({fmt::format("hockney advise {} RECORDS", file), "what is worth changing"});
  } else {
    next.push_back({show + " --page page.html", "pictures"});
  }
  return {.header = {run_line(view.report.nodes.names, view.report.profile,
                              escaped(view.report.profile.written_utc))},
          .answer = answer_of(view),
          .rows = figures_of(view),
          .verdict = {},
          .reliability = reliability_of(view),
          .next = std::move(next)};
}

}  // namespace hockney::report

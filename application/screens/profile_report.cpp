#include "application/screens/profile_report.hpp"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <map>
#include <sstream>
#include <utility>
#include <vector>

#include "application/screens/finding_words.hpp"
#include "application/screens/function_views.hpp"
#include "application/screens/profile_views.hpp"
#include "application/screens/time_line_views.hpp"
#include "core/error.hpp"
#include "core/quantities.hpp"
#include "core/record.hpp"
#include "core/text.hpp"
#include "report/table.hpp"

namespace hockney::report {
void find_causes_again(ProfileView& view) {
  const applications::Evidence evidence{view.profile,
                                        view.split,
                                        view.cpu,
                                        view.nodes,
                                        view.replay ? &*view.replay : nullptr,
                                        view.log ? &*view.log : nullptr,
                                        view.functions ? &*view.functions : nullptr};
  view.findings = find_causes(evidence);
  view.most_by_settings = most_by_settings(evidence);
}

namespace {

/// Doubts about limits that were measured under another MPI library.
std::vector<std::string> doubts_about(const profile::Profile& profile,
                                      std::span<const Record> records) {
  const std::string own = library_name(profile.provenance.mpi.library);
  Names others;
  for (const Record& record : records) {
    const std::string library = library_name(record.provenance.mpi.library);
    if (!record.protocols.empty() && library != own) others.add(library);
  }
  if (others.empty()) return {};
  return {"the eager limits are those of " + others.text() + ", the program ran under " +
          inert(own)};
}

std::string hexadecimal(std::int64_t number) {
  std::ostringstream text;
  text << std::hex << number;
  return text.str();
}

}  // namespace

ProfileView view_of(profile::Profile profile, const std::string& file,
                    std::span<const Record> records) {
  ProfileView view;
  view.file = file;
  view.split = applications::time_split(profile);
  view.by_rank = applications::message_matrix(profile);
  view.nodes = applications::nodes_of(profile);
  view.by_node = fused(view.by_rank, view.nodes);
  view.pattern = find_pattern(view.by_rank);
  view.price = applications::recording_price(profile);
  const auto limits = applications::eager_limits(records);
  view.limits = limit_uses(profile, limits);
  if (!limits.empty()) view.doubts = doubts_about(profile, records);
  if (!limits.empty() && view.limits.empty()) {
    view.doubts.emplace_back("no message went as far as the eager limits are known");
  }
  view.cpu = applications::cpu_summary(profile);
  view.profile = std::move(profile);
  find_causes_again(view);
  return view;
}

std::vector<std::optional<int>> sites_of_trace(const ProfileView& view,
                                               const applications::Trace& trace) {
  std::map<std::pair<std::string, std::int64_t>, int> known;
  for (std::size_t i = 0; i < view.profile.sites.size(); ++i) {
    const profile::Site& site = view.profile.sites[i];
    known[{site.module, site.offset}] = static_cast<int>(i);
  }
  std::vector<std::optional<int>> sites;
  for (const profile::Site& site : trace.sites) {
    const auto found = known.find({site.module, site.offset});
    sites.push_back(found == known.end() ? std::nullopt : std::optional(found->second));
  }
  return sites;
}

std::vector<applications::NotScheduled> lost_times(const ProfileView& view,
                                                   const applications::Trace& trace) {
  constexpr double least = 0.005;  // of the run
  if (!view.cpu || view.cpu->not_scheduled_share < least) return {};
  std::vector<applications::NotScheduled> lost;
  for (const applications::RankTrace& rank : trace.ranks) {
    const auto found = std::ranges::find(view.profile.ranks, rank.rank, &profile::Rank::rank);
    const auto seconds =
        found == view.profile.ranks.end() ? std::nullopt : applications::not_scheduled(*found);
    if (!seconds) return {};
    lost.push_back(*seconds);
  }
  return lost;
}

namespace {

/// The profile's region for each region of a trace.
std::vector<std::optional<int>> regions_of_trace(const ProfileView& view,
                                                 const applications::Trace& trace) {
  std::vector<std::optional<int>> regions;
  for (const profile::Region& region : trace.regions) {
    const auto found = std::ranges::find(view.profile.regions, region.name, &profile::Region::name);
    const bool is_known = found != view.profile.regions.end();
    regions.push_back(is_known
                          ? std::optional(static_cast<int>(found - view.profile.regions.begin()))
                          : std::nullopt);
  }
  return regions;
}

}  // namespace

void add_replay(ProfileView& view, const applications::TraceAnalysis& run,
                std::span<const Record> records) {
  const std::vector<applications::NotScheduled> lost = lost_times(view, run.trace());
  try {
    view.replay = split_by_replay(run, applications::eager_limits(records),
                                  view.profile.provenance.environment, lost);
  } catch (const Error& error) {
    view.doubts.emplace_back(error.what());
    return;
  }
  const applications::Trace& trace = run.trace();
  const auto sites = sites_of_trace(view, trace);
  const auto regions = regions_of_trace(view, trace);
  const auto rename_region = [&](std::optional<int>& region) {
    if (region) region = regions[static_cast<std::size_t>(*region)];
  };
  for (applications::SiteSplit& split : view.replay->sites) {
    if (split.site) split.site = sites[static_cast<std::size_t>(*split.site)];
    rename_region(split.region);
  }
  for (applications::RegionSplit& split : view.replay->regions) rename_region(split.region);
  view.clock_waits = wait_states(trace, run.matching(), run.clocks());
  view.log = log_facts(run, sites, regions, lost);
  find_causes_again(view);
  std::ranges::copy(view.replay->notes, std::back_inserter(view.doubts));
}

applications::Efficiencies efficiencies_of(const ProfileView& view) {
  applications::Efficiencies found = view.split.efficiencies();
  if (!view.replay) return found;
  found.serialisation = view.replay->serialisation();
  found.transfer = view.replay->transfer();
  return found;
}

std::string site_text(const ProfileView& view, const std::optional<int>& site) {
  if (!site) return "-";
  const auto index = static_cast<std::size_t>(*site);
  const profile::Site& found = view.profile.sites.at(index);
  const SiteName name = index < view.site_names.size() ? view.site_names[index] : SiteName{};
  const std::string function = name.function.empty() ? found.function : name.function;
  const std::string module = std::filesystem::path(found.module).filename().string();
  const std::string place =
      name.place.empty() ? module + "+0x" + hexadecimal(found.offset) : name.place;
  return inert(function.empty() ? place : function + " (" + place + ")");
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

namespace {

using applications::share_of;

constexpr std::size_t fact_width = 13;  // of a label with its blanks
constexpr std::size_t most_calls = 3;
constexpr std::size_t most_notes = 5;
constexpr double least_shown = 0.005;  // of the time in MPI, of a call

/// A labelled fact of the summary, on as many lines as needed.
void add_fact(Lines& lines, const std::string& label, const std::string& text) {
  std::string head = label + std::string(fact_width - label.size(), ' ');
  for (const std::string& line : wrapped(text, screen_columns - fact_width)) {
    lines.push_back(head + line);
    head.assign(fact_width, ' ');
  }
}

std::string ranks_words(const ProfileView& view) {
  return count_text(static_cast<std::size_t>(view.profile.world_ranks), "rank") + " on " +
         count_text(static_cast<std::size_t>(view.nodes.known), "node");
}

/// "71 % computing, 27 % MPI, 2 % MPI files".
std::string time_words(const applications::TimeParts& mean) {
  std::vector<std::string> parts;
  const auto add = [&](double seconds, const std::string& name) {
    const auto share = share_of(seconds, mean.whole());
    if (share && (seconds > 0 || name == "computing")) {
      parts.push_back(share_text(*share) + " " + name);
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
  std::string line = ranks_words(view) + ", " + short_time(view.split.seconds);
  if (const std::string words = time_words(view.split.mean); !words.empty()) line += ": " + words;
  return line;
}

/// The overhead of recording.
void add_price(Lines& lines, const ProfileView& view) {
  if (!view.price || !view.price->fraction) return;
  constexpr double least = 1e-4;
  const double fraction = *view.price->fraction;
  lines.push_back(
      "recording took " +
      (fraction < least ? "less than " + format_fraction(least) : format_fraction(fraction)) +
      " of the time, " + fixed_text(view.price->seconds_per_call * nanoseconds, 0) + " ns a call");
}

void add_efficiency(Lines& lines, const ProfileView& view) {
  const applications::Efficiencies found = efficiencies_of(view);
  if (!found.parallel || !found.load_balance || !found.communication) return;
  const std::string communication = found.serialisation && found.transfer
                                        ? share_text(*found.serialisation) + " serialisation x " +
                                              share_text(*found.transfer) + " transfer"
                                        : share_text(*found.communication) + " communication";
  add_fact(lines, "efficiency",
           share_text(*found.parallel) + " parallel = " + share_text(*found.load_balance) +
               " load balance x " + communication + " (POP, multiplicative)");
}

/// Reasons for the time in MPI: from a replay of the log, else from sums.
void add_reasons(Lines& lines, const ProfileView& view) {
  if (view.replay && view.replay->seconds > 0) {
    const applications::ReplaySplit& split = *view.replay;
    const auto share = [&](double seconds) { return share_text(seconds / split.seconds); };
    std::string text = "of the run: " + share(split.load) + " load imbalance, " +
                       share(split.times.dependency) + " waiting for others";
    if (split.times.protocol) {
      text += ", " + share(*split.times.protocol) + " for late receives (rendezvous)";
    }
    if (split.times.not_scheduled > 0) {
      text += ", " + share(split.times.not_scheduled) + " not scheduled";
    }
    lines.push_back(text + ", " + share(split.times.transfer) +
                    (split.times.protocol ? " transfer" : " transfer and protocol"));
    return;
  }
  const auto shares = time_shares(view.split);
  if (!shares || shares->load_imbalance + shares->communication <= 0) return;
  lines.push_back("of the run, in MPI: load imbalance " + share_text(shares->load_imbalance) +
                  ", communication " + share_text(shares->communication));
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
    parts.push_back("rank " + std::to_string(rank) + " " + share_text(share));
  }
  return parts.empty() ? "" : " (" + join(parts) + ")";
}

/// The critical path.
void add_critical_path(Lines& lines, const ProfileView& view) {
  if (!view.replay || view.replay->seconds <= 0) return;
  const applications::ReplaySplit& split = *view.replay;
  const applications::PathTimes& path = split.times.on_path;
  const auto share = [&](double seconds) { return share_text(seconds / split.seconds); };
  std::string text = "path: " + share(path.computing) + " computing" + critical_ranks(split) +
                     ", " + share(path.transfer) + " transfer";
  const auto most = std::ranges::max_element(
      split.sites, {}, [](const auto& site) { return site.times.on_path.transfer; });
  if (most != split.sites.end() && most->times.on_path.transfer / split.seconds >= least_shown) {
    text += " (" + inert(most->call) + " " + share(most->times.on_path.transfer) + ")";
  }
  add_fact(lines, "critical", text);
}

/// "; 61 % of the bytes leave their node".
std::string leaving_words(const ProfileView& view) {
  const auto leaving = leaving_share(view.by_node, view.nodes);
  if (view.nodes.size() < 2 || !leaving) return {};
  return "; " + share_text(*leaving) + " of the bytes leave their node";
}

void add_pattern(Lines& lines, const ProfileView& view) {
  if (view.pattern.kind == applications::PatternKind::none) return;
  std::string text = name_of(view.pattern);
  const bool is_whole = view.pattern.explained > 0.9995;
  if (view.pattern.explained > 0 && !is_whole) {
    text += " (" + fixed_text(per_cent * view.pattern.explained, 1) + " % of the bytes)";
  }
  if (const auto mean = view.by_rank.total().mean_bytes()) {
    text += ", " + short_bytes(*mean) + " a message on average";
  }
  add_fact(lines, "pattern", text + leaving_words(view));
}

/// The longest calls: "MPI_Sendrecv 19 % of the run (28.8 KB), MPI_Allreduce 1 % (8 B)".
void add_calls(Lines& lines, const ProfileView& view) {
  const auto calls = applications::by_function(view.profile);
  double whole = 0;
  for (const auto& one : calls) whole += one.sums.seconds;
  std::vector<std::string> parts;
  for (const auto& [call, sums] : calls) {
    const auto of_run = share_of(sums.seconds, view.split.time_of_all());
    const bool is_told = of_run && sums.seconds > 0 && sums.seconds >= least_shown * whole;
    if (!is_told || parts.size() == most_calls) break;
    const auto mean = sums.volume.mean_bytes();
    const bool has_data = mean && sums.volume.bytes > 0;
    parts.push_back(inert(call) + " " + share_text(*of_run) + (parts.empty() ? " of the run" : "") +
                    (has_data ? " (" + short_bytes(*mean) + ")" : ""));
  }
  if (parts.empty()) return;
  add_fact(lines, "calls", join(parts));
}

/// The parallel region whose threads wait longest, if that is a twentieth of the run.
void add_threads(Lines& lines, const ProfileView& view) {
  const profile::ParallelRegion* const worst = most_waiting_region(view.profile);
  if (worst == nullptr) return;
  const double threads = worst->thread_seconds / worst->seconds;
  constexpr double least = 0.05;
  if (waiting_seconds(*worst) < least * threads * view.split.time_of_all()) return;
  const auto of_region = share_of(waiting_seconds(*worst), worst->thread_seconds);
  const auto of_run = share_of(worst->seconds, view.split.time_of_all());
  std::string text = "wait " + share_text(of_region.value_or(0)) + " of the time in " +
                     inert(site_text(view, worst->site)) + ", " + share_text(of_run.value_or(0)) +
                     " of the run";
  if (const auto imbalance = thread_imbalance(*worst)) {
    text += "; the slowest computes " + significant(*imbalance, 2) + " times as long as the mean";
  }
  add_fact(lines, "threads", text);
}

std::string above_words(const applications::LimitUse& use) {
  const auto messages = share_of(use.above.count, use.messages.count);
  const auto bytes = share_of(use.above.bytes, use.messages.bytes);
  std::string text = share_text(messages.value_or(0)) + " of the messages and " +
                     share_text(bytes.value_or(0)) + " of the bytes are above it";
  if (use.perhaps_above.count > 0) {
    const auto perhaps = share_of(use.perhaps_above.count, use.messages.count);
    text += ", perhaps " + share_text(perhaps.value_or(0)) + " of the messages more";
  }
  return text;
}

void add_limits(Lines& lines, const ProfileView& view) {
  for (const applications::LimitUse& use : view.limits) {
    std::string text = std::string(word(use.limits.reach)) + " up to " +
                       join_numbers(use.limits.limits_bytes, " or ") + " B: " + above_words(use);
    Names just_above;
    for (const auto& one : use.just_above) {
      just_above.add(one.call + " of " + std::to_string(one.volume.min_bytes) + " B");
    }
    if (!just_above.empty()) text += "; within twice the limit: " + just_above.text();
    add_fact(lines, "eager", text);
  }
}

Lines answer_of(const ProfileView& view) {
  Lines lines = causes_of(view);
  lines.push_back(first_line(view));
  if (view.lines && view.lines->iterations.count() > 0) {
    lines.push_back(iteration_words(view.lines->iterations));
  }
  add_reasons(lines, view);
  add_critical_path(lines, view);
  add_efficiency(lines, view);
  add_pattern(lines, view);
  add_calls(lines, view);
  if (const std::string words = functions_words(view); !words.empty()) {
    add_fact(lines, "functions", words);
  }
  add_threads(lines, view);
  add_limits(lines, view);
  return lines;
}

Lines reliability_of(const ProfileView& view) {
  const profile::Profile& profile = view.profile;
  Lines lines;
  if (std::string shared = oversubscription_text({&profile, 1}); !shared.empty()) {
    lines.push_back(std::move(shared));
  }
  lines.emplace_back(
      "one launch: no figure has an interval (hockney profile compare makes them of several)");
  add_price(lines, view);
  if (std::string words = sampling_words(view); !words.empty()) lines.push_back(std::move(words));
  if (!view.cpu) {
    lines.emplace_back(
        "CPU time is not known: an earlier version recorded the profile, or a simulator ran it");
  }
  const std::size_t most = view.cpu ? most_notes : most_notes - 1;  // the line above is one, too
  for (std::size_t i = 0; i < std::min(profile.notes.size(), most); ++i) {
    lines.push_back(inert(profile.notes[i]));
  }
  if (profile.notes.size() > most) {
    lines.push_back("and " + count_text(profile.notes.size() - most, "note") + " more: --all");
  }
  std::ranges::copy(view.doubts, std::back_inserter(lines));
  return lines;
}

Lines header_line(const ProfileView& view) {
  Names hosts;
  for (const std::string& name : view.nodes.names) hosts.add(name);
  std::vector<std::string> parts{
      hosts.text(), inert(library_name(view.profile.provenance.mpi.library)),
      inert(join(view.profile.provenance.command_line, " ")), inert(view.profile.written_utc)};
  std::erase(parts, "");
  return {join(parts, "  ")};
}

}  // namespace

Screen screen_of(const ProfileView& view) {
  const std::string show = "hockney profile show " + inert(view.file);
  std::vector<NextStep> next{{show + " --page page.html", "pictures"},
                             {show + " --all", "calls, sizes, call sites, nodes, ranks"}};
  if (view.limits.empty()) next.push_back({show + " RECORDS", "sizes against eager limits"});
  if (view.profile.log) next.push_back({show + " --timeline t.json", "every call, for Perfetto"});
  if (view.profile.log) {
    next.push_back({"hockney advise " + inert(view.file) + " RECORDS", "what is worth changing"});
  }
  next.push_back({"hockney profile compare " + inert(view.file) + " OTHER", "what grew"});
  return {.header = header_line(view),
          .answer = answer_of(view),
          .verdict = {},
          .reliability = reliability_of(view),
          .next = std::move(next)};
}

}  // namespace hockney::report

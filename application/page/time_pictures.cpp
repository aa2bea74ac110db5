#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <string_view>

#include "application/page/profile_page.hpp"
#include "application/screens/comparison_report.hpp"
#include "application/screens/finding_words.hpp"
#include "application/screens/profile_views.hpp"
#include "core/text.hpp"
#include "report/page/plot.hpp"
#include "report/table.hpp"

namespace hockney::report {
namespace {

using Json = nlohmann::json;

/// Sentences of this page.
namespace words {

constexpr std::string_view compute_alike = "All ranks compute about as long, {} of {}";
constexpr std::string_view computes_longest =
    "Rank {} computes longest, {}; the mean is {} (load balance {})";
constexpr std::string_view bars_by_replay =
    "A bar for each rank, from its end of MPI_Init on. By a replay of the log on a network that "
    "costs nothing: a rank waits for others until what they computed lets it go on, load imbalance "
    "among it; transfer is the rest, and below zero where a rank waited less than the replay.";
constexpr std::string_view bars_by_sums =
    "A bar for each rank, from its end of MPI_Init on. A log of events shows why ranks are in MPI "
    "(hockney profile --log).";
constexpr std::string_view ranks_put_together =
    " {} are put together to {}: each is the mean of its ranks.";
constexpr std::string_view causes =
    "Causes of the time and their part of the run, worst first. The table has what would help. "
    "Parts may overlap.";
constexpr std::string_view of_the_time = "Of the time that all ranks ran, added up.";
constexpr std::string_view bytes_of_calls =
    "Bytes handed over or received, as docs/explanation/program-time.md says for each call.";
constexpr std::string_view is_spent_in = "{} of the run is spent in {}";
constexpr std::string_view carries_most = "{} carries most bytes, {}";
constexpr std::string_view places =
    "Places in the code that call MPI, of the time that all ranks ran.";
constexpr std::string_view parts_by_replay =
    " Parts by a replay of the log (docs/explanation/program-time.md).";

}  // namespace words

/// One rank, or the means of a block of ranks.
struct RankBar {
  std::string ranks;  ///< "5", "8-15"
  std::string host;
  std::vector<double> seconds;  ///< of each part
};

/// Parts of the time of ranks, in the order in which they are drawn.
struct RankBars {
  std::vector<std::string> parts;
  std::vector<RankBar> bars;
};

RankBars parts_by_replay(const applications::ReplaySplit& replay) {
  const bool has_protocol = replay.times.protocol.has_value();
  RankBars made{.parts = {"computing", "waiting for others"}, .bars = {}};
  if (has_protocol) made.parts.emplace_back("late receives");
  made.parts.emplace_back(has_protocol ? "transfer" : "transfer and protocol");
  made.parts.emplace_back("not scheduled");
  for (std::size_t rank = 0; rank < replay.ranks.size(); ++rank) {
    const applications::SplitTimes& times = replay.ranks[rank];
    RankBar bar{
        .ranks = std::to_string(rank), .host = {}, .seconds = {times.computing, times.dependency}};
    if (has_protocol) bar.seconds.push_back(times.protocol.value_or(0));
    bar.seconds.push_back(times.transfer);
    bar.seconds.push_back(times.not_scheduled);
    made.bars.push_back(std::move(bar));
  }
  return made;
}

RankBars parts_by_sums(const ProfileView& view) {
  RankBars made{.parts = {"computing", "MPI", "MPI files", "other files", "not scheduled"},
                .bars = {}};
  for (const profile::Rank& rank : view.profile.ranks) {
    const applications::TimeParts parts = applications::time_parts(rank);
    made.bars.push_back(
        {.ranks = std::to_string(rank.rank),
         .host = {},
         .seconds = {parts.computing_seconds, parts.mpi_seconds, parts.mpi_io_seconds,
                     parts.io_seconds, parts.not_scheduled_seconds}});
  }
  return made;
}

/// Removes parts that are 0 for every rank.
void drop_empty(RankBars& made) {
  for (std::size_t i = made.parts.size(); i-- > 0;) {
    const auto has_any = [&](const RankBar& bar) { return bar.seconds[i] != 0; };
    if (std::ranges::any_of(made.bars, has_any)) continue;
    const auto place = static_cast<std::ptrdiff_t>(i);
    made.parts.erase(made.parts.begin() + place);
    for (RankBar& bar : made.bars) bar.seconds.erase(bar.seconds.begin() + place);
  }
}

/// Replaces each block of bars by its mean.
void put_together(RankBars& made, std::size_t block) {
  if (block == 1) return;
  std::vector<RankBar> blocks;
  for (std::size_t first = 0; first < made.bars.size(); first += block) {
    const std::size_t last = std::min(first + block, made.bars.size());
    RankBar bar{.ranks = fmt::format("{}-{}", made.bars[first].ranks, made.bars[last - 1].ranks),
                .host = {},
                .seconds = std::vector<double>(made.parts.size())};
    Names hosts;
    for (std::size_t i = first; i < last; ++i) {
      hosts.add(made.bars[i].host);
      for (std::size_t part = 0; part < made.parts.size(); ++part) {
        bar.seconds[part] += made.bars[i].seconds[part] / static_cast<double>(last - first);
      }
    }
    bar.host = hosts.text();
    blocks.push_back(std::move(bar));
  }
  made.bars = std::move(blocks);
}

View table_of(const RankBars& made) {
  View table{
      {{"rank", "rank"}, {"host", "host"}, {"part", "part"}, {"seconds", "time", Unit::seconds}},
      {}};
  for (const RankBar& bar : made.bars) {
    for (std::size_t i = 0; i < made.parts.size(); ++i) {
      table.rows.push_back({bar.ranks, bar.host, made.parts[i], bar.seconds[i]});
    }
  }
  return table;
}

/// "Of 12.5 s: 71 % computing, 3 % load imbalance, ...".
std::string title_by_replay(const applications::ReplaySplit& split) {
  const auto share = [&](double seconds, const char* name) {
    return share_text(seconds / split.seconds) + name;
  };
  std::vector<std::string> parts{share(split.times.computing, " computing"),
                                 share(split.load, " load imbalance"),
                                 share(split.times.dependency, " waiting for others")};
  if (split.times.protocol) parts.push_back(share(*split.times.protocol, " for late receives"));
  parts.push_back(
      share(split.times.transfer, split.times.protocol ? " transfer" : " transfer and protocol"));
  if (split.times.not_scheduled > 0) {
    parts.push_back(share(split.times.not_scheduled, " not scheduled"));
  }
  return fmt::format("Of {}: {}", short_time(split.seconds), join(parts));
}

/// The rank that computes longest, if ranks differ.
std::string title_by_sums(const applications::TimeSplit& split) {
  constexpr double alike = 0.99;
  const auto balance = split.efficiencies().load_balance;
  const std::string mean = short_time(split.mean.outside_mpi());
  if (!balance || *balance >= alike) {
    return fmt::format(words::compute_alike, mean, short_time(split.seconds));
  }
  return fmt::format(words::computes_longest, split.busiest_rank,
                     short_time(split.most_outside_seconds), mean, share_text(*balance));
}

std::string caption_of(const ProfileView& view, const RankBars& made, std::size_t block) {
  std::string text(view.replay ? words::bars_by_replay : words::bars_by_sums);
  if (block > 1) {
    text += fmt::format(words::ranks_put_together, count_text(view.profile.ranks.size(), "rank"),
                        count_text(made.bars.size(), "bar"));
  }
  return text;
}

}  // namespace

std::vector<Picture> cause_pictures(const ProfileView& view, const ProgramSource& source) {
  if (view.findings.empty()) return {};
  using applications::Finding;
  const Columns<Finding> numbered{{{"cause", "cause"}, [&](const Finding& one) {
                                     return fmt::format("{} {}", &one - view.findings.data() + 1,
                                                        name_of(one.kind));
                                   }}};
  const Columns<Finding> columns =
      joined<Finding>({numbered, chosen(finding_columns(view), {"fraction", "sentence", "help"})});
  Picture picture{.id = "causes",
                  .title = sentence_of(view, view.findings.front()),
                  .caption = std::string(words::causes),
                  .table = make_view(columns, view.findings),
                  .launches = source.launches,
                  .command = source.command + " --all"};
  draw_bars(picture, "cause", {"fraction", "part of the run"}, "share");
  return {std::move(picture)};
}

std::vector<Picture> time_pictures(const ProfileView& view, const ProgramSource& source) {
  if (view.split.seconds <= 0 || view.profile.ranks.empty()) return {};
  if (view.replay && view.replay->seconds <= 0) return {};
  RankBars made = view.replay ? parts_by_replay(*view.replay) : parts_by_sums(view);
  for (RankBar& bar : made.bars) {
    const auto rank = as_number<int>(bar.ranks);
    const auto found = std::ranges::find(view.profile.ranks, rank, &profile::Rank::rank);
    if (found != view.profile.ranks.end()) bar.host = inert(found->host);
  }
  drop_empty(made);
  std::size_t block = 1;
  while ((made.bars.size() + block - 1) / block * made.parts.size() > most_marks) block *= 2;
  put_together(made, block);
  Picture picture{.id = "time-by-rank",
                  .title = view.replay ? title_by_replay(*view.replay) : title_by_sums(view.split),
                  .caption = caption_of(view, made, block),
                  .table = table_of(made),
                  .launches = source.launches,
                  .command = source.command + " --all"};
  Json values = values_of(picture.table);
  number_parts(values, made.parts);
  draw(picture, "time_by_rank", std::move(values),
       {{"part_color", part_color(made.parts)}, {"gap", gap_between(made.bars.size())}});
  return {std::move(picture)};
}

namespace {

using applications::Comparison;
using applications::Figure;
using applications::Run;

std::vector<std::pair<std::string, std::optional<Figure>>> efficiencies_of_run(const Run& run) {
  return {{"global", run.global_efficiency},
          {"parallel", run.parallel},
          {"load balance", run.load_balance},
          {"communication", run.communication},
          {"computing", run.computing_efficiency}};
}

/// A range of efficiencies: its least value and its name. Best first.
struct EfficiencyRange {
  double least = 0;
  const char* name = nullptr;
};

constexpr std::array<EfficiencyRange, heat_steps> efficiency_ranges{{{0.95, "95 % and more"},
                                                                     {0.85, "85 .. 95 %"},
                                                                     {0.7, "70 .. 85 %"},
                                                                     {0.5, "50 .. 70 %"},
                                                                     {-HUGE_VAL, "below 50 %"}}};

/// Sets the range of each efficiency, its number and its ink.
void color_efficiencies(Json& values) {
  for (Json& value : values) {
    const double efficiency = value.at("value");
    const auto* const found = std::ranges::find_if(
        efficiency_ranges, [&](const EfficiencyRange& range) { return efficiency >= range.least; });
    const auto place = std::distance(efficiency_ranges.begin(), found) + 1;
    value["range"] = found->name;
    value["ink"] = fmt::format("var(--on-heat-{})", place);
    value["words"] = share_text(efficiency);
  }
}

std::string efficiencies_title(const Comparison& comparison) {
  const Run& last = comparison.runs.back();
  const auto told = [](const char* name, const std::optional<Figure>& figure) {
    return figure ? std::string(name) + share_text(figure->value) : std::string();
  };
  std::vector<std::string> parts{told("load balance ", last.load_balance),
                                 told("communication ", last.communication),
                                 told("computing ", last.computing_efficiency)};
  std::erase(parts, "");
  return fmt::format("{}: {}{}{}", run_labels(comparison).back(),
                     told("global efficiency ", last.global_efficiency),
                     last.global_efficiency && !parts.empty() ? " = " : "", join(parts, " x "));
}

}  // namespace

std::vector<Picture> efficiency_pictures(const Comparison& comparison,
                                         const ProgramSource& source) {
  const std::vector<std::string> labels = run_labels(comparison);
  std::vector<RunFigure> efficiencies;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const Run& run = comparison.runs[i];
    for (const auto& [name, figure] : efficiencies_of_run(run)) {
      if (figure) efficiencies.push_back({&run, labels[i], *figure, name});
    }
  }
  if (efficiencies.empty()) return {};
  const Column<RunFigure> name{{"figure", "efficiency"}, &RunFigure::name};
  Picture picture{.id = "efficiencies",
                  .title = efficiencies_title(comparison),
                  .table = view_of_figures(efficiencies, name, "value"),
                  .launches = source.launches,
                  .command = source.command + " --all"};
  Json values = values_of(picture.table);
  color_efficiencies(values);
  const std::string intervals = interval_caption(values, "In the table: ");
  draw(picture, "efficiencies", std::move(values),
       {{"base", labels.front()},
        {"intervals", intervals},
        {"runs", labels},
        {"ranges", strings_of(efficiency_ranges, &EfficiencyRange::name)},
        {"height", height_of_bars(labels.size()) + 40}});
  return {std::move(picture)};
}

namespace {

using applications::CallSums;
using applications::FunctionCalls;
using applications::share_of;

constexpr std::size_t most_bars = 12;

/// Calls with a name for people.
struct NamedCalls {
  std::string name;  ///< not escaped
  std::string site = "-";
  CallSums sums;
  std::optional<applications::SplitTimes> waits;  ///< by a replay
};

void add_to(NamedCalls& all, const NamedCalls& one) {
  all.sums.volume.add(one.sums.volume);
  all.sums.seconds += one.sums.seconds;
  all.sums.max_seconds = std::max(all.sums.max_seconds, one.sums.max_seconds);
  if (!one.waits) return;
  if (!all.waits) all.waits.emplace();
  all.waits->dependency += one.waits->dependency;
  if (one.waits->protocol) {
    all.waits->protocol = all.waits->protocol.value_or(0) + *one.waits->protocol;
  }
  all.waits->transfer += one.waits->transfer;
}

/// The first bars, and the sum of the others as the last one.
std::vector<NamedCalls> first_bars(std::vector<NamedCalls> calls, const std::string& noun) {
  if (calls.size() <= most_bars) return calls;
  const std::size_t others = calls.size() - (most_bars - 1);
  NamedCalls rest{
      .name = count_text(others, "other " + noun), .site = "-", .sums = {}, .waits = {}};
  for (std::size_t i = most_bars - 1; i < calls.size(); ++i) add_to(rest, calls[i]);
  calls.resize(most_bars - 1);
  calls.push_back(std::move(rest));
  return calls;
}

std::vector<NamedCalls> named(const std::vector<FunctionCalls>& calls) {
  std::vector<NamedCalls> made;
  made.reserve(calls.size());
  for (const auto& [call, sums] : calls) made.push_back({call, "-", sums, {}});
  return made;
}

View table_of(const std::vector<NamedCalls>& calls, const ProfileView& view) {
  Columns<NamedCalls> columns{{{"call", "call"}, &NamedCalls::name}};
  add_call_columns(columns, view.split.time_of_all());
  return make_view(columns, calls);
}

Picture picture_of_calls(const std::string& id, const std::vector<NamedCalls>& calls, bool is_time,
                         const std::string& title, const ProfileView& view,
                         const ProgramSource& source) {
  Picture picture{.id = id,
                  .title = title,
                  .caption = std::string(is_time ? words::of_the_time : words::bytes_of_calls),
                  .table = table_of(calls, view),
                  .launches = source.launches,
                  .command = source.command + " --all"};
  if (is_time) {
    draw_bars(picture, "call", {"run_fraction", "part of the run"}, "share");
  } else {
    draw_bars(picture, "call", {"bytes", "bytes in all"}, "amount");
  }
  return picture;
}

std::vector<Picture> pictures_by_function(const ProfileView& view, const ProgramSource& source) {
  std::vector<Picture> pictures;
  std::vector<FunctionCalls> calls = applications::by_function(view.profile);
  if (calls.empty() || view.split.time_of_all() <= 0) return pictures;
  const FunctionCalls& longest = calls.front();
  const std::string spent =
      fmt::format(words::is_spent_in, share_text(longest.sums.seconds / view.split.time_of_all()),
                  inert(longest.call));
  pictures.push_back(picture_of_calls("calls-by-time", first_bars(named(calls), "function"), true,
                                      spent, view, source));
  std::erase_if(calls, [](const FunctionCalls& one) { return one.sums.volume.bytes == 0; });
  if (calls.size() < 2) return pictures;
  const auto bytes = [](const FunctionCalls& one) { return one.sums.volume.bytes; };
  std::ranges::stable_sort(calls, std::greater<>(), bytes);
  const std::string carried = fmt::format(words::carries_most, inert(calls.front().call),
                                          short_bytes(static_cast<double>(bytes(calls.front()))));
  pictures.push_back(picture_of_calls("calls-by-bytes", first_bars(named(calls), "function"), false,
                                      carried, view, source));
  return pictures;
}

/// "BlockingHalo::end" for "apps::(anonymous namespace)::BlockingHalo::end(int)". A name without
/// parameters stays whole.
std::string short_function(std::string name) {
  static const std::string unnamed = "(anonymous namespace)";
  for (auto at = name.find(unnamed); at != std::string::npos; at = name.find(unnamed)) {
    name.replace(at, unnamed.size(), "");
  }
  name = name.substr(0, name.find_first_of("(<"));
  const auto last = name.rfind("::");
  if (last == std::string::npos || last == 0) return name;
  const auto before = name.rfind("::", last - 1);
  return before == std::string::npos ? name : name.substr(before + 2);
}

/// "MPI_Sendrecv in BlockingHalo::end", or with the known parts of the place.
std::string short_place(const std::string& call, const ProfileView& view,
                        const std::optional<int>& site) {
  if (!site) return call;
  const auto index = static_cast<std::size_t>(*site);
  const std::string known = index < view.site_names.size() ? view.site_names[index].function : "";
  const std::string function = known.empty() ? view.profile.sites.at(index).function : known;
  return function.empty() ? fmt::format("{}, {}", call, site_text(view, site))
                          : fmt::format("{} in {}", call, short_function(function));
}

/// Sites by time, with unique names.
std::vector<NamedCalls> calls_by_site(const ProfileView& view) {
  std::vector<NamedCalls> made;
  if (view.replay) {
    for (const applications::SiteSplit& one : view.replay->sites) {
      CallSums sums;
      sums.seconds = one.mpi_seconds;
      made.push_back(
          {short_place(one.call, view, one.site), site_text(view, one.site), sums, one.times});
    }
  } else {
    for (const auto& [call, site, sums] : applications::by_site(view.profile)) {
      made.push_back({short_place(call, view, site), site_text(view, site), sums, {}});
    }
  }
  std::map<std::string, int> seen;
  for (NamedCalls& one : made) {
    if (const int number = ++seen[one.name]; number > 1) {
      one.name += fmt::format(" ({})", number);
    }
  }
  return made;
}

/// The parts of a site's time, with their names.
std::vector<std::pair<std::string, double>> parts_of(const NamedCalls& one) {
  if (!one.waits) return {{"in MPI", one.sums.seconds}};
  std::vector<std::pair<std::string, double>> parts{{"waiting for others", one.waits->dependency}};
  if (one.waits->protocol) parts.emplace_back("late receives", *one.waits->protocol);
  parts.emplace_back(one.waits->protocol ? "transfer" : "transfer and protocol",
                     one.waits->transfer);
  return parts;
}

std::vector<Picture> site_picture(const ProfileView& view, const ProgramSource& source) {
  const std::vector<NamedCalls> sites = first_bars(calls_by_site(view), "place");
  const double whole = view.split.time_of_all();
  if (view.profile.sites.empty() || sites.empty() || whole <= 0) return {};
  View table{{{"call", "call"},
              {"site", "place"},
              {"part", "part"},
              {"seconds", "time", Unit::seconds},
              {"run_fraction", "of the run", Unit::share}},
             {}};
  std::vector<std::string> names;
  for (const NamedCalls& one : sites) {
    const auto parts = parts_of(one);
    names = strings_of(parts, [](const auto& part) { return part.first; });
    for (const auto& [part, seconds] : parts) {
      table.rows.push_back({one.name, one.site, part, seconds, share_of(seconds, whole)});
    }
  }
  Picture picture{
      .id = "places",
      .title = fmt::format(words::is_spent_in, share_text(sites.front().sums.seconds / whole),
                           inert(sites.front().name)),
      .caption = std::string(words::places),
      .table = std::move(table),
      .launches = source.launches,
      .command = source.command + " --all"};
  if (sites.front().waits) picture.caption += words::parts_by_replay;
  draw_stacked_bars(picture, {"run_fraction", "part of the run"}, "call", names);
  return {std::move(picture)};
}

}  // namespace

std::vector<Picture> call_pictures(const ProfileView& view, const ProgramSource& source) {
  std::vector<Picture> pictures = pictures_by_function(view, source);
  std::ranges::move(size_pictures(view, source), std::back_inserter(pictures));
  std::ranges::move(site_picture(view, source), std::back_inserter(pictures));
  return pictures;
}

}  // namespace hockney::report

#include <algorithm>

#include "core/text.hpp"
#include "report/page/plot.hpp"
#include "application/page/pictures.hpp"
#include "report/table.hpp"

namespace hockney::report {
namespace {

using Json = nlohmann::json;

/// Of one rank, or the means of a block of them.
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

RankBars parts_by_replay(const ProfileView& view) {
  const applications::ReplaySplit& replay = *view.replay;
  const bool has_protocol = replay.times.protocol.has_value();
  RankBars made{.parts = {"computing", "waiting for others"}, .bars = {}};
  if (has_protocol) made.parts.emplace_back("late receives");
  made.parts.emplace_back(has_protocol ? "transfer" : "transfer and protocol");
  for (std::size_t rank = 0; rank < replay.ranks.size(); ++rank) {
    const applications::SplitTimes& times = replay.ranks[rank];
    RankBar bar{
        .ranks = std::to_string(rank), .host = {}, .seconds = {times.computing, times.dependency}};
    if (has_protocol) bar.seconds.push_back(times.protocol.value_or(0));
    bar.seconds.push_back(times.transfer);
    made.bars.push_back(std::move(bar));
  }
  return made;
}

RankBars parts_by_sums(const ProfileView& view) {
  RankBars made{.parts = {"computing", "MPI", "MPI files", "other files"}, .bars = {}};
  for (const profile::Rank& rank : view.profile.ranks) {
    const applications::TimeParts parts = applications::time_parts(rank);
    made.bars.push_back({.ranks = std::to_string(rank.rank),
                         .host = {},
                         .seconds = {parts.computing_seconds, parts.mpi_seconds,
                                     parts.mpi_io_seconds, parts.io_seconds}});
  }
  return made;
}

/// Leaves out parts that no rank has.
void drop_empty(RankBars& made) {
  for (std::size_t i = made.parts.size(); i-- > 0;) {
    const auto has_any = [&](const RankBar& bar) { return bar.seconds[i] != 0; };
    if (std::ranges::any_of(made.bars, has_any)) continue;
    const auto place = static_cast<std::ptrdiff_t>(i);
    made.parts.erase(made.parts.begin() + place);
    for (RankBar& bar : made.bars) bar.seconds.erase(bar.seconds.begin() + place);
  }
}

/// Blocks of so many bars become one, their mean.
void put_together(RankBars& made, std::size_t block) {
  if (block == 1) return;
  std::vector<RankBar> blocks;
  for (std::size_t first = 0; first < made.bars.size(); first += block) {
    const std::size_t last = std::min(first + block, made.bars.size());
    RankBar bar{.ranks = made.bars[first].ranks + "-" + made.bars[last - 1].ranks,
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

PageTable table_of(const RankBars& made) {
  PageTable table{{{"rank", "rank"}, {"host", "host"}, {"part", "part"}, {"time", "seconds"}}, {}};
  for (const RankBar& bar : made.bars) {
    for (std::size_t i = 0; i < made.parts.size(); ++i) {
      table.rows.push_back({bar.ranks, bar.host, made.parts[i], time_on_page(bar.seconds[i])});
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
  return "Of " + short_time(split.seconds) + ": " + join(parts);
}

/// Which rank computes longest, if that matters.
std::string title_by_sums(const applications::TimeSplit& split) {
  constexpr double alike = 0.99;
  const auto balance = split.efficiencies().load_balance;
  const std::string mean = short_time(split.mean.outside_mpi());
  if (!balance || *balance >= alike) {
    return "All ranks compute about as long, " + mean + " of " + short_time(split.seconds);
  }
  return "Rank " + std::to_string(split.busiest_rank) + " computes longest, " +
         short_time(split.most_outside_seconds) + "; the mean is " + mean + " (load balance " +
         share_text(*balance) + ")";
}

std::string caption_of(const ProfileView& view, const RankBars& made, std::size_t block) {
  std::string text = "A bar for each rank, from its end of MPI_Init on.";
  if (view.replay) {
    text +=
        " By a replay of the log on a network that costs nothing: a rank waits for others until "
        "what they computed lets it go on, load imbalance among it; transfer is the rest, and "
        "below zero where a rank waited less than the replay.";
  } else {
    text += " Why ranks are in MPI is told by a log of events (hockney profile --log).";
  }
  if (block > 1) {
    text += " " + count_text(view.profile.ranks.size(), "rank") + " are put together to " +
            count_text(made.bars.size(), "bar") + ": each is the mean of its ranks.";
  }
  return text;
}

}  // namespace

std::vector<Picture> time_pictures(const ProfileView& view, const ProgramSource& source) {
  if (view.split.seconds <= 0 || view.profile.ranks.empty()) return {};
  if (view.replay && view.replay->seconds <= 0) return {};
  RankBars made = view.replay ? parts_by_replay(view) : parts_by_sums(view);
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
  Json x = name_channel("rank", "rank", strings_of(made.bars, &RankBar::ranks));
  x["axis"].update(Json{{"labelAngle", 0}, {"labelSeparation", 6}});
  Json layers = stacked_bars(std::move(x), even_time_channel("seconds", "time"), made.parts);
  picture.plot = plot_of(picture.title, std::move(values), std::move(layers));
  return {std::move(picture)};
}

}  // namespace hockney::report

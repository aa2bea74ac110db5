#include "components/application/screens/profile_views.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <string>

#include "components/application/profile/profile_file.hpp"
#include "core/text.hpp"

namespace hockney::report {
namespace {

using applications::FunctionCalls;
using applications::MatrixCell;
using applications::RegionCalls;
using applications::share_of;
using applications::SiteCalls;
using applications::SizeClass;
using applications::SplitTimes;
using applications::Volume;

/// No value if neither debugging information nor the profile has one.
Value site_value(const ProfileView& view, const std::optional<int>& site) {
  return site ? Value(site_text(view, site)) : Value();
}

const profile::Region* region_at(const ProfileView& view, const std::optional<int>& region) {
  return region ? &view.report.profile.regions[static_cast<std::size_t>(*region)] : nullptr;
}

Value region_name(const ProfileView& view, const std::optional<int>& region) {
  const profile::Region* const found = region_at(view, region);
  return found == nullptr ? Value() : Value(found->name);
}

/// Split of an item's time by replay, and its part on the critical path [s].
template <class Item, class Times>
void add_split_columns(Columns<Item>& columns, Times times_of) {
  const auto add = [&](const char* key, const char* title, auto seconds) {
    columns.push_back({{key, title, Unit::seconds},
                       [=](const Item& item) -> Value { return seconds(times_of(item)); }});
  };
  add("computing", "computing", [](const SplitTimes& one) { return one.computing; });
  add("on_path.computing", "critical", [](const SplitTimes& one) { return one.on_path.computing; });
  add("dependency", "others", [](const SplitTimes& one) { return one.dependency; });
  add("protocol", "rendezvous", [](const SplitTimes& one) { return one.protocol; });
  add("transfer", "transfer", [](const SplitTimes& one) { return one.transfer; });
  add("on_path.transfer", "critical", [](const SplitTimes& one) { return one.on_path.transfer; });
}

/// Columns for the `sums` of an item; `whole`: time of all ranks [s].
template <class Item>
void add_call_columns(Columns<Item>& columns, double whole) {
  using applications::CallSums;
  const auto add = [&](Heading heading, auto value) {
    columns.push_back({std::move(heading),
                       [=](const Item& item) -> Value { return std::invoke(value, item.sums); }});
  };
  add({"count", "calls", Unit::count}, [](const CallSums& one) { return one.volume.count; });
  add({"seconds", "time", Unit::seconds}, &CallSums::seconds);
  add({"run_fraction", "of the run", Unit::share},
      [whole](const CallSums& one) { return applications::share_of(one.seconds, whole); });
  add({"mean_seconds", "mean time", Unit::micros}, [](const CallSums& one) {
    return applications::share_of(one.seconds, static_cast<double>(one.volume.count));
  });
  add({"min_seconds", "shortest", Unit::micros, Form::json}, &CallSums::min_seconds);
  add({"max_seconds", "longest", Unit::micros}, &CallSums::max_seconds);
  add_byte_columns(columns, [](const Item& item) { return item.sums.volume; });
}

constexpr auto times_of = [](const auto& item) -> const SplitTimes& { return item.times; };

}  // namespace

View view_of_calls(const ProfileView& view, const std::vector<FunctionCalls>& calls) {
  Columns<FunctionCalls> columns{{{"call", "call"}, &FunctionCalls::call}};
  add_call_columns(columns, view.report.split.time_of_all());
  return make_view(columns, calls);
}

View view_of_sites(const ProfileView& view) {
  Columns<SiteCalls> columns{
      {{"call", "call"}, &SiteCalls::call},
      {{"site", "site"}, [&](const SiteCalls& one) { return site_value(view, one.site); }}};
  add_call_columns(columns, view.report.split.time_of_all());
  columns.push_back({{"slowest_rank", "slowest rank", Unit::count},
                     [](const SiteCalls& one) { return one.sums.slowest_rank; }});
  columns.push_back({{"slowest_seconds", "its time", Unit::seconds},
                     [](const SiteCalls& one) { return one.sums.slowest_seconds; }});
  return make_view(columns, applications::by_site(view.report.profile));
}

View view_of_sizes(const ProfileView& view) {
  Volume all;
  const std::vector<SizeClass> sizes = applications::by_size(view.report.profile);
  for (const SizeClass& one : sizes) all.add(one.volume);
  const Columns<SizeClass> columns{
      {{"from_bytes", "from", Unit::bytes}, &SizeClass::from_bytes},
      {{"to_bytes", "to", Unit::bytes}, &SizeClass::to_bytes},
      {{"count", "calls", Unit::count}, [](const SizeClass& one) { return one.volume.count; }},
      {{"count_fraction", "calls", Unit::share},
       [&](const SizeClass& one) { return share_of(one.volume.count, all.count); }},
      {{"bytes", "bytes", Unit::bytes}, [](const SizeClass& one) { return one.volume.bytes; }},
      {{"bytes_fraction", "bytes", Unit::share},
       [&](const SizeClass& one) { return share_of(one.volume.bytes, all.bytes); }},
      {{"seconds", "time", Unit::seconds}, &SizeClass::seconds}};
  return make_view(columns, sizes);
}

View view_of_regions(const ProfileView& view) {
  const auto of_region = [&view](auto member) {
    return [&view, member](const RegionCalls& one) {
      const profile::Region* const region = region_at(view, one.region);
      return region == nullptr ? Value() : Value(region->*member);
    };
  };
  Columns<RegionCalls> columns{
      {{"region", "region"}, [&](const RegionCalls& one) { return region_name(view, one.region); }},
      {{"entered", "entered", Unit::count}, of_region(&profile::Region::entered)},
      {{"inside_seconds", "inside", Unit::seconds}, of_region(&profile::Region::seconds)},
      {{"cpu_seconds", "CPU", Unit::seconds}, of_region(&profile::Region::cpu_seconds)},
      {{"waiting_seconds", "not scheduled", Unit::seconds},
       of_region(&profile::Region::waiting_seconds)}};
  add_call_columns(columns, view.report.split.time_of_all());
  std::vector<RegionCalls> regions;
  if (!view.report.profile.regions.empty()) regions = applications::by_region(view.report.profile);
  for (int i = 0; i < static_cast<int>(view.report.profile.regions.size()); ++i) {
    if (std::ranges::find(regions, i, &RegionCalls::region) == regions.end()) {
      regions.push_back({.region = i, .sums = {}});
    }
  }
  return make_view(columns, regions);
}

View view_of_parallel_regions(const ProfileView& view) {
  using profile::ParallelRegion;
  const Columns<ParallelRegion> columns{
      {{"site", "parallel region"},
       [&](const ParallelRegion& one) { return site_value(view, one.site); }},
      {{"threads", "threads", Unit::count}, &ParallelRegion::threads},
      {{"count", "times", Unit::count}, &ParallelRegion::count},
      {{"seconds", "time", Unit::seconds}, &ParallelRegion::seconds},
      {{"run_fraction", "of the run", Unit::share},
       [&](const ParallelRegion& one) {
         return share_of(one.seconds, view.report.split.time_of_all());
       }},
      {{"busy_seconds", "threads busy", Unit::seconds}, &ParallelRegion::busy_seconds},
      {{"waiting_fraction", "threads waiting", Unit::share},
       [](const ParallelRegion& one) {
         return share_of(applications::waiting_seconds(one), one.thread_seconds);
       }},
      {{"imbalance", "slowest / mean thread", Unit::number}, applications::thread_imbalance},
      {{"waiting_rank", "rank with most waiting", Unit::count}, &ParallelRegion::waiting_rank}};
  std::vector<ParallelRegion> regions = view.report.profile.parallel_regions;
  std::ranges::stable_sort(regions, std::greater(), &ParallelRegion::seconds);
  return make_view(columns, regions);
}

View view_of_ranks(const ProfileView& view) {
  using profile::Rank;
  const auto end = [](const Rank& rank) {
    return rank.signal > 0 ? fmt::format("{} by signal {}", word(rank.end), rank.signal)
                           : std::string(word(rank.end));
  };
  const Columns<Rank> columns{
      {{"rank", "rank", Unit::count}, &Rank::rank},
      {{"host", "host"}, &Rank::host},
      {{"seconds", "time", Unit::seconds}, &Rank::seconds},
      {{"computing_seconds", "computing", Unit::seconds},
       [](const Rank& rank) { return applications::time_parts(rank).computing_seconds; }},
      {{"mpi_seconds", "MPI", Unit::seconds}, &Rank::mpi_seconds},
      {{"mpi_io_seconds", "MPI files", Unit::seconds}, &Rank::mpi_io_seconds},
      {{"io_seconds", "files", Unit::seconds}, &Rank::io_seconds},
      {{"io_bytes", "files", Unit::bytes}, &Rank::io_bytes},
      {{"calls", "calls", Unit::count}, &Rank::calls},
      {{"cpu_fraction", "CPU", Unit::share},
       [](const Rank& rank) {
         if (!rank.cpu) return Value();
         return Value(applications::share_of(rank.cpu->user_seconds + rank.cpu->system_seconds,
                                             rank.seconds));
       }},
      {{"not_scheduled_seconds", "not scheduled", Unit::seconds},
       [](const Rank& rank) {
         const auto lost = applications::not_scheduled(rank);
         return lost ? Value(lost->seconds()) : Value();
       }},
      {{"involuntary_switches", "preempted", Unit::count},
       [](const Rank& rank) { return rank.cpu ? Value(rank.cpu->involuntary_switches) : Value(); }},
      {{"major_faults", "page faults with I/O", Unit::count},
       [](const Rank& rank) { return rank.cpu ? Value(rank.cpu->major_faults) : Value(); }},
      {{"end", "end"}, end}};
  return make_view(columns, view.report.profile.ranks);
}

View view_of_site_waits(const ProfileView& view, const applications::ReplaySplit& split) {
  using applications::SiteSplit;
  Columns<SiteSplit> columns{
      {{"call", "call"}, &SiteSplit::call},
      {{"site", "site"}, [&](const SiteSplit& one) { return site_value(view, one.site); }},
      {{"region", "region", Unit::text, Form::json},
       [&](const SiteSplit& one) { return region_name(view, one.region); }},
      {{"mpi_seconds", "MPI", Unit::seconds}, &SiteSplit::mpi_seconds}};
  add_split_columns(columns, times_of);
  return make_view(columns, split.sites);
}

View view_of_region_waits(const ProfileView& view, const applications::ReplaySplit& split) {
  using applications::RegionSplit;
  Columns<RegionSplit> columns{{{"region", "region"}, [&](const RegionSplit& one) {
                                  return region_name(view, one.region);
                                }}};
  add_split_columns(columns, times_of);
  return make_view(columns, split.regions);
}

View view_of_rank_waits(const std::vector<SplitTimes>& ranks) {
  Columns<SplitTimes> columns{{{"rank", "rank", Unit::count, Form::terminal},
                               [&](const SplitTimes& one) { return &one - ranks.data(); }}};
  add_split_columns(columns, [](const SplitTimes& one) -> const SplitTimes& { return one; });
  columns.push_back(
      {{"not_scheduled", "not scheduled", Unit::seconds}, &SplitTimes::not_scheduled});
  return make_view(columns, ranks);
}

View view_of_matrix(const applications::MessageMatrix& matrix,
                    const std::vector<std::string>& names, std::optional<double> seconds) {
  const auto name = [&](int row) { return names[static_cast<std::size_t>(row)]; };
  const auto per_second = [&](std::int64_t amount) {
    return share_of(static_cast<double>(amount), seconds.value_or(0));
  };
  const Forms named = Form::terminal | Form::csv;
  Columns<MatrixCell> columns{
      {{"from", "from", Unit::text, named}, [=](const MatrixCell& one) { return name(one.from); }},
      {{"to", "to", Unit::text, named}, [=](const MatrixCell& one) { return name(one.to); }},
      {{"from", "from", Unit::count, Form::json}, &MatrixCell::from},
      {{"to", "to", Unit::count, Form::json}, &MatrixCell::to}};
  columns.push_back({{"messages", "messages", Unit::count},
                     [](const MatrixCell& one) { return one.volume.count; }});
  add_byte_columns(columns, [](const MatrixCell& one) { return one.volume; });
  columns.push_back({{"messages_per_second", "per second", Unit::number, Form::csv},
                     [=](const MatrixCell& one) { return per_second(one.volume.count); }});
  columns.push_back({{"bytes_per_second", "rate", Unit::byte_rate, named},
                     [=](const MatrixCell& one) { return per_second(one.volume.bytes); }});
  return make_view(columns, matrix.cells);
}

View view_of_clock_waits(const applications::WaitStates& waits) {
  struct NamedWait {
    const char* key;
    const char* name;
    applications::WaitState state;
  };
  const std::vector<NamedWait> named{{"late_sender", "late sender", waits.late_sender},
                                     {"late_receiver", "late receiver", waits.late_receiver},
                                     {"barrier", "barrier", waits.barrier},
                                     {"all_to_all", "all to all", waits.all_to_all},
                                     {"early_reduce", "early reduce", waits.early_reduce},
                                     {"late_broadcast", "late broadcast", waits.late_broadcast},
                                     {"all", "all", waits.all()}};
  const Columns<NamedWait> columns{
      {{"wait", "wait", Unit::text, Form::terminal}, &NamedWait::name},
      {{"wait", "wait", Unit::text, Form::json}, &NamedWait::key},
      {{"seconds", "time", Unit::seconds}, [](const NamedWait& one) { return one.state.seconds; }},
      {{"bound_seconds", "within", Unit::seconds},
       [](const NamedWait& one) { return one.state.bound_seconds; }}};
  return make_view(columns, named);
}

}  // namespace hockney::report

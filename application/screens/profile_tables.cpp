#include <algorithm>

#include "core/text.hpp"
#include "application/screens/titled_tables.hpp"

namespace hockney::report {
namespace {

using applications::CallSums;
using applications::share_of;

std::string percent_text(const std::optional<double>& share) {
  return share ? fixed_text(per_cent * *share, 1) : "-";
}

/// What calls come to; `sums` gives them of an item.
template <class Item, class Sums>
void add_call_columns(ItemColumns<Item>& columns, double whole, Sums sums) {
  const auto add = [&](const std::string& header, int width, auto text) {
    columns.push_back({{header, width}, [=](const Item& item) { return text(sums(item)); }});
  };
  add("calls", 12, [](const CallSums& one) { return std::to_string(one.volume.count); });
  add("seconds", 12, [](const CallSums& one) { return significant(one.seconds); });
  add("share[%]", share_width + 1,
      [whole](const CallSums& one) { return percent_text(share_of(one.seconds, whole)); });
  add("mean[us]", time_width, [](const CallSums& one) {
    return one.volume.count == 0
               ? std::string("-")
               : significant(one.seconds * microseconds / static_cast<double>(one.volume.count));
  });
  add("max[us]", time_width,
      [](const CallSums& one) { return significant(one.max_seconds * microseconds); });
  add("bytes", 16, [](const CallSums& one) { return std::to_string(one.volume.bytes); });
  add("min[B]", 11, [](const CallSums& one) { return std::to_string(one.volume.min_bytes); });
  add("mean[B]", 11, [](const CallSums& one) { return significant(one.volume.mean_bytes(), 1); });
  add("max[B]", 11, [](const CallSums& one) { return std::to_string(one.volume.max_bytes); });
}

constexpr auto sums_of = [](const auto& item) -> const CallSums& { return item.sums; };

double seconds_in_calls(const ProfileView& view) {
  double whole = 0;
  for (const profile::Calls& calls : view.profile.calls) whole += calls.seconds;
  return whole;
}

void print_calls(std::ostream& out, const ProfileView& view) {
  using applications::FunctionCalls;
  ItemColumns<FunctionCalls> columns{
      {{"call", 0, Align::left}, [](const FunctionCalls& one) { return inert(one.call); }}};
  add_call_columns(columns, seconds_in_calls(view), sums_of);
  std::vector<FunctionCalls> calls = applications::by_function(view.profile);
  print_items(out, "calls by time; share: of the time in all calls", columns, calls);
  std::erase_if(calls, [](const FunctionCalls& one) { return one.sums.volume.bytes == 0; });
  std::ranges::stable_sort(calls, std::greater<>(),
                           [](const FunctionCalls& one) { return one.sums.volume.bytes; });
  print_items(out, "calls by bytes", columns, calls);
}

void print_sites(std::ostream& out, const ProfileView& view) {
  using applications::SiteCalls;
  ItemColumns<SiteCalls> columns{
      {{"call", 0, Align::left}, [](const SiteCalls& one) { return inert(one.call); }},
      {{" site", 0, Align::left},
       [&](const SiteCalls& one) { return " " + site_text(view, one.site); }}};
  add_call_columns(columns, seconds_in_calls(view), sums_of);
  columns.push_back(
      {{"slowest", 9}, [](const SiteCalls& one) { return std::to_string(one.sums.slowest_rank); }});
  columns.push_back(
      {{"its[s]", 10}, [](const SiteCalls& one) { return significant(one.sums.slowest_seconds); }});
  print_items(out, "call sites by time; slowest: the rank that spent the most there", columns,
              applications::by_site(view.profile));
}

void print_sizes(std::ostream& out, const ProfileView& view) {
  using applications::SizeClass;
  applications::Volume all;
  const std::vector<SizeClass> sizes = applications::by_size(view.profile);
  for (const SizeClass& one : sizes) all.add(one.volume);
  const ItemColumns<SizeClass> columns{
      {{"from[B]", 12}, [](const SizeClass& one) { return std::to_string(one.from_bytes); }},
      {{"to[B]", 12}, [](const SizeClass& one) { return std::to_string(one.to_bytes); }},
      {{"calls", 12}, [](const SizeClass& one) { return std::to_string(one.volume.count); }},
      {{"calls[%]", 9},
       [&](const SizeClass& one) { return percent_text(share_of(one.volume.count, all.count)); }},
      {{"bytes", 16}, [](const SizeClass& one) { return std::to_string(one.volume.bytes); }},
      {{"bytes[%]", 9},
       [&](const SizeClass& one) { return percent_text(share_of(one.volume.bytes, all.bytes)); }},
      {{"seconds", 12}, [](const SizeClass& one) { return significant(one.seconds); }}};
  print_items(out, "sizes of calls that carry data", columns, sizes);
}

void print_regions(std::ostream& out, const ProfileView& view) {
  using applications::RegionCalls;
  if (view.profile.regions.empty()) return;
  const auto region_of = [&](const RegionCalls& one) -> const profile::Region* {
    return one.region ? &view.profile.regions[static_cast<std::size_t>(*one.region)] : nullptr;
  };
  ItemColumns<RegionCalls> columns{
      {{"region", 0, Align::left},
       [=](const RegionCalls& one) {
         return region_of(one) == nullptr ? std::string("-") : inert(region_of(one)->name);
       }},
      {{"entered", 10},
       [=](const RegionCalls& one) {
         return region_of(one) == nullptr ? std::string("-")
                                          : std::to_string(region_of(one)->entered);
       }},
      {{"inside[s]", 12}, [=](const RegionCalls& one) {
         return region_of(one) == nullptr ? std::string("-") : significant(region_of(one)->seconds);
       }}};
  add_call_columns(columns, seconds_in_calls(view), sums_of);
  std::vector<RegionCalls> regions = applications::by_region(view.profile);
  for (int i = 0; i < static_cast<int>(view.profile.regions.size()); ++i) {
    if (std::ranges::find(regions, i, &RegionCalls::region) == regions.end()) {
      regions.push_back({.region = i, .sums = {}});
    }
  }
  print_items(out, "regions by the time in calls inside, not in regions inside of them", columns,
              regions);
}

void print_nodes(std::ostream& out, const ProfileView& view) {
  using applications::MatrixCell;
  if (view.nodes.size() < 2) return;
  const auto name_of = [&](int node) {
    return inert(view.nodes.names[static_cast<std::size_t>(node)]);
  };
  const double seconds = view.split.seconds;
  const ItemColumns<MatrixCell> columns{
      {{"from", 0, Align::left}, [=](const MatrixCell& one) { return name_of(one.from); }},
      {{" to", 0, Align::left}, [=](const MatrixCell& one) { return " " + name_of(one.to); }},
      {{"messages", 12}, [](const MatrixCell& one) { return std::to_string(one.volume.count); }},
      {{"bytes", 16}, [](const MatrixCell& one) { return std::to_string(one.volume.bytes); }},
      {{"mean[B]", 11},
       [](const MatrixCell& one) { return significant(one.volume.mean_bytes(), 1); }},
      {{"[MB/s]", 11}, [=](const MatrixCell& one) {
         return significant(share_of(static_cast<double>(one.volume.bytes), seconds), 1e-6);
       }}};
  print_items(out, "messages between nodes, and inside of each", columns, view.by_node.cells);
}

void print_ranks(std::ostream& out, const ProfileView& view) {
  using profile::Rank;
  const auto parts = [](const Rank& rank) { return applications::time_parts(rank); };
  const auto end = [](const Rank& rank) {
    return " " + std::string(word(rank.end)) +
           (rank.signal > 0 ? " by signal " + std::to_string(rank.signal) : "");
  };
  const ItemColumns<Rank> columns{
      {{"rank", 6}, [](const Rank& rank) { return std::to_string(rank.rank); }},
      {{"  host", 0, Align::left}, [](const Rank& rank) { return "  " + inert(rank.host); }},
      {{"seconds", 12}, [](const Rank& rank) { return significant(rank.seconds); }},
      {{"computing[s]", 13},
       [=](const Rank& rank) { return significant(parts(rank).computing_seconds); }},
      {{"MPI[s]", 12}, [](const Rank& rank) { return significant(rank.mpi_seconds); }},
      {{"MPI files[s]", 13}, [](const Rank& rank) { return significant(rank.mpi_io_seconds); }},
      {{"files[s]", 11}, [](const Rank& rank) { return significant(rank.io_seconds); }},
      {{"files[B]", 12}, [](const Rank& rank) { return std::to_string(rank.io_bytes); }},
      {{"calls", 12}, [](const Rank& rank) { return std::to_string(rank.calls); }},
      {{" end", 0, Align::left}, end}};
  print_items(out, "ranks", columns, view.profile.ranks);
}

}  // namespace

void print_profile_tables(std::ostream& out, const ProfileView& view) {
  const Screen screen = screen_of(view);
  Table head({{"", 0, Align::left}});
  head.comment_texts();
  for (const Lines& lines : {screen.header, screen.answer, screen.trust}) {
    for (const std::string& line : lines) head.text(line);
  }
  const applications::Efficiencies found = view.split.efficiencies();
  if (found.additive_load_balance && found.additive_communication) {
    head.text("POP, additive: load balance " + percent_text(found.additive_load_balance) +
              " %, communication " + percent_text(found.additive_communication) + " %" +
              (view.replay ? "" : "; serialisation and transfer need a log of events (--log)"));
  }
  for (const std::string& note : view.profile.notes) head.text("note: " + inert(note));
  head.text("");
  out << head;
  print_calls(out, view);
  print_sizes(out, view);
  print_sites(out, view);
  print_replay_tables(out, view);
  print_regions(out, view);
  print_nodes(out, view);
  print_ranks(out, view);
}

}  // namespace hockney::report

#include "core/text.hpp"
#include "application/screens/titled_tables.hpp"

namespace hockney::report {
namespace {

/// What a replay says of an item, and how much of it is on the critical path.
template <class Item, class Times>
void add_split_columns(ItemColumns<Item>& columns, Times times) {
  using applications::SplitTimes;
  const auto add = [&](const std::string& header, auto seconds) {
    columns.push_back({{header, 14}, [=](const Item& item) {
                         const std::optional<double> value = seconds(times(item));
                         return value ? significant(*value) : std::string("-");
                       }});
  };
  add("computing[s]", [](const SplitTimes& one) { return one.computing; });
  add("critical[s]", [](const SplitTimes& one) { return one.on_path.computing; });
  add("others[s]", [](const SplitTimes& one) { return one.dependency; });
  add("rendezvous[s]", [](const SplitTimes& one) { return one.protocol; });
  add("transfer[s]", [](const SplitTimes& one) { return one.transfer; });
  add("critical[s]", [](const SplitTimes& one) { return one.on_path.transfer; });
}

void print_waits_by_site(std::ostream& out, const ProfileView& view) {
  using applications::SiteSplit;
  ItemColumns<SiteSplit> columns{
      {{"call", 0, Align::left}, [](const SiteSplit& one) { return inert(one.call); }},
      {{" site", 0, Align::left},
       [&](const SiteSplit& one) { return " " + site_text(view, one.site); }},
      {{"MPI[s]", 12}, [](const SiteSplit& one) { return significant(one.mpi_seconds); }}};
  add_split_columns(columns, [](const SiteSplit& one) { return one.times; });
  print_items(out,
              "why ranks are in MPI, by call site: waiting for others, for late receives, and the "
              "rest, over all ranks; computing that leads there; what of both is on the critical "
              "path",
              columns, view.replay->sites);
}

void print_waits_by_region(std::ostream& out, const ProfileView& view) {
  using applications::RegionSplit;
  if (view.profile.regions.empty()) return;
  ItemColumns<RegionSplit> columns{
      {{"region", 0, Align::left}, [&](const RegionSplit& one) {
         if (!one.region) return std::string("-");
         return inert(view.profile.regions[static_cast<std::size_t>(*one.region)].name);
       }}};
  add_split_columns(columns, [](const RegionSplit& one) { return one.times; });
  print_items(out, "the same by region, those of most time on the critical path first", columns,
              view.replay->regions);
}

void print_waits_by_rank(std::ostream& out, const ProfileView& view) {
  struct RankSplit {
    int rank = 0;
    applications::SplitTimes times;
  };
  std::vector<RankSplit> ranks;
  for (std::size_t rank = 0; rank < view.replay->ranks.size(); ++rank) {
    ranks.push_back({static_cast<int>(rank), view.replay->ranks[rank]});
  }
  ItemColumns<RankSplit> columns{
      {{"rank", 6}, [](const RankSplit& one) { return std::to_string(one.rank); }}};
  add_split_columns(columns, [](const RankSplit& one) { return one.times; });
  print_items(out, "the same by rank", columns, ranks);
}

/// After Scalasca, beside what the replay says.
void print_clock_waits(std::ostream& out, const ProfileView& view) {
  struct NamedWait {
    std::string name;
    applications::WaitState state;
  };
  if (!view.clock_waits) return;
  const applications::WaitStates& waits = *view.clock_waits;
  const std::vector<NamedWait> named{{"late sender", waits.late_sender},
                                     {"late receiver", waits.late_receiver},
                                     {"barrier", waits.barrier},
                                     {"all to all", waits.all_to_all},
                                     {"early reduce", waits.early_reduce},
                                     {"late broadcast", waits.late_broadcast},
                                     {"all", waits.all()}};
  const ItemColumns<NamedWait> columns{
      {{"wait", 0, Align::left}, [](const NamedWait& one) { return one.name; }},
      {{"seconds", 14}, [](const NamedWait& one) { return significant(one.state.seconds); }},
      {{"within[s]", 14},
       [](const NamedWait& one) { return significant(one.state.bound_seconds); }}};
  std::string title =
      "waits by the clocks of the hosts (Scalasca's definitions), over all ranks; "
      "by the replay, without clocks, " +
      significant(view.replay->waiting_seconds()) + " s";
  if (waits.clocks_not_known > 0) {
    title += "; " + count_text(static_cast<std::size_t>(waits.clocks_not_known), "wait") +
             " between clocks that do not compare";
  }
  print_items(out, title, columns, named);
}

}  // namespace

void print_replay_tables(std::ostream& out, const ProfileView& view) {
  if (!view.replay) return;
  print_waits_by_site(out, view);
  print_waits_by_region(out, view);
  print_waits_by_rank(out, view);
  print_clock_waits(out, view);
}

}  // namespace hockney::report

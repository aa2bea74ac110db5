#pragma once

#include <ostream>
#include <string>
#include <vector>

#include "application/screens/profile_report.hpp"
#include "report/table.hpp"

namespace hockney::report {

// Tables of a profile that stand below each other, each below its title.

/// Prints the items below a title; nothing where there are none.
template <class Item>
void print_items(std::ostream& out, const std::string& title, const ItemColumns<Item>& columns,
                 const std::vector<Item>& items) {
  if (items.empty()) return;
  Table table = table_of(columns);
  table.comment_texts();
  table.text(title);
  table.header();
  for (const Item& item : items) table.row(cells_of(columns, item));
  table.text("");
  out << table;
}

/// What a replay of the log says of call sites, regions and ranks, and the clocks of waits; nothing
/// without a replay.
void print_replay_tables(std::ostream& out, const ProfileView& view);

}  // namespace hockney::report

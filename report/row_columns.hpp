#pragma once

#include "report/rows.hpp"
#include "report/view.hpp"

namespace hockney::report {

/// Columns of a point. Documents whose points are objects have them in CSV alone.
Columns<Point> point_columns(Forms forms = Form::csv | Form::json);

/// Columns of a row: point, setting and axes, times. A table of a terminal shows those it chooses.
Columns<Row> row_columns();

/// row_columns() of a part of each item.
template <class Item>
Columns<Item> row_columns_of(Row Item::*row) {
  return of_part<Item, Row>(row_columns(),
                            [row](const Item& item) -> const Row& { return item.*row; });
}

/// The remark of a row: flags, or the reason for no time; unknown without both.
Value remark_of(const Row& row, const std::vector<std::string>& flags);

}  // namespace hockney::report

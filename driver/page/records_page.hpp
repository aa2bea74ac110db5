#pragma once

#include <cstddef>
#include <limits>
#include <nlohmann/json_fwd.hpp>

#include "driver/screens/results.hpp"
#include "report/page/page.hpp"

namespace hockney::report {

/// Rows of a page. With eight launches a row has about 600 B in it.
inline constexpr std::size_t most_page_rows = 4000;

/// hockney.rows/1. With more rows than `most`, curves that differ only in their pair become one:
/// the median of their medians, with the range from the fastest to the slowest. The first `most`
/// pairs at the smallest size of each curve remain in the list `pairs`. With more than 4 x `most`
/// medians of launches, rows have none.
nlohmann::json rows_document(Results& results,
                             std::size_t most = std::numeric_limits<std::size_t>::max());

/// The page with this document first, in place of those of its kind.
Page led_by(PageDocument first, Page page);

/// The page of records. Its documents are the rows, comparisons of the folders, and guidelines.
Page page_of(Results& results);

}  // namespace hockney::report

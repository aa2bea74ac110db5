#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <ostream>

namespace hockney::report {

/// What `print` prints, narrowed() (report/screens/screen.hpp) where there are fewer than 100
/// columns.
void print_narrowed(std::ostream& out, std::optional<std::size_t> columns,
                    const std::function<void(std::ostream&)>& print);

}  // namespace hockney::report

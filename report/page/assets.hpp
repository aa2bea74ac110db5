#pragma once

#include <string_view>

namespace hockney::report {

// The files page.css and page.js, which CMake puts into the program.

extern const std::string_view page_style;
extern const std::string_view page_script;

}  // namespace hockney::report

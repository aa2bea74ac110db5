#include "core/process_stat.hpp"

#include <fstream>
#include <sstream>
#include <string_view>

#include "core/text.hpp"

namespace hockney {

std::int64_t ProcessStat::number(Field field) const {
  const std::size_t index = field - state;
  return index < fields.size() ? as_number<std::int64_t>(fields[index]).value_or(0) : 0;
}

std::string ProcessStat::state_letter() const { return fields.empty() ? "" : fields.front(); }

/// The name may contain blanks and brackets; the fields after its last bracket do not.
std::optional<ProcessStat> read_process_stat(const std::string& file) {
  std::ostringstream read;
  read << std::ifstream(file, std::ios::binary).rdbuf();
  const std::string text = read.str();
  const std::size_t open = text.find('(');
  const std::size_t close = text.rfind(')');
  const bool has_name = open != std::string::npos && close != std::string::npos && open < close;
  if (!has_name || close + 2 > text.size()) {
    return std::nullopt;
  }
  return ProcessStat{text.substr(open + 1, close - open - 1),
                     split(std::string_view(text).substr(close + 2), ' ')};
}

}  // namespace hockney

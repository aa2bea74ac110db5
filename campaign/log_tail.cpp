#include "campaign/log_tail.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>

#include "core/names.hpp"

namespace hockney {
namespace {

/// The end of a file; logs of a job gone wild can be large.
std::string last_bytes(const std::string& file, std::streamoff count) {
  std::ifstream in(file, std::ios::binary | std::ios::ate);
  if (!in) return {};
  const std::streamoff size = in.tellg();
  in.seekg(std::max<std::streamoff>(0, size - count));
  return {std::istreambuf_iterator<char>(in), {}};
}

/// Bytes above 127 may be cut within a character of UTF-8, which JSON cannot hold.
bool is_plain(char c) { return c >= ' ' && c <= '~'; }

}  // namespace

std::vector<std::string> last_lines(const std::string& log_file, std::size_t count) {
  constexpr std::streamoff read_bytes = 8192;
  constexpr std::size_t longest = 200;
  std::vector<std::string> lines;
  for (std::string& line : split(last_bytes(log_file, read_bytes), '\n')) {
    std::erase_if(line, [](char c) { return !is_plain(c); });
    if (line.find_first_not_of(" -") == std::string::npos) continue;
    if (line.size() > longest) line.resize(longest);
    lines.push_back(std::move(line));
  }
  if (lines.size() > count) lines.erase(lines.begin(), lines.end() - static_cast<long>(count));
  return lines;
}

}  // namespace hockney

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

/// Launchers put what they say about a job that failed between two long rulers: Open MPI of '-',
/// Hydra of '='.
bool is_fence(const std::string& line) {
  constexpr std::size_t shortest = 40;
  return line.size() >= shortest &&
         line.find_first_not_of(line.front() == '=' ? "=" : "-") == std::string::npos;
}

/// Slurm's launcher says so itself when a task has failed.
bool is_of_slurm(const std::string& line) {
  return line.starts_with("srun: ") || line.starts_with("slurmstepd: ");
}

std::vector<std::string> telling_lines(const std::string& text, std::size_t longest) {
  std::vector<std::string> all;
  std::vector<std::string> of_program;
  bool fenced = false;
  for (std::string& line : split(text, '\n')) {
    std::erase_if(line, [](char c) { return !is_plain(c); });
    if (is_fence(line)) fenced = !fenced;
    if (line.find_first_not_of(" -=") == std::string::npos) continue;
    if (line.size() > longest) line.resize(longest);
    if (!fenced && !is_of_slurm(line)) of_program.push_back(line);
    all.push_back(std::move(line));
  }
  return of_program.empty() ? all : of_program;
}

}  // namespace

std::vector<std::string> last_lines(const std::string& log_file, std::size_t count,
                                    std::size_t longest) {
  constexpr std::streamoff read_bytes = 8192;
  std::vector<std::string> lines = telling_lines(last_bytes(log_file, read_bytes), longest);
  if (lines.size() > count) lines.erase(lines.begin(), lines.end() - static_cast<long>(count));
  return lines;
}

}  // namespace hockney

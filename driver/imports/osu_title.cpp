#include "driver/imports/osu_title.hpp"

#include <algorithm>
#include <cctype>
#include <map>
#include <optional>
#include <regex>
#include <string>
#include <string_view>
#include <utility>

#include "driver/imports/table_text.hpp"

namespace hockney::imports {
namespace {

/// An operation from its benchmark's title, without accelerator and "latency".
struct TitledOperation {
  std::string operation;
  bool of_pair = false;
  int ways = 1;
  std::map<std::string, std::string> parameters{};
};

const std::map<std::string, TitledOperation>& titled_operations() {
  static const std::map<std::string, TitledOperation> all{
      {"latency", {"pingpong", true}},
      {"bandwidth", {"bandwidth", true}},
      {"bi-directional bandwidth", {"bidirectional-bandwidth", true, 2}},
      {"bidirectional bandwidth", {"bidirectional-bandwidth", true, 2}},
      {"multiple bandwidth / message rate", {"message-rate"}},
      {"broadcast", {"bcast"}},
      {"all-to-all personalized exchange", {"alltoall"}},
      {"all-to-allv personalized exchange", {"alltoallv"}},
      {"all-to-allw personalized exchange", {"alltoallw"}},
      {"all-to-all", {"alltoall"}},
      {"all-to-allv", {"alltoallv"}},
      {"all-to-allw", {"alltoallw"}},
      {"multi-threaded", {"threaded-pingpong", true}},
      {"multi-process", {"pingpong", true}},
      {"multi", {"pingpong", true, 1, {{"concurrent", "yes"}}}},
      {"put bi-directional bandwidth", {"put-bidirectional-bandwidth", true, 2}}};
  return all;
}

/// Removes a matching part from a text; returns whether there was one.
bool take_away(std::string& text, const std::regex& part) {
  const std::string rest = std::regex_replace(text, part, std::string());
  const bool is_there = rest != text;
  text = rest;
  return is_there;
}

std::string lower(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char letter) {
    return static_cast<char>(std::tolower(letter));
  });
  return text;
}

/// Removes "-CUDA", "-ROCM", "-OPENACC", "-MANAGED" and "-CUDA MANAGED" from a title.
void take_accelerator(std::string& text, OsuTitle& title) {
  static const std::regex accelerator("-(CUDA|ROCM|OPENACC|MANAGED)( MANAGED)?");
  std::smatch found;
  if (!std::regex_search(text, found, accelerator)) return;
  title.managed = found[1] == "MANAGED" || found[2].matched;
  title.accelerator = found[1] == "MANAGED" ? "cuda" : lower(found[1]);
  text = found.prefix().str() + found.suffix().str();
}

void name_operation(std::string text, OsuTitle& title) {
  text = lower(std::move(text));
  const bool nonblocking = take_away(text, std::regex("^non-?blocking "));
  const bool persistent = take_away(text, std::regex(" persistent(?= latency$|$)"));
  const bool neighbour = take_away(text, std::regex("^neighborhood "));
  take_away(text, std::regex(" latency$"));
  const auto found = titled_operations().find(text);
  if (found != titled_operations().end()) {
    title.operation = found->second.operation;
    title.of_pair = found->second.of_pair;
    title.ways = found->second.ways;
    title.parameters = found->second.parameters;
  } else {
    title.of_pair = std::regex_search(text, std::regex("^(put|get|accumulate|fetch|compare)"));
    title.operation = operation_name(text);
  }
  if (neighbour) title.operation.insert(0, "neighbor-");
  if (persistent) title.operation.insert(0, "persistent-");
  if (nonblocking) title.operation.insert(0, "i");
}

}  // namespace

std::optional<OsuTitle> osu_title(std::string_view line) {
  static const std::regex pattern(
      R"(^# (OSU|OMB-Py) (?:MPI (?=One Sided))?(?:One Sided )?([A-Za-z]+)([-_ ].*?)? Test(?: v([0-9.]+))?.*$)");
  std::cmatch found;
  if (!std::regex_match(line.begin(), line.end(), found, pattern)) return std::nullopt;
  OsuTitle title{.library = found[2], .version = found[4], .parameters = {}};
  std::string rest = found[3];
  take_accelerator(rest, title);
  const std::size_t begin = rest.find_first_not_of("_ ");
  const bool is_read = title.library == "MPI" || title.library == "NCCL" || title.library == "RCCL";
  if (!is_read || begin == std::string::npos) return title;
  name_operation(rest.substr(begin), title);
  if (title.library != "MPI") title.parameters["library"] = lower(title.library);
  if (found[1] == "OMB-Py") title.parameters["language"] = "python";
  return title;
}

OsuTitle title_of_program(const std::string& program) {
  static const std::map<std::string, std::string> titles{
      {"bw", "bandwidth"},
      {"bibw", "bi-directional bandwidth"},
      {"mbw_mr", "multiple bandwidth / message rate"},
      {"multi_lat", "multi latency"},
      {"latency_mt", "multi-threaded latency"},
      {"latency_mp", "multi-process latency"}};
  OsuTitle title{.library = "MPI", .parameters = {}};
  std::string name = program.substr(std::string_view("osu_").size());
  constexpr std::string_view other_library = "xccl_";
  if (name.starts_with(other_library)) name.erase(0, other_library.size());
  const auto found = titles.find(name);
  if (found != titles.end()) {
    name = found->second;
  } else {
    std::ranges::replace(name, '_', ' ');
  }
  name_operation(name, title);
  return title;
}

}  // namespace hockney::imports

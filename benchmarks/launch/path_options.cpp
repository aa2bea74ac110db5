#include "benchmarks/launch/path_options.hpp"

#include <algorithm>

#include "core/error.hpp"
#include "core/names.hpp"
#include "core/sizes.hpp"

namespace hockney {
namespace {

constexpr const char* default_from = "64K";  // above the eager limits of all libraries

}  // namespace

void PathOptionGroup::add_to(CLI::App& app) {
  if (!proves_paths_) return;
  app.add_option("--expect-path", path_,
                 "cma, shm or tcp: where another path than this is proven, or none, the series is "
                 "flagged and the exit code is 1")
      ->default_str("none");
  app.add_option("--expect-from", from_, "The smallest message that --expect-path is about")
      ->default_str(default_from);
}

void PathOptionGroup::read_into(LaunchOptions& options) const {
  options.prove_paths = proves_paths_;
  if (path_.empty() && from_.empty()) return;
  if (path_.empty()) {
    throw InputError({"--expect-from without --expect-path", "it says from which size on",
                      "name the path, or leave it out"});
  }
  const std::vector<std::string> known{"cma", "shm", "tcp"};
  if (std::ranges::find(known, path_) == known.end()) {
    throw InputError(
        {"unknown path '" + path_ + "'", "no count could prove it", suggest(path_, known)});
  }
  const ExpectedPath expected{.path = path_,
                              .from = parse_bytes(from_.empty() ? default_from : from_)};
  if (std::ranges::max(options.sizes) < expected.from) {
    throw InputError({"--expect-path from " + format_bytes(expected.from) + " on",
                      "no message of that size is measured", "add --expect-from, or larger sizes"});
  }
  options.expected_path = expected;
}

}  // namespace hockney

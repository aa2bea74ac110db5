// Memory and time of rank 0 for the parts of many ranks: profile_merge [RANKS [SITES [NEIGHBOURS]]]

#include <sys/resource.h>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string>

#include "components/application/profile/merge.hpp"
#include "components/application/profile/profile_file.hpp"
#include "core/json_values.hpp"
#include "tests/support/synthetic_part.hpp"

namespace {

/// The largest resident size so far [MB].
double resident() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) * 1024e-6;
}

}  // namespace

int main(int argc, char** argv) {
  using hockney::profile::SyntheticPart;
  const auto number = [&](int place, int usual) {
    return argc > place ? std::atoi(argv[place]) : usual;
  };
  SyntheticPart part{.ranks = number(1, 10000), .sites = number(2, 1000)};
  part.neighbours = number(3, 0);
  std::size_t bytes = 0;
  const auto begin = std::chrono::steady_clock::now();
  hockney::profile::Merger merger;
  for (; part.rank < part.ranks; ++part.rank) {
    const std::string text = bytes_of(part);
    bytes += text.size();
    for (const auto& one : hockney::profile::read_parts(text, "part")) merger.add(one);
  }
  const hockney::profile::Profile profile = merger.take();
  const double merged = resident();
  const std::string text = hockney::json_text(nlohmann::json(profile));
  const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begin;
  std::printf(
      "%d ranks, %d call sites, %d neighbours: parts of %.1f MB, merged in %.1f MB, written as "
      "%.1f MB in %.1f MB, %.1f s\n",
      part.ranks, part.sites, part.neighbours, static_cast<double>(bytes) * 1e-6, merged,
      static_cast<double>(text.size()) * 1e-6, resident(), spent.count());
}

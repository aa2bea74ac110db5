#pragma once

#include <cstdint>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "components/tune/open_mpi_algorithms.hpp"
#include "components/tune/rules.hpp"

namespace hockney::tune {

/// Random rules, merged as a file's are: neighbours differ.
class RandomRules {
 public:
  explicit RandomRules(std::uint64_t seed) : engine_(seed) {}

  /// Of up to three operations, with algorithms and segments of Open MPI's or presets of Intel's.
  Rules open_mpi() {
    return rules([this](const std::string& operation) {
      const auto names = open_mpi_algorithms(operation);
      const std::size_t index = below(names.size());
      return Choice{.algorithm = std::string(names[index]),
                    .number = static_cast<int>(index) + 1,
                    .segment = below(2) == 0 ? 0 : 1024 * static_cast<std::int64_t>(below(64)),
                    .fanout = static_cast<int>(below(3)),
                    .variables = {}};
    });
  }

  Rules presets() {
    return rules([this](const std::string&) {
      const int preset = static_cast<int>(below(30)) + 1;
      return Choice{.algorithm = std::to_string(preset), .number = preset};
    });
  }

  std::size_t below(std::size_t limit) { return engine_() % limit; }

 private:
  template <class Make>
  Rules rules(const Make& make) {
    const std::vector<std::string> operations{"allreduce", "bcast", "reduce-scatter"};
    Rules rules;
    for (const std::string& operation : operations) {
      OperationRules of{.operation = operation, .ranks = {}};
      for (const std::int64_t from : ascending(2, 200)) {
        RanksRule rule{.from = static_cast<int>(from), .measured = 0, .sizes = {}};
        for (const std::int64_t size : ascending(0, 1 << 20)) {
          rule.sizes.push_back({size, below(4) == 0 ? Choice() : make(operation)});
        }
        of.ranks.push_back(std::move(rule));
      }
      rules.push_back(std::move(of));
    }
    return merged(std::move(rules));
  }

  /// One to five different numbers that begin with the first.
  std::vector<std::int64_t> ascending(std::int64_t first, std::int64_t limit) {
    std::set<std::int64_t> numbers{first};
    for (std::size_t more = below(5); more > 0; --more) {
      numbers.insert(first + static_cast<std::int64_t>(below(static_cast<std::size_t>(limit))));
    }
    return {numbers.begin(), numbers.end()};
  }

  std::mt19937_64 engine_;
};

}  // namespace hockney::tune

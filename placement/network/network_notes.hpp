#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "core/site_file.hpp"

namespace hockney::placement {

/// What a reader left out of a network and why, and what it chose where a description allows more
/// than one answer.
class NetworkNotes {
 public:
  /// Counts one more thing. All with the same noun and reason are one line, which names the first
  /// three: "2 blocks without nodes: rackB, rackC".
  void leave_out(const std::string& noun, const std::string& reason, const std::string& name) {
    count("left out: ", noun, reason, name);
  }
  /// The same of what counts, though in a way that a reader of the network should know.
  void mention(const std::string& noun, const std::string& reason, const std::string& name) {
    count("", noun, reason, name);
  }
  /// A sentence about the whole network.
  void remark(std::string line) { remarks_.push_back(std::move(line)); }

  /// Remarks first, then a line for each kind; control characters are escaped.
  [[nodiscard]] std::vector<std::string> lines() const;

 private:
  struct Kind {
    std::string label;
    std::string noun;
    std::string reason;
    std::size_t count = 0;
    std::vector<std::string> names;  ///< of the first few
  };
  void count(const std::string& label, const std::string& noun, const std::string& reason,
             const std::string& name);

  std::vector<std::string> remarks_;
  std::vector<Kind> kinds_;
};

/// A network as one source describes it.
struct DescribedNetwork {
  SiteFile sites;
  std::vector<std::string> notes{};  ///< NetworkNotes::lines
};

/// InputError of a description in which no host is left: its first note is the reason, or `why`
/// where there is none.
[[noreturn]] void reject_network(const std::string& problem, const NetworkNotes& notes,
                                 const std::string& why, const std::string& suggestion);

}  // namespace hockney::placement

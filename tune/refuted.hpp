#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tune/evidence.hpp"

namespace hockney {

/// A size at which a selection file, when it was in force, was slower than the default.
struct Refuted {
  std::string operation;
  int ranks = 0;
  Bytes bytes{};
  std::string file;  ///< of the verification that says so

  friend bool operator==(const Refuted&, const Refuted&) = default;
};

/// Of a document hockney.tune-verify/1; none when the file was nowhere slower. InputError for
/// another document.
std::vector<Refuted> read_refuted(std::string_view text, const std::string& file);

/// Leaves these sizes to the default: points without a candidate that is shown to be faster, new
/// ones where the campaigns measured none, so that no rule reaches across them. InputError for an
/// operation or number of ranks that no campaign has.
void withdraw(Evidence& evidence, std::span<const Refuted> refuted);

}  // namespace hockney

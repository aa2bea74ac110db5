#pragma once

#include <map>
#include <ostream>
#include <span>
#include <string>
#include <vector>

#include "core/record.hpp"

namespace hockney::report {

/// What became of one setting's algorithm of an operation, over sizes.
struct AlgorithmLine {
  std::string setting;
  std::string requested;
  std::map<Bytes, AlgorithmUse> uses;

  [[nodiscard]] bool has(Proof proof) const;
};

/// One operation of one MPI library on so many ranks.
struct AlgorithmBlock {
  std::string library;
  std::string operation;
  int ranks = 0;
  std::map<std::string, std::string> parameters;
  std::vector<AlgorithmLine> lines;  ///< of settings, in order of appearance
};

/// How many settings of a block there are, and what became of them. A setting that was substituted
/// at some size is substituted; else unproven if it is so at some size; else proven.
struct AlgorithmCounts {
  int enumerated = 0;
  int run = 0;  ///< with a complete timed launch or, in a verification run, a call that ended
  int proven = 0;
  int substituted = 0;
  int unproven = 0;

  friend bool operator==(const AlgorithmCounts&, const AlgorithmCounts&) = default;
};

AlgorithmCounts count_algorithms(const AlgorithmBlock& block);

/// Of all complete launches that a verification run told of.
std::vector<AlgorithmBlock> algorithm_blocks(std::span<const Record> records);

/// Asked against ran: a table for each block, and the counts of each; nothing where no verification
/// run told.
void print_algorithm_tables(std::ostream& out, std::span<const Record> records);

}  // namespace hockney::report

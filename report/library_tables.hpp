#pragma once

#include <map>
#include <ostream>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "core/record.hpp"
#include "core/settings.hpp"

namespace hockney::report {

/// Result of one protocol search of a pair, over all launches of a setting.
struct ProtocolRow {
  std::string call;
  std::string receiver;
  std::string datatype;
  std::set<std::string> answers;  ///< more than one: launches disagree
  int searches = 0;
};

/// Result of one flood of unexpected messages, over all launches of a setting.
struct UnexpectedRow {
  std::int64_t bytes = 0;
  std::string receiver;
  std::set<std::string> answers;
};

/// Memory at one moment: the largest of any rank in any launch.
struct MemoryRow {
  MemoryUse largest;
  int readings = 0;
};

/// Findings of the launches of one setting for the ranks of one pair.
struct PairReport {
  std::string title;  ///< setting, library, hop, pair
  std::size_t launches = 0;
  std::vector<ProtocolRow> limits;
  std::vector<UnexpectedRow> unexpected;
  std::set<std::string> stated;  ///< "btl_vader_eager_limit 4096 - 56"
  std::set<std::string> flags;
};

/// Header sizes of each stated variable (stated minus measured limit), over all records. One size
/// if statement and measurement agree.
std::map<std::string, std::set<std::int64_t>> headers(std::span<const Record> records);

/// Prints eager limits and floods from launches of hockney-protocol, and memory where a launch read
/// it. Prints nothing for other records.
void print_protocol_tables(std::ostream& out, std::span<const Record> records);

/// Summary of launches of hockney-protocol, in sentences. They state the largest size sent without
/// a receive, and the limit stated by the library. Then the number of unexpected messages that a
/// receiver accepts, and their memory. With more than three settings and pairs, a table of the
/// limits. Empty for other records.
std::vector<std::string> protocol_answer(std::span<const Record> records);

/// Every variable of a library with its effective value and, below it, the allowed values. A named
/// number is printed by its name.
void print_settings_table(std::ostream& out, const std::vector<ControlVariable>& variables);

/// Results for one setting's algorithm of an operation, by size.
struct AlgorithmLine {
  std::string setting;
  std::string requested;
  std::map<Bytes, AlgorithmUse> uses;

  [[nodiscard]] bool has(Proof proof) const;
};

/// One operation of one MPI library on a number of ranks.
struct AlgorithmBlock {
  std::string library;
  std::string operation;
  int ranks = 0;
  std::map<std::string, std::string> parameters;
  std::vector<AlgorithmLine> lines;  ///< of settings, in order of appearance
};

/// Number of settings in a block, by result. A setting is substituted if it was at any size; else
/// unproven if it was at any size; else proven.
struct AlgorithmCounts {
  int enumerated = 0;
  int run = 0;  ///< with a complete timed launch or a call in a verification launch
  int proven = 0;
  int substituted = 0;
  int unproven = 0;

  friend bool operator==(const AlgorithmCounts&, const AlgorithmCounts&) = default;
};

AlgorithmCounts count_algorithms(const AlgorithmBlock& block);

/// Blocks of all complete launches with results of a verification launch.
std::vector<AlgorithmBlock> algorithm_blocks(std::span<const Record> records);

/// Requested and actual algorithms: a table for each block, with its counts. Prints nothing without
/// a verification launch.
void print_algorithm_tables(std::ostream& out, std::span<const Record> records);

}  // namespace hockney::report

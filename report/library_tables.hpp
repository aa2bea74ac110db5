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

/// One question to the protocol, as all launches of a setting answered it for a pair.
struct ProtocolRow {
  std::string call;
  std::string receiver;
  std::string datatype;
  std::set<std::string> answers;  ///< more than one: they disagree
  int searches = 0;
};

/// The same of floods.
struct UnexpectedRow {
  std::int64_t bytes = 0;
  std::string receiver;
  std::set<std::string> answers;
};

/// Memory at one moment, the largest that any rank had in any launch.
struct MemoryRow {
  MemoryUse largest;
  int readings = 0;
};

/// What the launches of one setting found between the ranks of one pair.
struct PairReport {
  std::string title;  ///< setting, library, hop, pair
  std::size_t launches = 0;
  std::vector<ProtocolRow> limits;
  std::vector<UnexpectedRow> unexpected;
  std::set<std::string> stated;  ///< "btl_vader_eager_limit 4096 - 56"
  std::set<std::string> flags;
};

/// In the order of the records, pairs and questions.
std::vector<PairReport> pair_reports(std::span<const Record> records);

/// Of all records of one setting, by setting.
std::map<std::string, std::vector<MemoryRow>> memory_rows(std::span<const Record> records);

/// The headers that each stated variable was found to need, over all records: one, if what the
/// library states and what was measured go together.
std::map<std::string, std::set<std::int64_t>> headers(std::span<const Record> records);

/// Eager limits and floods of launches of hockney-protocol, and memory of launches that read it;
/// nothing for other records.
void print_protocol_tables(std::ostream& out, std::span<const Record> records);

/// What launches of hockney-protocol found, in sentences: up to which size the ranks of a pair send
/// without a receive and what the library says of it, how many messages a receiver takes that does
/// not ask for them, and what memory that costs. Of more than three settings and pairs a
/// table of the limits; no lines of other records.
std::vector<std::string> protocol_answer(std::span<const Record> records);

/// Every variable of a library with its value in force and, below it, the values it may have. A
/// number that has a name is shown by it.
void print_settings_table(std::ostream& out, const std::vector<ControlVariable>& variables);

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

#pragma once

#include <map>
#include <ostream>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "core/record.hpp"
#include "core/settings/control_variable.hpp"

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

}  // namespace hockney::report

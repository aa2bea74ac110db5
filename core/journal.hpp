#pragma once

#include <istream>
#include <optional>
#include <string>
#include <string_view>

#include "core/atomic_file.hpp"
#include "core/record.hpp"
#include "core/samples.hpp"

namespace hockney {

/// The work so far of a launch under way, kept beside the record it will become: one JSON line for
/// the record without samples, then one line per block. A launch that dies loses at most the block
/// it was in.
class Journal {
 public:
  /// Starts `<record_file>.journal`; RunError when it cannot be written.
  Journal(const std::string& record_file, const Record& header);

  /// RunError when it cannot be written: going on could lose what comes.
  void append(const MeasurementBlock& block);

  /// Removes the file; called once the record itself is safe.
  void discard();

 private:
  std::string file_;
  GrowingFile out_;
};

/// Name of the journal of a record file.
std::string journal_name(const std::string& record_file);

/// Of a record: lines of its journal could not be used. stopped_because names the first of them.
inline constexpr std::string_view journal_damaged_flag = "journal-damaged";

/// The record of the lines of a journal, as recover_journal; `file` is named in errors. InputError
/// for a header that cannot be used.
std::optional<Record> read_journal(std::istream& lines, const std::string& file);

/// The record a dead launch would have written, with status `interrupted`; nullopt when there is no
/// journal or it holds no whole header. A last line cut short is passed over, and other lines that
/// cannot be used are left out and counted (journal_damaged_flag).
std::optional<Record> recover_journal(const std::string& record_file);

}  // namespace hockney

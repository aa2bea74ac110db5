#pragma once

#include <istream>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/atomic_file.hpp"
#include "core/json_node.hpp"
#include "core/record.hpp"
#include "core/samples.hpp"

namespace hockney {

/// Digest of a content: equal for equal bytes. It is a UUID of version 5 (RFC 4122), 122 bits of
/// SHA-1, so that collisions never happen by chance. It does not protect against forgery.
std::string content_digest(std::string_view content);

inline constexpr std::string_view record_schema = "hockney.record/2";
/// Read, not written: some keys had other names.
inline constexpr std::string_view former_record_schema = "hockney.record/1";

/// The document of a record; `read_record` of it gives an equal record.
nlohmann::json to_json(const Record& record);

/// Strict: InputError with file and key for an unknown schema, a missing or mistyped key, a number
/// outside of its limits, or values that contradict each other (core/record_invariants.hpp).
Record read_record(const JsonNode& document);
Record load_record(const std::string& file);

/// The same for a document that claims to be a record of any version; nullopt for others.
std::optional<Record> read_if_record(const JsonNode& document);

/// Parses the content of a file: CBOR if its name ends in .cbor, else JSON. InputError as from
/// parse_json.
JsonNode parse_document(std::string_view content, const std::string& file);

/// The same for a file that must be a record; InputError if it is not a record of hockney.
JsonNode parse_record_document(std::string_view content, const std::string& file);

/// Atomic; CBOR if the name ends in .cbor, else JSON.
void save_record(const Record& record, const std::string& file);

/// Which parts of records remain in memory. `times` drops the samples (core/samples.hpp) and those
/// settings of the MPI library that explain no limit (core/record.hpp). From records without
/// protocols it drops all settings that are not about eager messages. Samples and settings are most
/// of a record; tables, fits and verdicts need only launch medians.
enum class Kept { everything, times };

/// Drops the parts that Kept::times excludes.
void keep_times(Record& record);

/// Records already read, by file name.
using ReadRecords = std::map<std::string, Record>;

/// The records of each path, in order of paths and names. A path is a file, which must be a record
/// or a journal, or a folder, which is searched for *.json and *.cbor; other documents in it, such
/// as manifests, are passed over. Files in `read` are not read again. Several threads read; the
/// InputError is that of the first wrong file, or says that there is no record.
std::vector<Record> load_records(const std::vector<std::string>& paths,
                                 Kept kept = Kept::everything, ReadRecords read = {});

/// The usable records of some paths.
struct UsableRecords {
  std::vector<Record> records;
  std::vector<std::string> refused;  ///< why, a line for each file of a folder that is left out
};

/// As load_records, but a wrong file of a folder costs only itself. InputError for a wrong file
/// that a path names, or of the first file if all are wrong.
UsableRecords load_usable_records(const std::vector<std::string>& paths, Kept kept);

/// Keeps the operations in `list`, joined by commas; InputError for one that no record has.
void keep_operations(const std::vector<std::vector<Record>*>& sides, const std::string& list);

/// The results so far of a running launch, in a file beside its record: one JSON line for the
/// record without samples, then one line at the beginning of each block and one at its end. A
/// launch that dies loses at most its current block, and the journal names that block's point.
class Journal {
 public:
  /// Starts `<record_file>.journal`; RunError when it cannot be written.
  Journal(const std::string& record_file, const Record& header);

  /// A planned point is measured from now on. RunError as for append.
  void begin(std::size_t point);
  /// RunError if it cannot be written: to continue could lose the coming results.
  void append(const MeasurementBlock& block);

  /// Removes the file; called once the record itself is safe.
  void discard();

 private:
  std::string file_;
  GrowingFile out_;
};

/// Name of the journal of a record file.
std::string journal_name(const std::string& record_file);

/// Number of blocks in whole lines of a journal that follow its first line.
std::size_t blocks_in(std::string_view lines);

/// Flag of a record: some lines of its journal are unusable. stopped_because names the first of
/// them.
inline constexpr std::string_view journal_damaged_flag = "journal-damaged";

/// The record from the lines of a journal, as in recover_journal; errors name `file`. InputError
/// for an unusable header.
std::optional<Record> read_journal(std::istream& lines, const std::string& file);

/// The record that a dead launch would have written, with status `interrupted`. A last line that is
/// cut short is passed over; other unusable lines are left out and counted (journal_damaged_flag).
/// nullopt if there is no journal or it has no whole header.
std::optional<Record> recover_journal(const std::string& record_file);

}  // namespace hockney

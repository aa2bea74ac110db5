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

/// What stands for a content: equal for equal bytes, and for others so rarely that it never happens
/// (122 bits of SHA-1, as a UUID of version 5, RFC 4122; no protection against forgery).
std::string content_digest(std::string_view content);

inline constexpr std::string_view record_schema = "hockney.record/2";
/// Read, not written: some keys had other names.
inline constexpr std::string_view former_record_schema = "hockney.record/1";

/// The document of a record; `read_record` of it gives an equal record.
nlohmann::json to_json(const Record& record);

/// Strict: InputError naming file and key for an unknown schema, a missing or mistyped key, or a
/// number outside of its domain.
Record read_record(const JsonNode& document);
Record load_record(const std::string& file);

/// The same of a document that claims to be a record of any version; nullopt of others.
std::optional<Record> read_if_record(const JsonNode& document);

/// The document in the content of a file: CBOR when its name ends in .cbor, else JSON. InputError
/// as of parse_json.
JsonNode parse_document(std::string_view content, const std::string& file,
                        const Omission& omitted = {});

/// The same of a file that must be a record; InputError where it is none of hockney's.
JsonNode parse_record_document(std::string_view content, const std::string& file,
                               const Omission& omitted = {});

/// Atomic; CBOR when the name ends in .cbor, JSON otherwise.
void save_record(const Record& record, const std::string& file);

/// What is kept of records in memory. Tables, fits and verdicts are made of launch medians: `times`
/// drops the samples (core/samples.hpp), and the settings of the MPI library that explain no limit
/// (core/record.hpp; of a record without protocols, all that are not about eager messages), which
/// together are most of a record.
enum class Kept { everything, times };

/// Drops what Kept::times drops.
void keep_times(Record& record);

/// Records that have been read, by the names of their files.
using ReadRecords = std::map<std::string, Record>;

/// The records of each path: a file, or a folder searched for *.json and *.cbor records (other
/// documents in a folder, such as manifests, are passed over; a named file must be a record). In
/// order of paths and names, however many threads read them; the InputError is that of the first
/// that is wrong, or that there is none. Files of `read` are taken from there and not read again.
std::vector<Record> load_records(const std::vector<std::string>& paths,
                                 Kept kept = Kept::everything, ReadRecords read = {});

/// Keeps the operations in `list`, joined by commas; InputError for one that no record holds.
void keep_operations(const std::vector<std::vector<Record>*>& sides, const std::string& list);

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

#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/json_node.hpp"
#include "core/record.hpp"

namespace hockney {

inline constexpr std::string_view record_schema = "hockney.record/1";

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
/// (core/protocol.hpp; of a record without protocols, all that are not about eager messages), which
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

}  // namespace hockney

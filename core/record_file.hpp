#pragma once

#include <string>
#include <vector>

#include "core/json_node.hpp"
#include "core/record.hpp"

namespace hockney {

inline constexpr std::string_view record_schema = "hockney.record/1";

/// The document of a record; `read_record` of it gives an equal record.
nlohmann::json to_json(const Record& record);

/// Strict: InputError naming file and key for an unknown schema or a missing or mistyped key.
Record read_record(const JsonNode& document);
Record load_record(const std::string& file);

/// Atomic; CBOR when the name ends in .cbor, JSON otherwise.
void save_record(const Record& record, const std::string& file);

/// The records of each path: a file, or a folder searched for *.json and *.cbor records (other
/// documents in a folder, such as manifests, are passed over; a named file must be a record).
/// InputError when there is none.
std::vector<Record> load_records(const std::vector<std::string>& paths);

}  // namespace hockney

#include <algorithm>
#include <filesystem>

#include "core/error.hpp"
#include "core/record_file.hpp"

namespace hockney {
namespace {

namespace fs = std::filesystem;

/// Whether a document in a folder claims to be a record of any version.
bool claims_to_be_record(const JsonNode& document) {
  if (!document.is_object()) return false;
  const auto schema = document.find("schema");
  return schema && schema->is_text() && schema->text().starts_with("hockney.record/");
}

std::vector<fs::path> documents_below(const fs::path& folder) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    const fs::path extension = entry.path().extension();
    const bool document = extension == ".json" || extension == ".cbor";
    if (entry.is_regular_file() && document) files.push_back(entry.path());
  }
  std::ranges::sort(files);
  return files;
}

void append_records(std::vector<Record>& records, const std::string& path) {
  if (!fs::is_directory(path)) return records.push_back(load_record(path));
  for (const fs::path& file : documents_below(path)) {
    const JsonNode document = load_json(file.string());
    if (claims_to_be_record(document)) records.push_back(read_record(document));
  }
}

}  // namespace

std::vector<Record> load_records(const std::vector<std::string>& paths) {
  std::vector<Record> records;
  for (const std::string& path : paths) {
    std::error_code unreachable;
    if (!fs::exists(path, unreachable)) {
      throw InputError({"'" + path + "' does not exist", "records are read from files and folders",
                        "check the name"});
    }
    append_records(records, path);
  }
  if (records.empty()) {
    throw InputError({"no records", "none of the paths holds a " + std::string(record_schema),
                      "name a record file or the folder of a campaign"});
  }
  return records;
}

}  // namespace hockney

#include "core/record_fields.hpp"

#include <fmt/format.h>
#include <algorithm>

#include "core/atomic_file.hpp"
#include "core/document_text.hpp"
#include "core/error.hpp"
#include "core/record_invariants.hpp"
#include "core/sample_unit.hpp"

namespace hockney {

void write_unproven(const Transport& transport, nlohmann::json& object) {
  object["unproven_because"] = filled_or_null(prove_path(transport).reason);
}

void check_unproven(const JsonNode& object, Transport& /*transport*/) {
  if (const auto reason = object.find("unproven_because")) static_cast<void>(reason->text());
}

void read_within(const JsonNode& object, Summary& summary) {
  const auto ends = object.find("within_seconds");
  if (!ends) return;
  const auto values = read_value<std::vector<double>>(*ends);
  if (values.size() != 2) ends->reject("has not two ends", "an interval is [low, high]", "");
  if (values[0] > values[1]) ends->reject("ends before it begins", "it is [low, high]", "");
  const JsonNode node = object.at("within_level");
  const auto level = read_value<double>(node);
  if (level > 1) node.reject("is above 1", "it is a share of intervals", "");
  summary.within_seconds = Interval{values[0], values[1], level};
}

void write_within(const Summary& summary, nlohmann::json& object) {
  object["within_seconds"] = summary.within_seconds;
  object["within_level"] = level_of(summary.within_seconds);
}

void read_unit(const JsonNode& object, Series& series) {
  const auto node = object.find("unit_seconds");
  if (!node) return;
  const SampleUnit unit{.seconds = positive_number(*node), .batch = series.batch};
  if (exceeds(unit.seconds, longest_seconds)) reject_excess(*node, longest_seconds);
  read_samples(unit, series.samples_seconds, series.blocks);
}

void read_into(const JsonNode& node, AlgorithmUse& value) { read_fields(node, value); }

void read_into(const JsonNode& node, CoreNoise& value) { read_fields(node, value); }

void read_into(const JsonNode& node, Host& value) { read_fields(node, value); }

void read_into(const JsonNode& node, MeasurementBlock& value) { read_fields(node, value); }

void read_into(const JsonNode& node, MemoryUse& value) { read_fields(node, value); }

void read_into(const JsonNode& node, Point& value) { read_fields(node, value); }

void read_into(const JsonNode& node, Protocol& value) { read_fields(node, value); }

void read_into(const JsonNode& node, Provenance& value) { read_fields(node, value); }

void read_into(const JsonNode& node, SiteOrigin& value) { read_fields(node, value); }

void to_json(nlohmann::json& json, const AlgorithmUse& value) { write_fields(json, value); }

void to_json(nlohmann::json& json, const CoreNoise& value) { write_fields(json, value); }

void to_json(nlohmann::json& json, const MeasurementBlock& value) { write_fields(json, value); }

void to_json(nlohmann::json& json, const MemoryUse& value) { write_fields(json, value); }

void to_json(nlohmann::json& json, const Point& value) { write_fields(json, value); }

void to_json(nlohmann::json& json, const Protocol& value) { write_fields(json, value); }

nlohmann::json point_json(const Point& point) { return nlohmann::json(point)["point"]; }

nlohmann::json to_json(const Record& record) { return record; }

Record read_record(const JsonNode& document) {
  auto record = read_value<Record>(document);
  check_record(document, record);
  mark_automatic(record);
  return record;
}

namespace {

/// Whether it begins like a document; damaged ones still do.
bool begins_like_document(std::string_view content, const std::string& file) {
  const auto first = content.find_first_not_of(" \t\n\v\f\r");
  if (file.ends_with(".cbor") || first == std::string_view::npos) return true;
  return content[first] == '{' || content[first] == '[';
}

[[noreturn]] void reject_other(const std::string& file, const std::string& why) {
  throw InputError({fmt::format("'{}' is no hockney record", file), why,
                    "name a record file or the folder of a campaign"});
}

/// Writes the samples with the fewest digits that read back as the same samples.
void shorten_samples(const Series& series, double clock_unit, nlohmann::json& written) {
  const auto unit = find_sample_unit(series.samples_seconds, series.batch, clock_unit);
  const auto numbers =
      unit ? written_samples(*unit, series.samples_seconds, series.blocks) : std::nullopt;
  if (!numbers) return;
  written["samples_seconds"] = *numbers;
  written["unit_seconds"] = unit->seconds;
}

/// The document of the record's file.
nlohmann::json file_document(const Record& record) {
  nlohmann::json document = record;
  const auto clock_unit = unit_of_clock(record.clock.source);
  if (!clock_unit) return document;
  for (std::size_t i = 0; i < record.series.size(); ++i) {
    shorten_samples(record.series[i], *clock_unit, document["series"][i]);
  }
  return document;
}

}  // namespace

JsonNode parse_document(std::string_view content, const std::string& file) {
  return file.ends_with(".cbor") ? parse_cbor(content, file) : parse_json(content, file);
}

JsonNode parse_record_document(std::string_view content, const std::string& file) {
  try {
    JsonNode document = parse_document(content, file);
    if (document.is_object() && document.find("schema")) return document;
  } catch (const InputError&) {
    if (begins_like_document(content, file)) throw;
    reject_other(file, "it is no JSON document");
  }
  reject_other(file, "it does not say which document it is");
}

Record load_record(const std::string& file) {
  const JsonNode document = parse_record_document(read_file(file, DocumentLimits().bytes), file);
  return read_record(document);
}

std::optional<Record> read_if_record(const JsonNode& document) {
  if (!document.is_object()) return std::nullopt;
  const auto schema = document.find("schema");
  const bool claims = schema && schema->is_text() && schema->text().starts_with("hockney.record/");
  return claims ? std::optional(read_record(document)) : std::nullopt;
}

void save_record(const Record& record, const std::string& file) {
  const nlohmann::json document = file_document(record);
  if (!file.ends_with(".cbor")) return write_atomically(file, document_text(document));
  // Replaces invalid bytes: an environment variable in another encoding must not prevent the
  // record.
  const auto odd_bytes = nlohmann::json::error_handler_t::replace;
  const std::vector<std::uint8_t> bytes =
      nlohmann::json::to_cbor(nlohmann::json::parse(document.dump(-1, ' ', false, odd_bytes)));
  write_atomically(file, std::string(bytes.begin(), bytes.end()));
}

}  // namespace hockney

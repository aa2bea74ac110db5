#include "core/journal.hpp"

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "core/error.hpp"
#include "core/json_values.hpp"
#include "core/record_file.hpp"
#include "core/record_json.hpp"
#include "core/transport.hpp"

namespace hockney {
namespace {

using Json = nlohmann::json;

Json to_json(const MeasurementBlock& visit) {
  return {{"point", visit.point},
          {"batch", visit.batch},
          {"samples_seconds", visit.samples_seconds},
          {"started_seconds", or_null(visit.started_seconds)},
          {"skew_seconds", or_null(visit.skew_seconds)},
          {"locals_seconds", visit.locals_seconds},
          {"late_starts", visit.late_starts},
          {"control_seconds", or_null(visit.control_seconds)},
          {"page_faults", or_null(visit.page_faults)},
          {"transport", transport_json(visit.transport)},
          {"deliveries_checked", visit.deliveries_checked},
          {"is_check", visit.is_check},
          {"flags", visit.flags}};
}

std::size_t read_index(const JsonNode& node, std::size_t count) {
  const std::int64_t index = node.integer();
  if (index < 0 || static_cast<std::size_t>(index) >= count) {
    node.reject("is " + std::to_string(index),
                "the launch planned " + std::to_string(count) + " points", "");
  }
  return static_cast<std::size_t>(index);
}

MeasurementBlock read_visit(const JsonNode& node, std::size_t points) {
  const auto checked = node.find("deliveries_checked");  // not in journals of before
  const auto is_check = node.find("is_check");
  return {.point = read_index(node.at("point"), points),
          .batch = batch_length(node.at("batch")),
          .samples_seconds = non_negatives(node.at("samples_seconds")),
          .started_seconds = optional_non_negative(node, "started_seconds"),
          .skew_seconds = optional_non_negative(node, "skew_seconds"),
          .locals_seconds = non_negatives(node.at("locals_seconds")),
          .late_starts = small_integer(node.at("late_starts")),
          .control_seconds = optional_non_negative(node, "control_seconds"),
          .page_faults = optional_non_negative(node, "page_faults"),
          .transport = read_transport(node),
          .deliveries_checked = checked ? checked->integer() : 0,
          .is_check = is_check && is_check->boolean(),
          .flags = node.at("flags").texts()};
}

/// The next whole line, parsed; nullopt at the end of the file or at a line cut short.
std::optional<JsonNode> next_line(std::istream& in, const std::string& file) {
  std::string line;
  if (!std::getline(in, line) || in.eof()) return std::nullopt;
  try {
    return parse_json(line, file);
  } catch (const InputError&) {
    return std::nullopt;
  }
}

}  // namespace

std::string journal_name(const std::string& record_file) { return record_file + ".journal"; }

Journal::Journal(const std::string& record_file, const Record& header)
    : file_(journal_name(record_file)), out_(file_, GrowingFile::Begin::empty) {
  try {
    out_.append(json_text(hockney::to_json(header), -1) + "\n");
  } catch (const RunError&) {
    std::error_code kept;
    std::filesystem::remove(file_, kept);  // it says nothing
    throw;
  }
}

void Journal::append(const MeasurementBlock& visit) { out_.append(to_json(visit).dump() + "\n"); }

void Journal::discard() { std::filesystem::remove(file_); }

std::optional<Record> read_journal(std::istream& lines, const std::string& file) {
  const auto header = next_line(lines, file);
  if (!header) return std::nullopt;
  Record record = read_record(*header);
  SampleStore store(record.points);
  const auto add_next_visit = [&] {
    const auto line = next_line(lines, file);
    if (line) store.add(read_visit(*line, record.points.size()));
    return line.has_value();
  };
  while (add_next_visit()) {
  }
  record.status = LaunchStatus::interrupted;
  record.stopped_because = "the launch died";
  record.series = store.series();
  record.points = store.points("the launch died before its first sample");
  return record;
}

std::optional<Record> recover_journal(const std::string& record_file) {
  const std::string file = journal_name(record_file);
  std::ifstream lines(file);
  return read_journal(lines, file);
}

}  // namespace hockney

#include "core/journal.hpp"

#include <filesystem>
#include <fstream>

#include "core/error.hpp"
#include "core/record_fields.hpp"
#include "core/record_file.hpp"

namespace hockney {

/// One line of a journal. Those of before have no deliveries_checked and is_check.
constexpr auto fields_of(std::type_identity<MeasurementBlock>) {
  return object_of(
      key("point", &MeasurementBlock::point), key("batch", &MeasurementBlock::batch, read_batch),
      key("samples_seconds", &MeasurementBlock::samples_seconds),
      key("started_seconds", &MeasurementBlock::started_seconds),
      key("skew_seconds", &MeasurementBlock::skew_seconds),
      key("locals_seconds", &MeasurementBlock::locals_seconds),
      key("late_starts", &MeasurementBlock::late_starts),
      key("control_seconds", &MeasurementBlock::noise_probe_seconds),
      key("page_faults", &MeasurementBlock::page_faults),
      key("transport", &MeasurementBlock::transport),
      key("deliveries_checked", &MeasurementBlock::deliveries_checked, KeyUse::may_be_missing),
      key("is_check", &MeasurementBlock::is_check, KeyUse::may_be_missing),
      key("flags", &MeasurementBlock::flags));
}

namespace {

/// InputError when the point is none of those that the launch planned.
MeasurementBlock read_block(const JsonNode& node, std::size_t points) {
  const JsonNode point = node.at("point");
  const auto index = read_value<std::size_t>(point);
  if (index < points) return read_value<MeasurementBlock>(node);
  point.reject("is " + std::to_string(index),
               "the launch planned " + std::to_string(points) + " points", "");
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
    out_.append(json_text(to_json(header), -1) + "\n");
  } catch (const RunError&) {
    std::error_code kept;
    std::filesystem::remove(file_, kept);  // it says nothing
    throw;
  }
}

void Journal::append(const MeasurementBlock& block) {
  out_.append(nlohmann::json(block).dump() + "\n");
}

void Journal::discard() { std::filesystem::remove(file_); }

std::optional<Record> read_journal(std::istream& lines, const std::string& file) {
  const auto header = next_line(lines, file);
  if (!header) return std::nullopt;
  Record record = read_record(*header);
  SampleStore store(record.points);
  const auto add_next_block = [&] {
    const auto line = next_line(lines, file);
    if (line) store.add(read_block(*line, record.points.size()));
    return line.has_value();
  };
  while (add_next_block()) {
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

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
      key("flags", &MeasurementBlock::flags), at_most("*seconds", longest_seconds),
      at_most("batch", most_calls), at_most("late_starts", most_starts),
      at_most("page_faults", most_page_faults), at_most("deliveries_checked", most_calls));
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

/// Lines of a journal that cannot be used, and what is wrong with the first of them.
struct UnusableLines {
  std::size_t count = 0;
  std::string first;

  void add(std::size_t line, const InputError& error) {
    if (count++ == 0) first = "line " + std::to_string(line) + ": " + error.what();
  }
};

std::string death(const UnusableLines& unusable) {
  const std::string died = "the launch died";
  if (unusable.count == 0) return died;
  return died + "; " + std::to_string(unusable.count) + (unusable.count == 1 ? " line" : " lines") +
         " of its journal could not be used, " + unusable.first;
}

/// Adds all whole lines that can be used. One that is cut short has no end.
UnusableLines add_blocks(std::istream& in, const std::string& file, std::size_t points,
                         SampleStore& store) {
  UnusableLines unusable;
  std::string line;
  for (std::size_t number = 2; std::getline(in, line) && !in.eof(); ++number) {
    try {
      store.add(read_block(parse_json(line, file), points));
    } catch (const InputError& error) {
      unusable.add(number, error);
    }
  }
  return unusable;
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
  std::string header;
  if (!std::getline(lines, header) || lines.eof()) return std::nullopt;
  Record record = read_record(parse_json(header, file));
  SampleStore store(record.points);
  const UnusableLines unusable = add_blocks(lines, file, record.points.size(), store);
  record.status = LaunchStatus::interrupted;
  record.stopped_because = death(unusable);
  if (unusable.count > 0) record.flags.emplace_back(journal_damaged_flag);
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

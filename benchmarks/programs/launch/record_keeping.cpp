#include "benchmarks/programs/launch/record_keeping.hpp"

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include "benchmarks/engine/sampling.hpp"
#include "benchmarks/harness/memory_facts.hpp"
#include "benchmarks/harness/time_limit.hpp"
#include "benchmarks/programs/launch/path_check.hpp"
#include "core/atomic_file.hpp"
#include "core/error.hpp"
#include "core/quantities.hpp"
#include "core/record_file.hpp"
#include "core/samples.hpp"
#include "core/time.hpp"

namespace hockney::benchmarks::programs {

Keeper::Keeper(Record header, std::string file)
    : record_(std::move(header)), store_(record_.points), file_(std::move(file)) {
  // Beside a device or a pipe there is no place for one.
  if (file_.empty() || !is_replaceable(file_)) return;
  journal_ = std::make_unique<Journal>(file_, record_);
  TimeLimit::keeps(journal_name(file_));
}

void Keeper::keep(const MeasurementBlock& block) {
  store_.add(block);
  if (journal_) journal_->append(block);
  const bool jumped = std::ranges::find(block.flags, clock_jumped_flag) != block.flags.end();
  if (jumped) flag(clock_jumped_flag);
}

std::optional<std::string> Keeper::precise_enough(std::optional<double> requested,
                                                  int epochs) const {
  if (!requested || !is_time_to_look(epochs)) return std::nullopt;
  const auto widest = store_.widest_within();
  if (!widest || *widest > *requested / 2) return std::nullopt;
  return "medians within " + format_fraction(*requested / 2) + " inside the launch";
}

void Keeper::keep(std::vector<BufferMemoryUse> buffers) {
  if (shares_device(buffers)) flag(device_shared_flag);
  record_.buffers = std::move(buffers);
}

void Keeper::keep(const ClockSync& sync) {
  record_.sync = sync.facts();
  if (sync.drifted()) flag(clock_drifted_flag);
}

void Keeper::flag(std::string_view name) {
  if (std::ranges::find(record_.flags, name) == record_.flags.end()) {
    record_.flags.emplace_back(name);
  }
}

Record Keeper::finish(const std::string& reason, double elapsed_seconds, double measuring_seconds,
                      const std::optional<ExpectedPath>& expected) {
  record_.stopped_because = reason;
  record_.elapsed_seconds = elapsed_seconds;
  record_.measuring_seconds = measuring_seconds;
  record_.series = store_.series();
  record_.points = store_.points(std::string(not_reached_reason) + reason);
  flag_paths(record_, expected);
  if (!file_.empty()) save_or_rescue(record_, file_);
  if (journal_) journal_->discard();
  return record_;
}

namespace {

/// Keeps a record that has no other place; the words for where it is.
std::string rescue_record(const Record& record) {
  const std::string name = "hockney-" + record.procedure + "-" + utc_stamp() + "-" +
                           std::to_string(::getpid()) + ".json";
  std::error_code none;  // then the name is tried twice
  const std::filesystem::path temporary = std::filesystem::temp_directory_path(none);
  for (const std::string& place : {name, (temporary / name).string()}) {
    try {
      save_record(record, place);
      return "the record is in '" + place + "'";
    } catch (const RunError&) {
      continue;
    }
  }
  return "the record is lost: neither the working folder nor that for temporary files takes it";
}

}  // namespace

std::string place_of(const std::optional<Record>& record, const std::string& file) {
  if (!record) return "";
  return file.empty() ? rescue_record(*record) : "the record is in '" + file + "'";
}

void save_or_rescue(const Record& record, const std::string& file) {
  try {
    save_record(record, file);
  } catch (const RunError& error) {
    throw RunError({std::string(error.what()) + "; " + rescue_record(record), "", ""});
  }
}

}  // namespace hockney::benchmarks::programs

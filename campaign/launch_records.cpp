#include "campaign/launch_records.hpp"

#include <filesystem>
#include <utility>

#include "core/error.hpp"

namespace hockney::campaign {
namespace {

namespace fs = std::filesystem;

constexpr const char* not_written = "no record was written";

}  // namespace

LaunchRecord::LaunchRecord(std::string file) : file_(std::move(file)) {
  if (!fs::exists(file_)) {
    why_not_ = not_written;
    return;
  }
  try {
    record_ = load_record(file_);
    if (!is_complete()) why_not_ = "the record is of a launch that ended early";
  } catch (const InputError& error) {
    why_not_ = error.what();
  }
}

bool LaunchRecord::is_complete() const {
  return record_ && record_->status == LaunchStatus::complete;
}

Record& LaunchRecord::change() {
  is_changed_ = true;
  return record_.value();
}

void LaunchRecord::save() {
  if (is_changed_) save_record(record_.value(), file_);
  is_changed_ = false;
}

void LaunchRecord::move_to(const std::string& file) {
  if (is_changed_) {
    save_record(record_.value(), file);
    fs::remove(file_);
  } else {
    fs::rename(file_, file);
  }
  is_changed_ = false;
  record_.reset();
  why_not_ = not_written;
}

RecordCheck check_record(const LaunchRecord& launch) {
  if (!launch.is_complete()) return {.why_not = launch.why_not(), .findings = {}};
  return {.complete = true, .why_not = "", .findings = findings_of(*launch.record())};
}

LaunchRecord& LaunchRecords::at(const std::string& name) {
  const auto known = unsettled_.find(name);
  if (known != unsettled_.end()) return known->second;
  return unsettled_.emplace(name, LaunchRecord(folder_.record(name))).first->second;
}

void LaunchRecords::settle(const std::string& name) {
  auto launch = unsettled_.extract(name);
  if (!launch || !launch.mapped().is_complete()) return;
  Record& record = settled_[folder_.record(name)];
  record = std::move(launch.mapped()).take();
  keep_times(record);
  if (last_ != nullptr) record.points.share(last_->points);
  last_ = &record;
}

}  // namespace hockney::campaign

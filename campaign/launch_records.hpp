#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>

#include "campaign/findings.hpp"
#include "campaign/folder.hpp"
#include "core/record_file.hpp"

namespace hockney::campaign {

/// The record file of a launch. It is read once, changed in memory, and written once. A launch is
/// complete when its record is: it exists, loads and says so.
class LaunchRecord {
 public:
  explicit LaunchRecord(std::string file);

  /// nullopt where there is no record, or none that can be read.
  [[nodiscard]] const std::optional<Record>& record() const { return record_; }
  [[nodiscard]] bool is_complete() const;
  /// "no record was written", "...: key 'x' is missing"; empty of a complete launch.
  [[nodiscard]] const std::string& why_not() const { return why_not_; }

  /// The record, which must be there, for a change that save() or move_to() writes.
  Record& change();
  void save();
  /// Moves the file with all changes; then there is no record of the launch.
  void move_to(const std::string& file);
  [[nodiscard]] Record take() && { return std::move(record_).value(); }

 private:
  std::string file_;
  std::optional<Record> record_;
  std::string why_not_;
  bool is_changed_ = false;
};

/// How the record file of a launch stands.
struct RecordCheck {
  bool complete = false;
  std::string why_not;                     ///< as LaunchRecord has it
  std::optional<LaunchFindings> findings;  ///< of a complete record
};

RecordCheck check_record(const LaunchRecord& launch);

/// The records of a campaign's launches, each file read once.
class LaunchRecords {
 public:
  /// The folder must outlive it.
  explicit LaunchRecords(const Folder& folder) : folder_(folder) {}

  /// The record of a launch, which is read when it is first asked for.
  LaunchRecord& at(const std::string& name);
  /// Keeps a complete record as Kept::times; forgets any other one, as the next attempt writes it
  /// anew. Every change must have been saved.
  void settle(const std::string& name);
  /// Those that were settled.
  [[nodiscard]] ReadRecords take() && { return std::move(settled_); }

 private:
  const Folder& folder_;
  std::map<std::string, LaunchRecord> unsettled_;  ///< by name of the launch
  ReadRecords settled_;
  const Record* last_ = nullptr;  ///< of those
};

}  // namespace hockney::campaign

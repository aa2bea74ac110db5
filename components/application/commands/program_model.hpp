#pragma once

#include <optional>
#include <string>
#include <vector>

#include "components/application/profile/profile.hpp"
#include "components/application/projection/projection.hpp"
#include "core/site_file.hpp"

namespace hockney::driver {

/// Paths of microbenchmark records of the machine on which a program ran.
struct MachineRecords {
  std::vector<std::string> paths;
  std::optional<std::string> sites;
  std::optional<std::string> setting;
};

/// Loads records with the hop classes of the site file, if given, and the requested algorithms.
/// Blocks of launches without a free core do not count.
std::vector<Record> load_machine(const std::vector<std::string>& paths,
                                 const std::optional<SiteFile>& sites);

/// A logged run of a program, on the models of its machine.
class ProgramModel {
 public:
  /// InputError if the profile has no log, or if the records do not suffice.
  ProgramModel(const std::string& file, const MachineRecords& records);

  [[nodiscard]] const profile::Profile& profile() const { return profile_; }
  [[nodiscard]] const std::optional<SiteFile>& sites() const { return sites_; }
  [[nodiscard]] const applications::TraceAnalysis& run() const { return run_; }
  [[nodiscard]] const std::vector<Record>& records() const { return records_; }
  [[nodiscard]] const projection::Machine& machine() const { return machine_; }
  [[nodiscard]] const projection::Projector& projector() const { return projector_; }

 private:
  profile::Profile profile_;
  applications::TraceAnalysis run_;
  std::optional<SiteFile> sites_;
  std::vector<Record> records_;
  projection::Machine machine_;
  projection::Projector projector_;
};

}  // namespace hockney::driver

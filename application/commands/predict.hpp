#pragma once

#include <optional>
#include <string>
#include <vector>

#include "application/profile/profile.hpp"
#include "application/projection/projection.hpp"
#include "core/site_file.hpp"

namespace hockney::apps {

/// The microbenchmarks of the machine that a program ran on.
struct MachineRecords {
  std::vector<std::string> paths;
  std::optional<std::string> sites;
  std::optional<std::string> setting;
};

/// A profile with a log of events; InputError for one without.
profile::Profile load_logged(const std::string& file);

/// Records with the hop classes of the site file, if there is one, and the algorithms that were
/// asked for.
std::vector<Record> load_machine(const std::vector<std::string>& paths,
                                 const std::optional<SiteFile>& sites);

/// A run of a program that was logged, on the models of its machine.
class ProgramModel {
 public:
  /// InputError for a profile without a log, and for records that do not tell enough.
  ProgramModel(const std::string& file, const MachineRecords& records);

  [[nodiscard]] const profile::Profile& profile() const { return profile_; }
  [[nodiscard]] const std::optional<SiteFile>& sites() const { return sites_; }
  [[nodiscard]] const projection::Machine& machine() const { return machine_; }
  [[nodiscard]] const projection::Projector& projector() const { return projector_; }

 private:
  profile::Profile profile_;
  applications::TraceAnalysis run_;
  std::optional<SiteFile> sites_;
  projection::Machine machine_;
  projection::Projector projector_;
};

}  // namespace hockney::apps

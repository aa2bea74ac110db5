#include "application/commands/program_model.hpp"

#include <iostream>

#include "application/advice/changes.hpp"
#include "apps/collective_models.hpp"
#include "core/error.hpp"
#include "core/record_file.hpp"
#include "application/profile/profile_file.hpp"
#include "report/fault_lines.hpp"

namespace hockney::apps {
profile::Profile load_logged(const std::string& file) {
  profile::Profile profile = profile::load_profile(file);
  if (profile.log) return profile;
  throw InputError({"'" + file + "' has no log of events",
                    "what would be otherwise is found by replaying every call",
                    "record one: hockney profile --log -- COMMAND"});
}

std::vector<Record> load_machine(const std::vector<std::string>& paths,
                                 const std::optional<SiteFile>& sites) {
  std::vector<Record> records = load_records(paths, Kept::times);
  report::print_faults(std::cerr, find_faults(records));
  note_asked_algorithms(records);
  if (sites) name_network_hops(records, *sites);
  return records;
}

ProgramModel::ProgramModel(const std::string& file, const MachineRecords& records)
    : profile_(load_logged(file)),
      run_(applications::load_trace(profile_, file)),
      sites_(records.sites ? std::optional(load_sites(*records.sites)) : std::nullopt),
      machine_(load_machine(records.paths, sites_), sites_,
               {.hosts = run_.trace().hosts(),
                .setting = records.setting,
                .mpi_library = profile_.provenance.mpi.library,
                .environment = profile_.provenance.environment}),
      projector_(run_, machine_, advice::algorithms_in_force(profile_)) {}

}  // namespace hockney::apps

#include "components/application/commands/program_model.hpp"

#include <fmt/format.h>
#include <iostream>

#include "components/application/advice/advice.hpp"
#include "components/application/profile/profile_file.hpp"
#include "core/error.hpp"
#include "core/record_file.hpp"
#include "driver/fit.hpp"
#include "report/curve_tables.hpp"
#include "verdicts/disturbance.hpp"

namespace hockney::driver {
namespace {

/// Loads a profile with a log of events; InputError if it has none.
profile::Profile load_logged(const std::string& file) {
  profile::Profile profile = profile::load_profile(file);
  if (profile.log) return profile;
  throw InputError({fmt::format("'{}' has no log of events", file),
                    "what would be otherwise is found by replaying every call",
                    "record one: hockney profile --log -- COMMAND"});
}

}  // namespace

std::vector<Record> load_machine(const std::vector<std::string>& paths,
                                 const std::optional<SiteFile>& sites) {
  std::vector<Record> records = load_records(paths, Kept::times);
  verdicts::judge_launches(records);
  report::print_faults(std::cerr, find_faults(records));
  note_requested_algorithms(records);
  if (sites) name_network_hops(records, *sites);
  return records;
}

ProgramModel::ProgramModel(const std::string& file, const MachineRecords& records)
    : profile_(load_logged(file)),
      run_(applications::load_trace(profile_, file)),
      sites_(records.sites ? std::optional(load_sites(*records.sites)) : std::nullopt),
      records_(load_machine(records.paths, sites_)),
      machine_(records_, sites_,
               {.hosts = run_.trace().hosts(),
                .setting = records.setting,
                .mpi_library = profile_.provenance.mpi.library,
                .environment = profile_.provenance.environment}),
      projector_(run_, machine_, advice::algorithms_in_force(profile_)) {}

}  // namespace hockney::driver

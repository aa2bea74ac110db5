#include "apps/export_simgrid.hpp"

#include <filesystem>
#include <iostream>

#include "apps/program_model.hpp"
#include "core/atomic_file.hpp"
#include "core/error.hpp"
#include "core/text.hpp"
#include "profile/event_log.hpp"
#include "report/profiles/simgrid_trace.hpp"

namespace hockney::apps {
namespace {

std::string new_folder(const std::string& folder) {
  namespace fs = std::filesystem;
  if (fs::exists(folder)) {
    throw InputError({"'" + folder + "' is there already", "a trace is a folder of its own",
                      "name another with -o"});
  }
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) throw RunError({"cannot make '" + folder + "'", error.message(), ""});
  return fs::absolute(folder).string();
}

std::string lines_of(const std::vector<std::string>& lines) { return join(lines, "\n") + "\n"; }

}  // namespace

void export_simgrid(const SimGridExport& request) {
  load_logged(request.profile);
  const applications::Trace trace = applications::load_trace(profile::events_file(request.profile));
  const report::SimGridTrace actions(happens_before(trace), request.flops_per_second);
  const std::string folder = new_folder(request.folder);
  std::vector<std::string> files;
  std::vector<std::string> hosts;
  for (std::size_t rank = 0; rank < actions.ranks(); ++rank) {
    files.push_back(folder + "/rank-" + std::to_string(rank) + ".txt");
    hosts.push_back(trace.ranks[rank].host);
    OutputFile output(files.back());
    actions.write(output.stream(), rank);
    output.keep();
  }
  write_atomically(folder + "/hosts", lines_of(hosts));
  write_atomically(folder + "/ranks", lines_of(files));
  for (const std::string& note : actions.notes()) std::cerr << "note: " << note << '\n';
  std::cerr << "replay it: smpirun -np " << actions.ranks() << " -hostfile " << request.folder
            << "/hosts -platform PLATFORM.xml -replay " << request.folder << "/ranks\n";
}

}  // namespace hockney::apps

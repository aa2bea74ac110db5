#include "application/where/probe/rank_part.hpp"

#include <unistd.h>
#include <array>
#include <climits>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <map>
#include <string_view>

#include "core/error.hpp"
#include "core/launched_rank.hpp"
#include "core/text.hpp"
#include "application/where/probe/surroundings.hpp"

extern char** environ;

namespace hockney::where {
namespace {

std::string own_host() {
  std::array<char, HOST_NAME_MAX + 1> name{};
  ::gethostname(name.data(), name.size() - 1);
  return name.data();
}

/// Those that steer threads of OpenMP, whoever's runtime they are of.
std::map<std::string, std::string> thread_variables() {
  std::map<std::string, std::string> variables;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    const bool steers =
        text.starts_with("OMP_") || text.starts_with("GOMP_") || text.starts_with("KMP_");
    const std::size_t equals = text.find('=');
    if (steers && equals != std::string_view::npos) {
      variables.emplace(text.substr(0, equals), text.substr(equals + 1));
    }
  }
  return variables;
}

RankPlace place_of_rank() {
  for (const LauncherVariables& launcher : launcher_variables) {
    const auto rank = number_in_variable(launcher.rank);
    if (rank) return {.rank = *rank, .of = number_in_variable(launcher.size)};
  }
  throw RunError({"no launcher has started this", "no variable says which rank it is",
                  "start it by mpirun, mpiexec or srun"});
}

}  // namespace

RankPlace begin_part() {
  RankPlace place = place_of_rank();
  place.host = own_host();
  place.variables = thread_variables();
  const char* started_on = std::getenv(started_variable);
  if (started_on != nullptr) place.started_on = split(started_on, ';');
  return place;
}

void leave_parts(const RankPlace& place, const std::string& folder) {
  leave_part(place, folder);
  if (claims_node(place.host, folder)) leave_node(node_around(place.host), folder);
}

int exit_code_of(int (&step)(std::span<char*>), std::span<char*> arguments) {
  try {
    return step(arguments);
  } catch (const Error& error) {
    std::cerr << error.what() << '\n';
    return static_cast<int>(error.code());
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return static_cast<int>(ExitCode::run_failed);
  }
}

}  // namespace hockney::where

#include <catch2/catch.hpp>

#include "components/application/analysis/trace.hpp"
#include "components/application/profile/part.hpp"
#include "tests/components/application/profile/example_part.hpp"
#include "tests/support/error_line.hpp"
#include "tests/support/temporary_folder.hpp"

namespace hockney::applications {
namespace {

using profile::example_facts;
using profile::example_part;

/// Of two ranks that logged nothing, beside p.json.
void write_events(const TemporaryFolder& folder, const std::string& identity) {
  folder.write("p.events", example_part(0, {}, example_facts(identity)) +
                               example_part(1, {}, example_facts(identity)));
}

profile::Profile profile_of(const std::string& identity) {
  profile::Profile profile;
  profile.identity = identity;
  profile.world_ranks = 2;
  profile.log = profile::EventLog{.file = "p.events"};
  return profile;
}

}  // namespace

TEST_CASE("a log of events is read beside its own profile alone") {
  const TemporaryFolder folder;
  const std::string file = folder.path() + "/p.json";
  write_events(folder, "run-1");
  CHECK(load_trace(profile_of("run-1"), file).ranks.size() == 2);
  CHECK(error_line([&] { load_trace(profile_of("run-2"), file); }) ==
        "'" + folder.path() + "/p.events' belongs to another run than '" + file +
            "' (run run-1 in the log and run-2 in the profile) put the log beside its own "
            "profile, or remove it");
  CHECK_THROWS_AS(load_trace(profile_of("run-2"), file), ForeignLog);
}

TEST_CASE("a program without a call has an empty log, and no log in its profile") {
  const TemporaryFolder folder;
  write_events(folder, "run-1");
  profile::Profile profile = profile_of("run-1");
  profile.log.reset();
  CHECK(load_trace(profile, folder.path() + "/p.json").ranks.size() == 2);
}

TEST_CASE("documents without an identity are compared by their ranks and counts") {
  const TemporaryFolder folder;
  const std::string file = folder.path() + "/p.json";
  write_events(folder, "");
  CHECK(load_trace(profile_of(""), file).ranks.size() == 2);
  CHECK(load_trace(profile_of("run-1"), file).ranks.size() == 2);
  const auto refusal = [&](auto change) {
    profile::Profile profile = profile_of("");
    change(profile);
    return error_line([&] { load_trace(profile, file); });
  };
  const std::string ranks = refusal([](profile::Profile& all) { all.world_ranks = 4; });
  CHECK(ranks.find("(ranks: 2 in the log and 4 in the profile)") != std::string::npos);
  const std::string events = refusal([](profile::Profile& all) { all.log->events = 820; });
  CHECK(events.find("(logged calls: 0 in the log and 820 in the profile)") != std::string::npos);
  const std::string lost = refusal([](profile::Profile& all) { all.log->not_logged = 1; });
  CHECK(lost.find("(calls that are not logged: 0 in the log and 1 in the profile)") !=
        std::string::npos);
}

}  // namespace hockney::applications

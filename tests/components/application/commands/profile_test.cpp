#include <dlfcn.h>
#include <unistd.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "core/atomic_file.hpp"
#include "core/record_file.hpp"
#include "tests/driver/bad_input.hpp"
#include "tests/support/synthetic_program.hpp"
#include "tests/support/temporary_folder.hpp"

// `hockney profile show` and `compare` on profiles as files.
/// A function that debuggers know by this name.
extern "C" __attribute__((noinline)) int hockney_named_call_site(int value) { return value + 1; }

namespace hockney::driver {
namespace {

using Json = nlohmann::json;

SyntheticProgram grid_program() {
  SyntheticProgram program(12, 4);
  program.halo({.sizes = {3, 4}, .bytes = {2000, 5000}, .messages = 10});
  return program.every_time(6, 4).calls("MPI_Waitall", 120, 0, 48);
}

CommandResult profile_command(Arguments arguments) {
  arguments.insert(arguments.begin(), {built("hockney"), "profile"});
  return run_command(arguments);
}

/// What a command prints that must be good.
std::string printed_by(const Arguments& arguments) {
  const CommandResult result = profile_command(arguments);
  INFO(result.err);
  CHECK(result.exit_code == 0);
  CHECK(result.err.empty());
  return result.out;
}

Json document_of(const Arguments& arguments) { return Json::parse(printed_by(arguments)); }

Record limit_of(std::int64_t limit) {
  Record record;
  record.procedure = "protocol";
  record.provenance.mpi.library = "Open MPI v4.1.4";
  record.ranks = {{.rank = 0, .host = "a"}, {.rank = 1, .host = "a"}};
  record.protocols = {{.hop = "l3", .pair = {0, 1}, .eager_limit_bytes = limit}};
  return record;
}

/// A file that is wrong after `change` of a good document.
template <class Change>
std::string changed_file(const TemporaryFolder& folder, const std::string& name, Change change) {
  Json document = grid_program().profile();
  change(document);
  return folder.write(name, document.dump());
}

/// A profile whose only call site is in this test program.
profile::Profile with_own_site(const std::string& written_utc) {
  Dl_info here{};
  REQUIRE(::dladdr(reinterpret_cast<void*>(&hockney_named_call_site), &here) != 0);
  const auto base = reinterpret_cast<std::intptr_t>(here.dli_fbase);
  const auto address = reinterpret_cast<std::intptr_t>(&hockney_named_call_site);
  return SyntheticProgram(1)
      .calls("MPI_Barrier", 1, 0, 1)
      .with([&](profile::Profile& all) {
        all.written_utc = written_utc;
        all.sites.front() = {.module = std::filesystem::read_symlink("/proc/self/exe").string(),
                             .offset = address - base + 4,
                             .function = ""};
      })
      .profile();
}

bool has_addr2line() {
  return run_command({"/bin/sh", "-c", "command -v addr2line"}).exit_code == 0;
}

}  // namespace

TEST_CASE("hockney profile show reads CBOR, too") {
  const TemporaryFolder folder;
  const std::vector<std::uint8_t> cbor = Json::to_cbor(Json(grid_program().profile()));
  const std::string file = folder.write("p.cbor", {cbor.begin(), cbor.end()});
  CHECK(document_of({"show", file, "--json"}).at("ranks") == 12);
}

TEST_CASE("hockney profile show holds sizes against the limits of records") {
  const TemporaryFolder folder;
  const std::string file = save_profile(folder, "p.json", grid_program().profile());
  save_record(limit_of(4040), folder.path() + "/limits.json");
  CHECK_THAT(printed_by({"show", file, folder.path() + "/limits.json"}),
             Catch::Contains("eager        in a node up to 4040 B: 100 % of the messages"));
  const Json eager =
      document_of({"show", file, folder.path() + "/limits.json", "--json"}).at("eager");
  REQUIRE(eager.size() == 1);
  CHECK(eager.at(0).at("limits_bytes") == std::vector<int>{4040});
  // In a node are the rows of the grid: 3 x 3 edges, both ways, 10 messages of 5000 B.
  CHECK(eager.at(0).at("above").at("messages") == 180);
  CHECK(eager.at(0).at("all").at("messages") == 180);
  CHECK(eager.at(0).at("just_above").at(0).at("call") == "MPI_Isend");
}

TEST_CASE("call sites are named by addr2line, where the module is what it was") {
  const TemporaryFolder folder;
  const std::string file = save_profile(folder, "p.json", with_own_site("2999-01-01T00:00:00Z"));
  const auto site_of = [](const Json& json) {
    return json.at("sites").at(0).at("site").get<std::string>();
  };
  const std::string site = site_of(document_of({"show", file, "--json"}));
  if (has_addr2line()) {
    CHECK_THAT(site, Catch::StartsWith("hockney_named_call_site ("));
  }
  // Without addr2line, and where the module was written after the profile: by offset.
  const CommandResult without = run_command(
      {"/usr/bin/env", "PATH=/nowhere", built("hockney"), "profile", "show", file, "--json"});
  CHECK(without.exit_code == 0);
  CHECK_THAT(site_of(Json::parse(without.out)),
             Catch::StartsWith("components_application_commands_tests+0x"));
  const std::string old = save_profile(folder, "old.json", with_own_site("2001-01-01T00:00:00Z"));
  CHECK_THAT(site_of(document_of({"show", old, "--json"})),
             Catch::StartsWith("components_application_commands_tests+0x"));
  CHECK_THAT(printed_by({"show", old, "--all"}),
             Catch::Contains("was written after the profile: its call sites are not named"));
}

TEST_CASE("hockney profile refuses what is no profile") {
  const TemporaryFolder folder;
  const auto changed = [&](const std::string& name, auto change) {
    return changed_file(folder, name, change);
  };
  save_record(limit_of(4040), folder.path() + "/record.json");
  folder.write("a.events", "");
  const std::string record = folder.path() + "/record.json";
  const std::string cut = folder.write("cut.json", Json(grid_program().profile()).dump().substr(9));
  const std::string site = changed("site.json", [](Json& all) { all["calls"][0]["site"] = 7; });
  const std::string receiver =
      changed("receiver.json", [](Json& all) { all["messages"][0]["to"] = 12; });
  const std::string order = changed("order.json", [](Json& all) { all["ranks"][3]["rank"] = 2; });
  const std::string many = changed("many.json", [](Json& all) { all["world_ranks"] = 2000000000; });
  const std::string negative =
      changed("negative.json", [](Json& all) { all["ranks"][0]["mpi_seconds"] = -1; });
  for (const char* command : {"show", "compare"}) {
    check_refusals({built("hockney"), "profile", command},
                   {{{folder.path() + "/none.json"}, "none.json"},
                    {{folder.path()}, folder.path()},
                    {{record}, "schema"},
                    {{cut}, "cut.json"},
                    {{site}, "key 'calls[0].site' is 7 (communicators, sites"},
                    {{receiver}, "key 'messages[0].to' is 12 (communicators, sites"},
                    {{order}, "rank' is 2 (ranks ascend"},
                    {{many}, "world_ranks' is 2000000000"},
                    {{negative}, "mpi_seconds"}});
  }
  check_refusals(
      {built("hockney"), "profile"},
      {{{"--log", "-o", folder.path() + "/a.json", "true"}, "a.events' is there already"}});
}

TEST_CASE("a timeline replaces nothing that it is made of, whatever name that is given") {
  const TemporaryFolder folder;
  profile::Profile program = grid_program().profile();
  program.log = {.file = "p.events", .events = 1, .not_logged = 0};
  const std::string file = save_profile(folder, "p.json", program);
  const std::string limits = folder.path() + "/limits.json";
  save_record(limit_of(4040), limits);
  const std::string events = folder.write("p.events", "no events");
  std::filesystem::create_symlink("p.events", folder.path() + "/link");
  const std::string link = folder.path() + "/link";
  for (const std::string& taken : {file, events, link, folder.path() + "/./p.json", limits}) {
    check_refusals({built("hockney"), "profile", "show", file, limits},
                   {{{"--timeline", taken}, "which is read"}});
  }
  CHECK(read_file(events) == "no events");
  CHECK(profile::load_profile(file) == program);
}

TEST_CASE("records without an eager limit are refused, not ignored") {
  const TemporaryFolder folder;
  const std::string file = save_profile(folder, "p.json", grid_program().profile());
  Record record = limit_of(4040);
  record.protocols.clear();
  save_record(record, folder.path() + "/record.json");
  check_refusals({built("hockney"), "profile", "show"},
                 {{{file, folder.path() + "/record.json"}, "no eager limit in"}});
}

}  // namespace hockney::driver

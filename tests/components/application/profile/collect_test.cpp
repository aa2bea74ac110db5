#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "components/application/profile/collect.hpp"
#include "components/application/profile/event_log.hpp"
#include "components/application/profile/merge.hpp"
#include "components/application/profile/profile_file.hpp"
#include "core/atomic_file.hpp"
#include "core/json_values.hpp"
#include "tests/components/application/profile/example_part.hpp"
#include "tests/support/temporary_folder.hpp"

namespace hockney::profile {
namespace {

const std::string this_run = "0123456789abcdef";

std::string part_of(int rank, const std::string& identity) {
  return example_part(rank, {}, example_facts(identity));
}

bool any_has(const std::vector<std::string>& lines, const std::string& words) {
  return std::ranges::any_of(
      lines, [&](const std::string& line) { return line.find(words) != std::string::npos; });
}

}  // namespace

TEST_CASE("files of a profile are told by their names") {
  CHECK(world_file("/a/p.json", 1) == "/a/p.json");
  CHECK(world_file("/a/p.json", 12) == "/a/p.world12.json");
  CHECK(world_file("p", 2) == "p.world2");
  CHECK(part_file("p.json", 3) == "p.json.rank3.part");
  const TemporaryFolder folder;
  for (const char* name :
       {"p.json", "p.events", "p.json.rank3.part", "p.json.rank3.part.new", "p.world2.json",
        "p.world2.json.rank0.part", "p.world2.events", "p.world02.json", "q.json", "p.json.lock",
        "p.json.ranks", "p.world.json", "p.jsonx", "p.json.rank1.part.old"}) {
    folder.write(name, "");
  }
  std::vector<std::string> found;
  for (const RunFile& file : files_of(folder.path() + "/p.json")) {
    found.push_back(std::to_string(file.world) + " " + file.path.filename().string());
  }
  CHECK(found == std::vector<std::string>{"1 p.json", "1 p.events", "1 p.json.rank3.part",
                                          "1 p.json.rank3.part.new", "2 p.world2.json",
                                          "2 p.world2.events", "2 p.world2.json.rank0.part"});
}

TEST_CASE("an identity names the run and the world") {
  const std::string id = new_run_id();
  CHECK(is_run_id(id));
  CHECK(id != new_run_id());
  CHECK(is_of_run(world_identity(id, "w"), id));
  CHECK_FALSE(is_of_run(world_identity(id + "0", "w"), id));
  CHECK_FALSE(is_of_run("", id));
  CHECK_FALSE(is_run_id(""));
  CHECK_FALSE(is_run_id("a-b"));
  CHECK_FALSE(is_run_id(std::string(33, 'a')));
}

TEST_CASE("parts of another run are left out of a profile, kept, and named") {
  const TemporaryFolder folder;
  const std::string file = folder.path() + "/p.json";
  folder.write("p.json.rank0.part", part_of(0, this_run + "-1"));
  const std::string foreign = folder.write("p.json.rank1.part", part_of(1, "fedcba9876543210-1"));
  const std::string cut = folder.write("p.json.rank2.part", "no part");
  const std::string claim = folder.write("p.json.rank0.part.new", part_of(0, this_run + "-1"));
  const Collected collected = collect(file, this_run);
  REQUIRE(collected.worlds.size() == 1);
  const Profile& profile = collected.worlds.front().profile;
  CHECK(profile.identity == this_run + "-1");
  REQUIRE(profile.ranks.size() == 1);
  CHECK(profile.ranks.front().rank == 0);
  CHECK(any_has(profile.notes, "'" + foreign +
                                   "' is left out (it belongs to another run) 'app', begun "
                                   "2026-11-26T12:00:00Z"));
  CHECK(any_has(collected.problems, foreign));
  CHECK(any_has(collected.problems, cut));
  CHECK(std::filesystem::exists(foreign));
  CHECK(std::filesystem::exists(cut));
  CHECK_FALSE(std::filesystem::exists(claim));
  CHECK_FALSE(std::filesystem::exists(folder.path() + "/p.json.rank0.part"));
  CHECK(load_profile(file).identity == this_run + "-1");
}

TEST_CASE("a program without MPI gets no profile of another program") {
  const TemporaryFolder folder;
  const std::string file = folder.path() + "/p.json";
  folder.write("p.json.rank0.part", part_of(0, "fedcba9876543210-1"));
  folder.write("p.json.rank1.part", part_of(1, ""));  // of an older version
  const Collected collected = collect(file, this_run);
  CHECK(collected.worlds.empty());
  CHECK(collected.problems.size() == 2);
  CHECK_FALSE(std::filesystem::exists(file));
  CHECK(std::filesystem::exists(file + ".rank0.part"));
}

TEST_CASE("each world of a run has a profile of its own") {
  const TemporaryFolder folder;
  const std::string file = folder.path() + "/p.json";
  std::string bytes = part_of(0, this_run + "-1") + part_of(1, this_run + "-1");
  write_atomically(file, json_text(nlohmann::json(merge(read_parts(bytes, "x")))));
  folder.write("p.json.rank1.part",
               part_of(1, this_run + "-1"));  // of a rank that was killed later
  folder.write("p.world2.json.rank0.part", part_of(0, this_run + "-2"));
  folder.write("p.world2.json.rank1.part", part_of(1, this_run + "-2"));
  const Collected collected = collect(file, this_run);
  REQUIRE(collected.worlds.size() == 2);
  CHECK(collected.problems.empty());
  CHECK(collected.worlds[0].file == file);
  CHECK(collected.worlds[0].profile.identity == this_run + "-1");
  CHECK(collected.worlds[1].file == folder.path() + "/p.world2.json");
  CHECK(collected.worlds[1].profile.identity == this_run + "-2");
  CHECK(collected.worlds[1].profile.ranks.size() == 2);
  CHECK(files_of(file).size() == 2);
}

TEST_CASE("a profile of another run is not taken for that of this one") {
  const TemporaryFolder folder;
  const std::string file = folder.path() + "/p.json";
  const std::string bytes = part_of(0, "fedcba9876543210-1");
  write_atomically(file, json_text(nlohmann::json(merge(read_parts(bytes, "x")))));
  const Collected collected = collect(file, this_run);
  CHECK(collected.worlds.empty());
  CHECK(any_has(collected.problems, "belongs to another run"));
}

TEST_CASE("a world whose ranks left nothing is named") {
  const TemporaryFolder folder;
  const std::string file = folder.path() + "/p.json";
  folder.write("p.json.rank0.part.new", part_of(0, this_run + "-1"));
  const Collected collected = collect(file, this_run);
  CHECK(collected.worlds.empty());
  CHECK(any_has(collected.problems, "no rank left anything for '" + file + "'"));
  CHECK(files_of(file).empty());
}

}  // namespace hockney::profile

// Programs that end otherwise than by MPI_Finalize leave a profile that can be read.

#include <signal.h>
#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>

#include "profile/part.hpp"
#include "tests/profile/library/program_profile.hpp"
#include "tests/support/temporary_folder.hpp"

namespace hockney::profile {
namespace {

bool says(const Profile& profile, const std::string& words) {
  return std::ranges::any_of(profile.notes, [&](const std::string& note) {
    return note.find(words) != std::string::npos;
  });
}

/// The profile of a program that ends so, with no part left beside it.
Profile profile_of(const std::string& how, int expected_code) {
  const TemporaryFolder folder;
  const std::string file = folder.path() + "/profile.json";
  const CommandResult run = run_profiled(file, 2, {HOCKNEY_ENDINGS, how});
  INFO(run.out << run.err);
  CHECK(run.exit_code == expected_code);
  for (const auto& entry : std::filesystem::directory_iterator(folder.path())) {
    CHECK(entry.path().filename() == "profile.json");
  }
  return load_profile(file);
}

}  // namespace

TEST_CASE("after MPI_Abort ranks are there, with the call that the others were in") {
  const Profile profile = profile_of("abort", 7);
  REQUIRE_FALSE(profile.ranks.empty());
  const auto aborted = std::ranges::find(profile.ranks, 1, &Rank::rank);
  REQUIRE(aborted != profile.ranks.end());
  CHECK(aborted->end == End::aborted);
  CHECK(says(profile, "rank 1 aborted"));
  CHECK(calls_of(profile).at("MPI_Sendrecv_replace").first ==
        10 * static_cast<std::int64_t>(profile.ranks.size()));
}

TEST_CASE("without MPI_Finalize every rank is there") {
  const Profile profile = profile_of("exit", 5);
  // The launcher may kill the others once one has ended so.
  REQUIRE_FALSE(profile.ranks.empty());
  CHECK(std::ranges::all_of(profile.ranks,
                            [](const Rank& rank) { return rank.end != End::finalized; }));
}

TEST_CASE("a rank that crashes is there, and its signal is") {
  const Profile profile = profile_of("crash", 139);
  const auto crashed = std::ranges::find(profile.ranks, 1, &Rank::rank);
  REQUIRE(crashed != profile.ranks.end());
  CHECK(crashed->signal == SIGSEGV);
  CHECK(says(profile, "rank 1 ended by signal 11"));
}

TEST_CASE("a rank that is killed is said to be missing") {
  const Profile profile = profile_of("kill", 137);
  CHECK(profile.world_ranks == 2);
  CHECK(std::ranges::find(profile.ranks, 1, &Rank::rank) == profile.ranks.end());
  CHECK(says(profile, "nothing is known of 1 of 2 ranks (1)"));
}

}  // namespace hockney::profile

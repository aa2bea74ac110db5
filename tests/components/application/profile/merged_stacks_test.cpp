#include "components/application/profile/merged_stacks.hpp"

#include <catch2/catch.hpp>
#include <cstring>
#include <nlohmann/json.hpp>

#include "components/application/profile/merge.hpp"
#include "components/application/profile/profile_file.hpp"
#include "core/error.hpp"
#include "core/json_values.hpp"
#include "tests/support/synthetic_part.hpp"

namespace hockney::profile {
namespace {

/// Paths at 1 and 10, a build id at 20.
const std::string letters("\0/bin/app\0/lib/m.so\0abcd\0", 25);

/// A part with samples; the modules are loaded from `base` on, 0x1000 B apart.
std::string sampled_part(int rank, int ranks, std::uint64_t base, const std::vector<StackRow>& rows,
                         const std::vector<std::uint64_t>& frames) {
  const std::vector<ModuleRow> modules{
      {.begin = base + 0x100, .end = base + 0x200, .bias = base, .path = 1, .build_id = 20},
      {.begin = base + 0x1100,
       .end = base + 0x1200,
       .bias = base + 0x1000,
       .path = 10,
       .build_id = 0}};
  std::int64_t samples = 0;
  for (const StackRow& row : rows) samples += row.count;
  PartHeader header{
      .rank = rank, .world_ranks = ranks, .end_ticks = 1'000'000'000, .end_ns = 1'000'000'000};
  header.sampling = {.state = static_cast<std::int64_t>(Sampling::done),
                     .period_ns = 10'000'000,
                     .samples = samples,
                     .lost = 1,
                     .threads = 2,
                     .ticks = 1'000'000};
  return bytes_of_part(header, {.facts = synthetic_facts,
                                .letters = letters,
                                .stacks = rows,
                                .frames = frames,
                                .modules = modules});
}

Samples merged(const std::vector<std::string>& parts) {
  Merger merger;
  for (const std::string& part : parts) merger.add(read_parts(part, "x").at(0));
  return merger.take().samples.value();
}

}  // namespace

TEST_CASE("equal code of ranks is one stack, wherever each rank loaded it") {
  const std::vector<StackRow> rows{{.hash = 1, .count = 7, .first = 0, .frames = 2},
                                   {.hash = 2, .count = 3, .first = 1, .frames = 1, .function = 1}};
  const Samples samples = merged({sampled_part(1, 2, 0x50000, rows, {0x50110, 0x51120}),
                                  sampled_part(0, 2, 0x90000, rows, {0x90110, 0x91120})});
  CHECK(samples.period_seconds == Approx(0.01));
  CHECK(samples.lost == 2);
  CHECK(samples.threads == 4);
  CHECK(samples.handler_seconds == Approx(2e-3));
  REQUIRE(samples.modules.size() == 2);
  CHECK(samples.modules[0] == CodeModule{"/bin/app", "abcd"});
  CHECK(samples.modules[1] == CodeModule{"/lib/m.so", ""});
  REQUIRE(samples.frames.size() == 2);
  CHECK(samples.frames[0] == Frame{0, 0x110});
  CHECK(samples.frames[1] == Frame{1, 0x120});
  REQUIRE(samples.stacks.size() == 2);
  CHECK(samples.stacks[0] == Stack{{0, 1}, "", {0, 1}, {7, 7}});
  CHECK(samples.stacks[1] == Stack{{1}, "MPI_Send", {0, 1}, {3, 3}});
}

TEST_CASE("code outside of every module is one place") {
  const std::vector<StackRow> rows{{.hash = 1, .count = 1, .first = 0, .frames = 1},
                                   {.hash = 2, .count = 2, .first = 1, .frames = 1}};
  const Samples samples = merged({sampled_part(0, 1, 0x50000, rows, {5, 6})});
  REQUIRE(samples.frames.size() == 1);
  CHECK_FALSE(samples.frames[0].module);
  CHECK(samples.stacks.size() == 1);
}

TEST_CASE("a rank of many keeps the stacks with most samples, and the number of the others") {
  std::vector<StackRow> rows;
  std::vector<std::uint64_t> frames;
  for (std::uint32_t i = 0; i < 100; ++i) {
    rows.push_back({.hash = i + 1U, .count = i + 1, .first = i, .frames = 1});
    frames.push_back(0x50100 + i);
  }
  const Samples samples = merged({sampled_part(0, most_ranks, 0x50000, rows, frames)});
  REQUIRE(samples.stacks.size() == 65);
  CHECK(samples.folded == 36 * 37 / 2);
  CHECK(samples.stacks[0].frames.empty());
  CHECK(samples.stacks[0].counts == std::vector<std::int64_t>{36 * 37 / 2});
}

TEST_CASE("samples survive a profile's file, and wrong indices in it are refused") {
  const std::vector<StackRow> rows{{.hash = 1, .count = 7, .first = 0, .frames = 2}};
  const std::string part = sampled_part(0, 1, 0x50000, rows, {0x50110, 0x51120});
  const Profile profile = merge(read_parts(part, "x"));
  const nlohmann::json document = profile;
  const auto read = [](const nlohmann::json& json) {
    return read_value<Profile>(parse_json(json_text(json), "p.json"));
  };
  CHECK(read(document) == profile);
  const auto refused = [&](auto change) {
    nlohmann::json other = document;
    change(other.at("samples"));
    CHECK_THROWS_AS(read(other), InputError);
  };
  refused([](auto& samples) { samples.at("stacks").at(0).at("frames").at(0) = 2; });
  refused([](auto& samples) { samples.at("stacks").at(0).at("frames").at(0) = -1; });
  refused([](auto& samples) { samples.at("stacks").at(0).at("ranks").at(0) = 1; });
  refused([](auto& samples) { samples.at("stacks").at(0).at("counts").push_back(1); });
  refused([](auto& samples) { samples.at("stacks").at(0).at("counts").at(0) = -1; });
  refused([](auto& samples) { samples.at("frames").at(0).at("module") = 2; });
}

TEST_CASE("parts with stacks that no rank writes are refused") {
  const auto refused = [](const StackRow& row, const std::vector<std::uint64_t>& frames) {
    CHECK_THROWS_AS(read_parts(sampled_part(0, 1, 0x50000, {row}, frames), "x"), InputError);
  };
  refused({.hash = 1, .count = 1, .first = 0, .frames = 2}, {1});
  refused({.hash = 1, .count = 1, .first = 2, .frames = 0}, {1});
  refused({.hash = 1, .count = -1, .first = 0, .frames = 1}, {1});
  refused({.hash = 1, .count = 1, .first = 0, .frames = 1, .function = 65535}, {1});
}

TEST_CASE("parts of the version without samples are read") {
  const std::string now = bytes_of({.rank = 0, .ranks = 1});
  PartHeader header;
  std::memcpy(static_cast<void*>(&header), now.data(), sizeof header);
  header.version = part_version - 1;
  const std::size_t size = header_bytes_of(header.version);
  header.header_bytes = static_cast<std::uint32_t>(size);
  const std::string old =
      std::string(reinterpret_cast<const char*>(&header), size) + now.substr(sizeof header);
  const Profile profile = merge(read_parts(old, "x"));
  CHECK(profile.calls == merge(read_parts(now, "x")).calls);
  CHECK_FALSE(profile.samples);
}

TEST_CASE("notes say why there are fewer samples than asked for") {
  for (const auto& [state, words] : {std::pair{Sampling::not_possible, "there are no samples"},
                                     std::pair{Sampling::signal_taken, "sampling ended early"}}) {
    PartHeader header{.world_ranks = 1, .end_ticks = 1, .end_ns = 1};
    header.sampling.state = static_cast<std::int64_t>(state);
    const std::string bytes = bytes_of_part(header, {.facts = synthetic_facts});
    const Profile profile = merge(read_parts(bytes, "x"));
    REQUIRE(profile.notes.size() == 1);
    CHECK_THAT(profile.notes[0], Catch::StartsWith(words));
  }
}

TEST_CASE("a note says that most of the CPU time is in no sample") {
  for (const std::int64_t samples : {0, 40, 60, 100}) {
    PartHeader header{.world_ranks = 1, .end_ticks = 1, .end_ns = 1};
    header.cpu.is_known = 1;
    header.cpu.user_ns = 900'000'000;
    header.cpu.system_ns = 100'000'000;
    header.sampling.state = static_cast<std::int64_t>(Sampling::done);
    header.sampling.period_ns = 10'000'000;
    header.sampling.samples = samples;  // of 100
    const std::string bytes = bytes_of_part(header, {.facts = synthetic_facts});
    const std::string notes = join(merge(read_parts(bytes, "x")).notes, "\n");
    CAPTURE(samples, notes);
    const bool is_hardly_sampled =
        notes.find("of the CPU time: threads are not") != std::string::npos;
    CHECK(is_hardly_sampled == (samples < 50));
  }
}

}  // namespace hockney::profile

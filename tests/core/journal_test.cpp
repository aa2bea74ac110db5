#include "core/journal.hpp"

#include <catch2/catch.hpp>
#include <filesystem>

#include "core/atomic_file.hpp"
#include "core/json_node.hpp"
#include "core/json_values.hpp"
#include "core/record_file.hpp"
#include "tests/support/error_line.hpp"
#include "tests/support/example_record.hpp"
#include "tests/support/temporary_folder.hpp"

namespace hockney {
namespace {

Record header() {
  Record record = example_record();
  record.series.clear();
  record.points = {{.point = example_point(8), .bytes_per_sample = 8},
                   {.point = example_point(64), .bytes_per_sample = 64}};
  return record;
}

/// The first one has everything that a block can bring.
std::vector<MeasurementBlock> blocks() {
  return {{.point = 1,
           .batch = 3,
           .samples_seconds = {1e-6, 2e-6},
           .started_seconds = 0.5,
           .skew_seconds = 1e-8,
           .locals_seconds = {1e-6, 9e-7},
           .late_starts = 2,
           .noise_probe_seconds = 5e-6,
           .page_faults = 65.5,
           .transport = Transport{.messages = 4, .payload_bytes = 32, .shares_memory = true},
           .deliveries_checked = 40,
           .flags = {"corrupt"}},
          {.point = 0, .batch = 9, .samples_seconds = {5e-7}, .flags = {"late"}},
          {.point = 1, .batch = 3, .samples_seconds = {3e-6, 0.1}, .noise_probe_seconds = 9e-6},
          {.point = 0, .deliveries_checked = 150, .is_check = true, .flags = {"corrupt"}}};
}

/// What a launch that died after `count` whole blocks leaves.
Record expected(std::size_t count) {
  Record record = header();
  SampleStore store(record.points);
  for (std::size_t i = 0; i < count; ++i) store.add(blocks()[i]);
  record.status = LaunchStatus::interrupted;
  record.stopped_because = "the launch died";
  record.series = store.series();
  record.points = store.points("the launch died before its first sample");
  return record;
}

/// The journal of a whole launch, as text.
std::string whole_journal(const std::string& record_file) {
  Journal journal(record_file, header());
  for (const MeasurementBlock& block : blocks()) journal.append(block);
  return read_file(journal_name(record_file));
}

}  // namespace

TEST_CASE("every visit is on the disk as soon as it is appended") {
  const TemporaryFolder folder;
  const std::string file = folder.path() + "/record.json";
  Journal journal(file, header());
  CHECK(recover_journal(file) == expected(0));
  for (std::size_t i = 0; i < blocks().size(); ++i) {
    journal.append(blocks()[i]);
    CHECK(recover_journal(file) == expected(i + 1));
  }
}

TEST_CASE("a discarded journal is gone") {
  const TemporaryFolder folder;
  const std::string file = folder.path() + "/record.json";
  Journal journal(file, header());
  CHECK(std::filesystem::exists(file + ".journal"));
  journal.discard();
  CHECK_FALSE(std::filesystem::exists(file + ".journal"));
  CHECK_FALSE(recover_journal(file));
}

TEST_CASE("a journal cut at any byte gives back all whole visits") {
  const TemporaryFolder folder;
  const std::string file = folder.path() + "/record.json";
  const std::string whole = whole_journal(file);
  std::vector<std::size_t> ends;  // of lines, behind their line break
  for (std::size_t i = 0; i < whole.size(); ++i) {
    if (whole[i] == '\n') ends.push_back(i + 1);
  }
  REQUIRE(ends.size() == 5);
  for (std::size_t size = ends[1]; size <= whole.size(); ++size) {
    CAPTURE(size);
    folder.write("record.json.journal", whole.substr(0, size));
    const auto complete = std::ranges::count_if(ends, [&](std::size_t end) { return end <= size; });
    CHECK(recover_journal(file) == expected(static_cast<std::size_t>(complete) - 1));
  }
}

TEST_CASE("a journal without a whole header holds nothing") {
  const TemporaryFolder folder;
  const std::string file = folder.path() + "/record.json";
  const std::string whole = whole_journal(file);
  const std::size_t end = whole.find('\n');
  for (std::size_t size = 0; size <= end; size += 50) {
    folder.write("record.json.journal", whole.substr(0, size));
    CHECK_FALSE(recover_journal(file));
  }
  folder.write("record.json.journal", whole.substr(0, end));
  CHECK_FALSE(recover_journal(file));
}

TEST_CASE("a line of a journal that cannot be used is left out and named") {
  const TemporaryFolder folder;
  const std::string file = folder.path() + "/record.json";
  const std::string whole = whole_journal(file);
  const std::size_t last = whole.rfind('\n', whole.size() - 2) + 1;
  for (const char* point : {"2", "-1", "\"a\"", "1e300"}) {
    CAPTURE(point);
    const std::string block = std::string(R"({"point":)") + point +
                              R"(,"batch":1,"samples_seconds":[1.0],"flags":[]})" + "\n";
    folder.write("record.json.journal", whole.substr(0, last) + block + whole.substr(last));
    auto recovered = recover_journal(file);
    REQUIRE(recovered);
    CHECK(recovered->flags.back() == "journal-damaged");
    CHECK(recovered->stopped_because.starts_with(
        "the launch died; 1 line of its journal could not be used, line 5: " + file +
        ".journal: key 'point' "));
    recovered->flags.pop_back();
    recovered->stopped_because = "the launch died";
    CHECK(recovered == expected(blocks().size()));
  }
}

TEST_CASE("a journal whose lines lack what others of their point have makes a record that loads") {
  const TemporaryFolder folder;
  const std::string file = folder.path() + "/record.json";
  Journal journal(file, header());
  MeasurementBlock whole = blocks().front();
  journal.append(whole);
  for (auto member : {&MeasurementBlock::page_faults, &MeasurementBlock::skew_seconds,
                      &MeasurementBlock::started_seconds, &MeasurementBlock::noise_probe_seconds}) {
    MeasurementBlock lacking = whole;
    (lacking.*member).reset();
    journal.append(lacking);
  }
  const auto recovered = recover_journal(file);
  REQUIRE(recovered);
  CHECK(read_record(parse_json(json_text(to_json(*recovered)), "r")) == recovered);
}

TEST_CASE("a journal that cannot be written is a run error") {
  const TemporaryFolder folder;
  CHECK_THROWS_AS(Journal(folder.path() + "/missing/record.json", header()), RunError);
  const TemporaryFolder devices;
  const std::string file = folder.path() + "/record.json";
  std::filesystem::create_symlink(devices.full_device(), journal_name(file));
  CHECK_THROWS_AS(Journal(file, header()), RunError);
  CHECK(std::filesystem::is_empty(folder.path()));
}

TEST_CASE("texts that are not UTF-8 do not cost the launch") {
  const TemporaryFolder folder;
  const std::string file = folder.path() + "/record.json";
  Record odd = header();
  odd.provenance.environment["OMPI_MCA_x"] = "gr\xfc\xdf";
  const Journal journal(file, odd);
  const auto recovered = recover_journal(file);
  REQUIRE(recovered);
  CHECK(recovered->provenance.environment.at("OMPI_MCA_x") == "gr\xef\xbf\xbd\xef\xbf\xbd");
}

}  // namespace hockney

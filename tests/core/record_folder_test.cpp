#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <stdexcept>

#include "core/record_file.hpp"
#include "core/samples.hpp"
#include "tests/support/error_line.hpp"
#include "tests/support/example_record.hpp"
#include "tests/support/temporary_folder.hpp"

namespace hockney {
namespace {

Record numbered(std::uint64_t seed) {
  Record record = example_record();
  record.seed = seed;
  return record;
}

std::vector<std::uint64_t> seeds(const std::vector<std::string>& paths) {
  std::vector<std::uint64_t> found;
  for (const Record& record : load_records(paths)) found.push_back(record.seed);
  return found;
}

using Seeds = std::vector<std::uint64_t>;

}  // namespace

TEST_CASE("a folder gives its records and passes over other documents") {
  const TemporaryFolder folder;
  folder.write("manifest.json", R"({"schema": "hockney.manifest/1"})");
  folder.write("list.json", "[1, 2]");
  folder.write("odd.json", R"({"schema": 7})");
  folder.write("log.txt", "not JSON");
  folder.write("b.json.journal", "{\"cut");
  folder.write("deeper/more/empty.txt", "");
  save_record(numbered(2), folder.path() + "/b.json");
  save_record(numbered(1), folder.path() + "/a.cbor");
  save_record(numbered(3), folder.path() + "/deeper/c.json");
  CHECK(seeds({folder.path()}) == Seeds{1, 2, 3});
  CHECK(seeds({folder.path() + "/b.json"}) == Seeds{2});
  CHECK(seeds({folder.path() + "/deeper", folder.path() + "/a.cbor"}) == Seeds{3, 1});
}

TEST_CASE("a damaged document in a folder is not passed over") {
  const TemporaryFolder folder;
  save_record(numbered(1), folder.path() + "/a.json");
  const std::string cut = folder.write("b.json", R"({"schema": "hockney.rec)");
  CHECK(input_error_of([&] {
          return load_records({folder.path()});
        }).starts_with(cut + ": cannot be read ("));
  const std::string other = folder.write("b.json", R"({"schema": "hockney.record/3"})");
  CHECK(input_error_of([&] {
          return load_records({folder.path()});
        }).starts_with(other + ": key 'schema' is 'hockney.record/3'"));
}

TEST_CASE("a wrong document in a folder costs only itself among usable records") {
  const TemporaryFolder folder;
  save_record(numbered(1), folder.path() + "/a.json");
  const std::string cut = folder.write("b.json", R"({"schema": "hockney.rec)");
  const std::string other = folder.write("c.json", R"({"schema": "hockney.record/3"})");
  folder.write("manifest.json", R"({"schema": "hockney.manifest/1"})");
  save_record(numbered(4), folder.path() + "/d.json");
  const UsableRecords usable = load_usable_records({folder.path()}, Kept::times);
  REQUIRE(usable.records.size() == 2);
  CHECK(usable.records.front().seed == 1);
  CHECK(usable.records.back().seed == 4);
  REQUIRE(usable.refused.size() == 2);
  CHECK(usable.refused.front().starts_with(cut + ": cannot be read ("));
  CHECK(usable.refused.back().starts_with(other + ": key 'schema' is 'hockney.record/3'"));
  CHECK(input_error_of([&] {
          return load_usable_records({folder.path(), cut}, Kept::times);
        }).starts_with(cut + ": cannot be read ("));
  std::filesystem::remove(folder.path() + "/a.json");
  std::filesystem::remove(folder.path() + "/d.json");
  CHECK(input_error_of([&] {
          return load_usable_records({folder.path()}, Kept::times);
        }).starts_with(cut + ": cannot be read ("));
}

TEST_CASE("a named file must be a record") {
  const TemporaryFolder folder;
  const std::string manifest = folder.write("manifest.json", R"({"schema": "hockney.manifest/1"})");
  CHECK(input_error_of([&] {
          return load_records({manifest});
        }).starts_with(manifest + ": key 'schema' is 'hockney.manifest/1'"));
}

TEST_CASE("paths without records are input errors") {
  const TemporaryFolder folder;
  const std::string no_records =
      "no records (none of the paths holds a hockney.record/2) name a record file or the folder of "
      "a campaign";
  CHECK(input_error_of([&] { return load_records({folder.path()}); }) == no_records);
  CHECK(input_error_of([] { return load_records({}); }) == no_records);
  const std::string missing = folder.path() + "/missing";
  const std::string does_not_exist =
      " does not exist (records are read from files and folders) check the name";
  CHECK(input_error_of([&] { return load_records({missing}); }) ==
        "'" + missing + "'" + does_not_exist);
  const std::string long_name = "./" + std::string(300, 'a');
  CHECK(input_error_of([&] { return load_records({long_name}); }) ==
        "'" + long_name + "'" + does_not_exist);
}

TEST_CASE("many files come in order, and the first wrong one is told, on any number of threads") {
  const TemporaryFolder folder;
  Seeds expected;
  for (std::uint64_t seed = 100; seed < 300; ++seed) {
    save_record(numbered(seed), folder.path() + "/" + std::to_string(seed) + ".json");
    expected.push_back(seed);
  }
  CHECK(seeds({folder.path()}) == expected);
  const std::string first = folder.write("150.json", "{}}");
  folder.write("151.json", "[");
  folder.write("299.json", "[");
  const std::string missing = folder.path() + "/missing";
  for (int again = 0; again < 20; ++again) {
    CHECK(input_error_of([&] {
            return load_records({folder.path(), missing});
          }).starts_with(first + ": cannot be read ("));
    CHECK(input_error_of([&] {
            return load_records({missing, folder.path()});
          }).starts_with("'" + missing + "' does not exist"));
  }
}

TEST_CASE("records that are kept for their times have equal plans once in memory") {
  const TemporaryFolder folder;
  Record other = numbered(2);
  other.points.own().front().bytes_per_sample = 9;
  constexpr std::size_t equal = 100;
  constexpr std::size_t most_threads = 16;  // which need not know of each other
  for (std::size_t i = 0; i < equal; ++i) {
    save_record(numbered(1), folder.path() + "/a" + std::to_string(i) + ".json");
  }
  save_record(other, folder.path() + "/b.json");
  const std::vector<Record> records = load_records({folder.path()}, Kept::times);
  REQUIRE(records.size() == equal + 1);
  std::size_t alone = 0;
  for (std::size_t i = 0; i < equal; ++i) {
    CHECK(records[i].points == numbered(1).points);
    const auto same = [&](const Record& record) { return record.points.shares(records[i].points); };
    alone += std::ranges::count_if(records, same) == 1 ? 1U : 0U;
  }
  CHECK(alone <= most_threads);
  CHECK(records.back().points == other.points);
}

TEST_CASE("records that are kept for their times have no samples, and settings about eager only") {
  const TemporaryFolder folder;
  Record plain = numbered(1);
  plain.protocols.clear();
  plain.provenance.mpi.settings = {{"btl_vader_eager_limit", "4096"},
                                   {"btl_vader_rndv_eager_limit", "0"},
                                   {"btl_vader_max_send_size", "32768"},
                                   {"coll_tuned_priority", "30"}};
  plain.series.front().warm_up_blocks = 1;  // so that only the last two samples count
  save_record(plain, folder.path() + "/a.json");
  Record searched = numbered(2);
  searched.provenance.mpi.settings = plain.provenance.mpi.settings;
  save_record(searched, folder.path() + "/b.json");
  const std::vector<Record> records = load_records({folder.path()}, Kept::times);
  const Series& series = records.at(0).series.at(0);
  CHECK(series.samples_seconds.empty());
  CHECK(counted(series) == CountedSamples{.number = 2, .median_seconds = (1.05e-6 + 1.2e-6) / 2});
  CHECK(counted(series) == counted(plain.series.front()));
  CHECK_THROWS_AS(counted_samples(series), std::logic_error);
  CHECK(series.blocks == plain.series.front().blocks);
  CHECK(records.at(0).provenance.mpi.settings == Settings{{"btl_vader_eager_limit", "4096"}});
  // A searched protocol is explained by the library's settings.
  CHECK(records.at(1).provenance.mpi.settings ==
        Settings{{"btl_vader_eager_limit", "4096"}, {"btl_vader_max_send_size", "32768"}});
  // The same of records that were read whole.
  std::vector<Record> whole = load_records({folder.path()});
  for (Record& record : whole) keep_times(record);
  CHECK(whole == records);
}

TEST_CASE("files whose records are there already are not read again, nor are others forgotten") {
  const TemporaryFolder folder;
  save_record(numbered(1), folder.path() + "/a.json");
  const std::string known = folder.write("b.json", "[");
  save_record(numbered(3), folder.path() + "/c.json");
  const auto read = [&](const std::vector<std::string>& paths) {
    return load_records(paths, Kept::everything,
                        {{known, numbered(2)}, {folder.path() + "/gone.json", numbered(4)}});
  };
  CHECK(read({folder.path()}) == std::vector{numbered(1), numbered(2), numbered(3)});
  // A file that is named twice is two launches, of which the second one is read.
  CHECK_THROWS_AS(read({known, known}), InputError);
}

}  // namespace hockney

#include <catch2/catch.hpp>
#include <filesystem>

#include "core/record_file.hpp"
#include "tests/support/error_line.hpp"
#include "tests/support/example_record.hpp"
#include "tests/support/temporary_folder.hpp"

using namespace hockney;

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
  const std::string other = folder.write("b.json", R"({"schema": "hockney.record/2"})");
  CHECK(input_error_of([&] {
          return load_records({folder.path()});
        }).starts_with(other + ": key 'schema' is 'hockney.record/2'"));
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
      "no records (none of the paths holds a hockney.record/1) name a record file or the folder of "
      "a campaign";
  CHECK(input_error_of([&] { return load_records({folder.path()}); }) == no_records);
  CHECK(input_error_of([] { return load_records({}); }) == no_records);
  const std::string missing = folder.path() + "/missing";
  const std::string does_not_exist =
      " does not exist (records are read from files and folders) check the name";
  CHECK(input_error_of([&] { return load_records({missing}); }) ==
        "'" + missing + "'" + does_not_exist);
  const std::string long_name(300, 'a');
  CHECK(input_error_of([&] { return load_records({long_name}); }) ==
        "'" + long_name + "'" + does_not_exist);
}

#include <catch2/catch.hpp>
#include <filesystem>

#include "core/atomic_file.hpp"
#include "driver/campaign/outcome.hpp"
#include "tests/support/example_record.hpp"
#include "tests/support/temporary_folder.hpp"

namespace hockney::campaign {
namespace {

/// A campaign's folder with the record of launch "a-001".
struct OneLaunch {
  TemporaryFolder parent;
  Folder folder = campaign_folder(parent.path());
  std::string file = folder.record("a-001");

  explicit OneLaunch(LaunchStatus status = LaunchStatus::complete) {
    make_folders(folder);
    Record record = example_record();
    record.status = status;
    save_record(record, file);
  }
};

}  // namespace

TEST_CASE("the record of a launch is read once, and handed on without its samples") {
  const OneLaunch one;
  LaunchRecords records(one.folder);
  CHECK(records.at("a-001").is_complete());
  Record expected = load_record(one.file);
  std::filesystem::remove(one.file);
  CHECK(records.at("a-001").record() == expected);
  records.settle("a-001");
  keep_times(expected);
  CHECK(std::move(records).take() == ReadRecords{{one.file, expected}});
}

TEST_CASE("a launch whose record is not complete is read anew after it was settled") {
  const OneLaunch one(LaunchStatus::interrupted);
  LaunchRecords records(one.folder);
  CHECK(records.at("a-001").why_not() == "the record is of a launch that ended early");
  records.settle("a-001");
  save_record(example_record(), one.file);
  CHECK(records.at("a-001").is_complete());
}

TEST_CASE("changes of a record are written together, and a file without changes is left alone") {
  const OneLaunch one;
  LaunchRecord launch(one.file);
  const std::string before = read_file(one.file);
  launch.change().flags = {"a"};
  launch.change().flags.emplace_back("b");
  CHECK(read_file(one.file) == before);
  launch.save();
  CHECK(load_record(one.file) == launch.record());
  std::filesystem::remove(one.file);
  launch.save();
  CHECK_FALSE(std::filesystem::exists(one.file));
}

TEST_CASE("a record that is moved takes its changes along, and is none of the launch any more") {
  const bool is_changed = GENERATE(false, true);
  const OneLaunch one;
  const std::string other = one.parent.path() + "/other.json";
  LaunchRecord launch(one.file);
  if (is_changed) launch.change().flags = {"a"};
  const Record record = launch.record().value();
  launch.move_to(other);
  CHECK_FALSE(launch.record());
  CHECK(launch.why_not() == "no record was written");
  CHECK_FALSE(std::filesystem::exists(one.file));
  CHECK(load_record(other) == record);
}

TEST_CASE("why a launch is not complete is said of files that are missing or damaged") {
  const OneLaunch one;
  CHECK(LaunchRecord(one.folder.record("b-001")).why_not() == "no record was written");
  write_atomically(one.file, "{");
  const LaunchRecord damaged(one.file);
  CHECK_FALSE(damaged.is_complete());
  CHECK_THAT(damaged.why_not(), Catch::StartsWith(one.file));
}

}  // namespace hockney::campaign

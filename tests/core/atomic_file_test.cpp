#include "core/atomic_file.hpp"

#include <catch2/catch.hpp>
#include <filesystem>

#include "tests/support/error_line.hpp"
#include "tests/support/temporary_folder.hpp"

using namespace hockney;
namespace fs = std::filesystem;

namespace {

std::size_t entries(const std::string& folder) {
  return static_cast<std::size_t>(
      std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

}  // namespace

TEST_CASE("what is written is read back, byte for byte") {
  const TemporaryFolder folder;
  const std::string file = folder.path() + "/a";
  const std::string content("one\n\0two\r\n\xff", 11);
  write_atomically(file, content);
  CHECK(read_file(file) == content);
  write_atomically(file, "");
  CHECK(read_file(file).empty());
  CHECK(entries(folder.path()) == 1);
}

TEST_CASE("writing replaces the file, and a hard link keeps the old one whole") {
  const TemporaryFolder folder;
  const std::string file = folder.write("a", "old");
  fs::create_hard_link(file, folder.path() + "/link");
  write_atomically(file, "new");
  CHECK(read_file(file) == "new");
  CHECK(read_file(folder.path() + "/link") == "old");
}

TEST_CASE("a write that fails is a run error and leaves nothing behind") {
  const TemporaryFolder folder;
  const std::string target = folder.path() + "/folder";
  fs::create_directories(target + "/full");
  CHECK_THROWS_AS(write_atomically(target, "x"), RunError);  // a folder cannot be replaced
  CHECK(entries(folder.path()) == 1);
  CHECK_THROWS_AS(write_atomically(folder.path() + "/missing/a", "x"), RunError);
}

TEST_CASE("what cannot be read is an input error that names it") {
  const TemporaryFolder folder;
  const std::string missing = folder.path() + "/missing";
  CHECK(input_error_of([&] { return read_file(missing); }) ==
        "cannot read '" + missing + "' (No such file or directory) check the name");
  CHECK(input_error_of([&] { return read_file(folder.path()); }) ==
        "cannot read '" + folder.path() + "' (it is a folder) check the name");
  const std::string long_name(300, 'a');
  CHECK(input_error_of([&] { return read_file(long_name); }) ==
        "cannot read '" + long_name + "' (File name too long) check the name");
}

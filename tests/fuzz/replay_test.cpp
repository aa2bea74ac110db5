#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>

#include "core/atomic_file.hpp"
#include "tests/fuzz/readers.hpp"

// Every input that the fuzzer begins with, and every one that was once mistreated, without the
// fuzzer.
namespace hockney::fuzz {
namespace {

namespace fs = std::filesystem;

const fs::path home = HOCKNEY_SOURCE_DIR "/tests/fuzz";

std::vector<std::string> files_of(const fs::path& folder) {
  std::vector<std::string> files;
  std::error_code none;  // few readers have mistreated anything
  for (const auto& entry : fs::directory_iterator(folder, none)) files.push_back(entry.path());
  std::ranges::sort(files);
  return files;
}

}  // namespace

TEST_CASE("readers take or refuse the fuzzer's inputs, and what they take comes back") {
  for (const FuzzedReader& reader : fuzzed_readers()) {
    for (const char* kind : {"corpus", "crashes"}) {
      for (const std::string& file : files_of(home / kind / reader.name)) {
        INFO(file);
        CHECK_NOTHROW(reader.run(read_file(file)));
      }
    }
  }
}

TEST_CASE("every reader has inputs to begin with, and every folder of inputs a reader") {
  std::vector<std::string> names;
  for (const FuzzedReader& reader : fuzzed_readers()) {
    CHECK_FALSE(files_of(home / "corpus" / reader.name).empty());
    names.push_back(reader.name);
  }
  for (const char* kind : {"corpus", "crashes"}) {
    for (const std::string& folder : files_of(home / kind)) {
      CAPTURE(folder);
      CHECK(std::ranges::count(names, fs::path(folder).filename().string()) == 1);
    }
  }
}

}  // namespace hockney::fuzz

#include "benchmarks/harness/catalogue.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <set>

#include "core/error.hpp"

namespace hockney {
namespace {

/// pingpong.cpp holds "pingpong", bidirectional_bandwidth.cpp "bidirectional-bandwidth".
std::string operation_of(const std::filesystem::path& file) {
  std::string name = file.stem().string();
  std::ranges::replace(name, '_', '-');
  return name;
}

TEST_CASE("every operation file is in the catalogue under the name of the file, and nothing else") {
  std::set<std::string> files;
  const std::string folder = HOCKNEY_SOURCE_DIR "/benchmarks/operations";
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() == ".cpp") files.insert(operation_of(entry.path()));
  }
  std::set<std::string> names;
  for (const CatalogueEntry& entry : catalogue()) names.emplace(entry.descriptor.name);
  CHECK(files.size() >= 8);
  CHECK(names == files);
}

TEST_CASE("every operation says what it times and which bytes it counts") {
  for (const CatalogueEntry& entry : catalogue()) {
    INFO(entry.descriptor.name);
    CHECK(entry.descriptor.summary.size() > 20);
    CHECK(entry.descriptor.counts.size() > 10);
  }
}

TEST_CASE("the catalogue is in order of names") {
  CHECK(std::ranges::is_sorted(catalogue(), {},
                               [](const CatalogueEntry& entry) { return entry.descriptor.name; }));
}

TEST_CASE("an unknown operation is answered with the nearest one") {
  CHECK(find_operation("pingpong").descriptor.name == "pingpong");
  CHECK_THROWS_WITH(find_operation("pingpog"), Catch::Contains("did you mean 'pingpong'?"));
}

TEST_CASE("a name can be taken once only") {
  CHECK_THROWS_AS(add_to_catalogue(find_operation("pingpong")), std::logic_error);
}

TEST_CASE("bytes that count per operation are those of the documented conventions") {
  struct Convention {
    std::string operation;
    std::int64_t operations;  // in one iteration
    std::int64_t bytes;       // that count for a message of 100 B between 2 ranks
  };
  const std::vector<Convention> conventions{
      {"pingpong", 2, 100},      {"ssend-pingpong", 2, 100}, {"pingping", 1, 100},
      {"sendrecv", 1, 200},      {"exchange", 1, 400},       {"bandwidth", 16, 100},
      {"bcast", 1, 100},         {"allreduce", 1, 100},      {"reduce", 1, 100},
      {"barrier", 1, 0},         {"message-rate", 16, 100},  {"bidirectional-bandwidth", 16, 200},
      {"floor-cacheline", 2, 0}, {"floor-memcpy", 2, 100},   {"floor-process-vm", 2, 100}};
  CHECK(conventions.size() == catalogue().size());
  const Point point{.bytes = {100}, .ranks = 2, .parameters = {{"window", "16"}}};
  for (const auto& [operation, operations, bytes] : conventions) {
    INFO(operation);
    const Account account = find_operation(operation).account(point);
    CHECK(account.operations == operations);
    CHECK(account.bytes.value == bytes);
  }
  const Point wide{.bytes = {100}, .ranks = 8, .parameters = {{"window", "16"}}};
  CHECK(find_operation("message-rate").account(wide).bytes.value == 400);
}

}  // namespace
}  // namespace hockney

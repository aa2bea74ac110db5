#include <catch2/catch.hpp>
#include <numeric>
#include <vector>

#include "benchmarks/harness/data_layout.hpp"
#include "benchmarks/harness/datatypes.hpp"
#include "core/text.hpp"
#include "tests/benchmarks/operations/corruption_trial.hpp"
#include "tests/benchmarks/operations/variants.hpp"

namespace hockney::benchmarks {
namespace {

/// Places and lengths of the blocks of so many integers [elements].
std::vector<std::pair<std::size_t, std::size_t>> blocks_of(int elements, DataLayout layout) {
  const Datatype& type = find_datatype("int32");
  std::vector<std::pair<std::size_t, std::size_t>> blocks;
  const LaidOutData data({.type = &type, .count = elements}, layout);
  for (const DataBlock& block : data.blocks()) {
    blocks.emplace_back(block.in_memory / type.size, block.bytes / type.size);
  }
  return blocks;
}

TEST_CASE("data lie as the layouts say") {
  using Blocks = std::vector<std::pair<std::size_t, std::size_t>>;
  CHECK(blocks_of(5, DataLayout::contiguous) == Blocks{{0, 5}});
  CHECK(blocks_of(16, DataLayout::vector) == Blocks{{0, 8}, {16, 8}});
  CHECK(blocks_of(3, DataLayout::vector) == Blocks{{0, 1}, {2, 1}, {4, 1}});
  CHECK(blocks_of(21, DataLayout::indexed) == Blocks{{0, 4}, {8, 12}, {32, 4}, {40, 1}});
  CHECK(blocks_of(16, DataLayout::structure) == Blocks{{0, 2}, {4, 6}, {16, 2}, {20, 6}});
  CHECK(blocks_of(2, DataLayout::structure) == Blocks{{0, 1}, {2, 1}});
  CHECK(blocks_of(0, DataLayout::indexed).empty());
}

TEST_CASE("a datatype says where the data of its layout are") {
  const Datatype& type = find_datatype("int32");
  for (const int elements : {0, 1, 21, 64}) {
    for (const DataLayout layout : every<DataLayout>()) {
      INFO(elements << " " << word(layout));
      const LaidOutData data({.type = &type, .count = elements}, layout);
      std::vector<std::int32_t> memory(2 * static_cast<std::size_t>(elements) + 1);
      std::iota(memory.begin(), memory.end(), 0);
      std::vector<std::int32_t> packed(static_cast<std::size_t>(elements) + 1, -1);
      int end = 0;
      mpi_check(MPI_Pack(memory.data(), data.count(), data.type(), packed.data(),
                         static_cast<int>(packed.size() * sizeof(std::int32_t)), &end,
                         MPI_COMM_SELF));
      CHECK(end == elements * static_cast<int>(sizeof(std::int32_t)));
      for (const DataBlock& block : data.blocks()) {
        for (std::size_t i = 0; i < block.bytes / type.size; ++i) {
          CHECK(packed[block.in_message / type.size + i] ==
                static_cast<std::int32_t>(block.in_memory / type.size + i));
        }
      }
    }
  }
}

TEST_CASE("every corruption is noticed, however the data of a message lie") {
  BufferPool buffers(12);
  Tally tally;
  int points = 0;
  for (const char* name : {"derived-pingpong", "pack-pingpong", "copy-pingpong"}) {
    const CatalogueEntry& entry = find_operation(name);
    const UniqueComm team = team_for(entry.descriptor);
    if (!team) continue;
    for (const std::size_t elements : {trial_elements, std::size_t{64}}) {
      Point plain = point_for(entry.descriptor, Bytes{}, 2);
      for (const Point& typed :
           each_value({plain}, datatype_parameter, {"byte", "double", "double-int"})) {
        const Point sized = with_elements(typed, entry.descriptor, elements);
        for (const Point& point : each_value({sized}, layout_parameter, every<DataLayout>())) {
          Trial(entry, point, team, buffers, tally).expect_check(false);
          ++points;
        }
      }
    }
  }
  for (const std::string& mistake : tally.mistakes) UNSCOPED_INFO(mistake);
  CHECK(tally.mistakes.empty());
  CHECK(tally.clean == points);
  CHECK(tally.noticed == tally.corrupted);
  if (points > 0) CHECK(tally.corrupted > 700);
}

}  // namespace
}  // namespace hockney::benchmarks

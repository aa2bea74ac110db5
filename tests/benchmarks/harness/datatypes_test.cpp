#include <algorithm>
#include <catch2/catch.hpp>
#include <numeric>

#include "benchmarks/harness/buffer_memory.hpp"
#include "benchmarks/harness/datatypes.hpp"
#include "benchmarks/harness/mpi_objects.hpp"
#include "core/error.hpp"

namespace hockney::benchmarks {
namespace {

std::size_t significant(const Datatype& type) {
  return std::accumulate(type.significant.begin(), type.significant.end(), std::size_t{0},
                         [](std::size_t sum, const ByteRange& range) { return sum + range.bytes; });
}

#ifdef __x86_64__
TEST_CASE("sizes, extents and significant bytes are those of the x86-64 ABI") {
  struct Known {
    std::string name;
    std::size_t size, extent, significant;
  };
  // A pair has no gap inside its size; an x87 long double has 6 bytes of padding there.
  const std::vector<Known> table{{"byte", 1, 1, 1},
                                 {"char", 1, 1, 1},
                                 {"bool", 1, 1, 1},
                                 {"short", 2, 2, 2},
                                 {"uint16", 2, 2, 2},
                                 {"int", 4, 4, 4},
                                 {"long", 8, 8, 8},
                                 {"float", 4, 4, 4},
                                 {"double", 8, 8, 8},
                                 {"long-double", 16, 16, 10},
                                 {"float-complex", 8, 8, 8},
                                 {"double-complex", 16, 16, 16},
                                 {"long-double-complex", 32, 32, 20},
                                 {"float-int", 8, 8, 8},
                                 {"double-int", 12, 16, 12},
                                 {"long-int", 12, 16, 12},
                                 {"short-int", 6, 8, 6},
                                 {"2int", 8, 8, 8},
                                 {"long-double-int", 20, 32, 14}};
  for (const Known& known : table) {
    INFO(known.name);
    const Datatype& type = find_datatype(known.name);
    CHECK(type.size == known.size);
    CHECK(type.extent == known.extent);
    CHECK(significant(type) == known.significant);
  }
}
#endif

TEST_CASE("this library has every predefined datatype of C, and lays it out as C does") {
  CHECK(datatype_names().size() == 37);
  CHECK(datatypes().size() == datatype_names().size());
}

TEST_CASE("MPI delivers every byte that is called significant") {
  for (const Datatype& type : datatypes()) {
    INFO(type.name);
    constexpr std::size_t count = 5;
    const std::vector<std::byte> sent(count * type.extent, std::byte{0xA5});
    std::vector<std::byte> received(count * type.extent, std::byte{0});
    mpi_check(MPI_Sendrecv(sent.data(), count, type.handle, 0, 0, received.data(), count,
                           type.handle, 0, 0, MPI_COMM_SELF, MPI_STATUS_IGNORE));
    for (std::size_t element = 0; element < received.size(); element += type.extent) {
      for (const auto& [offset, bytes] : type.significant) {
        const auto* first = &received[element + offset];
        CHECK(std::all_of(first, first + bytes, [](std::byte b) { return b == std::byte{0xA5}; }));
      }
    }
  }
}

TEST_CASE("an unknown datatype is answered with the nearest one") {
  CHECK_THROWS_WITH(find_datatype("dubble"), Catch::Contains("did you mean 'double'?"));
  CHECK_THROWS_AS(check_datatype_name("long-ing"), InputError);
  CHECK_NOTHROW(check_datatype_name("long-int"));
}

TEST_CASE("a message holds whole elements only") {
  Point point{.bytes = {24}};
  CHECK(message_of(point).count == 24);
  point.parameters.set(datatype_parameter, "double-int");
  CHECK(message_of(point).count == 2);
  CHECK(message_of(point).extent() == 32);
  point.bytes = {25};
  CHECK(size_obstacle(point) == "it is no whole number of elements: one double-int has 12 bytes");
  CHECK_THROWS_AS(message_of(point), std::logic_error);
}

TEST_CASE("gaps of a message may hold anything, all other bytes may not") {
  const Datatype& type = find_datatype("double-int");  // 12 bytes, then 4 without meaning
  std::vector<std::byte> data(3 * type.extent);
  fill_pattern(data, 5);
  for (std::size_t i = 0; i < data.size(); ++i) {
    INFO(i);
    data[i] ^= std::byte{1};
    CHECK(holds_message(data, type, 5) == (i % 16 >= 12));
    data[i] ^= std::byte{1};
  }
}

}  // namespace
}  // namespace hockney::benchmarks

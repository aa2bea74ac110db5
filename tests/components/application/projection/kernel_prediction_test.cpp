#include <catch2/catch.hpp>

#include "components/application/projection/kernel_prediction.hpp"
#include "core/error.hpp"
#include "tests/support/made_machine.hpp"

// Kernels at numbers of ranks that nobody measured, on a machine whose costs are exact.
namespace hockney::projection {
namespace {

constexpr double point_seconds = 2e-9;

/// Launches of a kernel of two ranks, in which a block of computing alone takes a known time.
std::vector<Record> kernel_records(const std::string& operation, const std::string& parameter,
                                   const std::string& extents, const std::string& grid,
                                   double seconds, int launches = 6) {
  Record record{.procedure = "kernels"};
  Series series = series_of(operation, "l3", 0, seconds);
  series.point.parameters = {
      {parameter, extents}, {"grid", grid}, {"way", "immediate"}, {"work", "alone"}};
  record.series = {series};
  return {static_cast<std::size_t>(launches), record};
}

Machine machine_of(const std::vector<std::string>& hosts) {
  return {launches_of({{"l3", 2e-6, 1e-9}, {"cross-node", 10e-6, 4e-9}}),
          std::nullopt,
          {.hosts = hosts, .setting = {}, .mpi_library = ""}};
}

}  // namespace

TEST_CASE("a halo is divided so that its blocks have the least boundary") {
  CHECK(usual_grid(Kernel::halo, {256, 256}, 4) == std::vector{2, 2});
  CHECK(usual_grid(Kernel::halo, {256, 256}, 16) == std::vector{4, 4});
  CHECK(usual_grid(Kernel::halo, {1024, 16}, 4) == std::vector{4, 1});
  CHECK(usual_grid(Kernel::halo, {64, 64, 64}, 8) == std::vector{2, 2, 2});
  CHECK(usual_grid(Kernel::halo, {3600, 3600}, 7) == std::vector{1, 7});
  CHECK(usual_grid(Kernel::cannon, {64, 64}, 9) == std::vector{3, 3});
  CHECK_THROWS_AS(usual_grid(Kernel::cannon, {64, 64}, 8), InputError);
  CHECK_THROWS_AS(usual_grid(Kernel::halo, {2, 2}, 8), InputError);
}

TEST_CASE("the messages of kernels are those that theory knows") {
  // 12 x 8 points on 3 x 2 ranks: the middle row has three neighbours, corners two.
  const auto halo = kernel_program({Kernel::halo, {12, 8}, {3, 2}}, 2, 0);
  REQUIRE(halo.messages.size() == 2 * 2 * (4 + 3));
  for (const models::Message& message : halo.messages) {
    CHECK(message.bytes == 4 * 8);
  }
  // Cannon's: q - 1 times two blocks from each of q x q ranks.
  const auto cannon = kernel_program({Kernel::cannon, {30, 30}, {3, 3}}, 1, 0);
  CHECK(cannon.messages.size() == 2 * 2 * 9);
  for (const auto& message : cannon.messages) CHECK(message.bytes == 10 * 10 * 8);
}

TEST_CASE("a halo takes its computing and its exchange, in a node and between nodes") {
  const auto records =
      kernel_records("halo", "points", "200x200", "2x1", 100 * 200 * point_seconds);
  const std::vector<std::string> apart{"node0", "node1"};
  const auto found =
      predict_kernel({Kernel::halo, {200, 100}, {2, 1}}, machine_of(apart), apart, records);
  const double computing = 100 * 100 * point_seconds;
  CHECK(found.computing_seconds == Approx(computing));
  CHECK(found.seconds == Approx(computing + 10e-6 + 4e-9 * 100 * 8).epsilon(1e-3));
  CHECK(found.range.low_seconds <= found.seconds * (1 + 1e-9));
  CHECK(found.range.high_seconds >= found.seconds * (1 - 1e-9));
  CHECK(found.cost.launches == 6);
  const std::vector<std::string> together{"node0", "node0"};
  const auto faster =
      predict_kernel({Kernel::halo, {200, 100}, {2, 1}}, machine_of(together), together, records);
  CHECK(faster.seconds < found.seconds);
  CHECK(faster.seconds > computing);
}

TEST_CASE("Cannon's product takes q products of blocks and q - 1 shifts of two") {
  constexpr double flop_seconds = 1e-9;
  const double flops = 2.0 * 50 * 50 * 50 * 2;  // of 100 x 100 on 2 x 2
  const auto records = kernel_records("cannon", "matrix", "100x100", "2x2", flops * flop_seconds);
  const std::vector<std::string> hosts{"a", "b", "c", "d", "e", "f", "g", "h", "i"};
  const auto found =
      predict_kernel({Kernel::cannon, {90, 90}, {3, 3}}, machine_of(hosts), hosts, records);
  const double computing = 3 * 2.0 * 30 * 30 * 30 * flop_seconds;
  const double block = 4e-9 * 30 * 30 * 8;
  CHECK(found.computing_seconds == Approx(computing));
  // Both blocks leave by one port, one after the other.
  CHECK(found.seconds >= computing + 2 * (10e-6 + block));
  CHECK(found.seconds <= computing + 2 * 2 * (10e-6 + block));
}

TEST_CASE("computing is taken from the blocks nearest in size, and must have been measured") {
  std::vector<Record> records = kernel_records("halo", "points", "20x20", "1x2", 200 * 1e-9, 3);
  for (const Record& record : kernel_records("halo", "points", "2000x2000", "1x2", 2e6 * 3e-9, 2)) {
    records.push_back(record);
  }
  CHECK(unit_cost(records, Kernel::halo, 500)->seconds == Approx(1e-9));
  CHECK(unit_cost(records, Kernel::halo, 500)->launches == 3);
  CHECK(unit_cost(records, Kernel::halo, 1e6)->seconds == Approx(3e-9));
  CHECK_FALSE(unit_cost(records, Kernel::halo, 1e6)->interval_seconds);
  CHECK_FALSE(unit_cost(records, Kernel::cannon, 1));
  CHECK_THROWS_WITH(
      predict_kernel({Kernel::cannon, {90, 90}, {1, 1}}, machine_of({"a"}), {"a"}, records),
      Catch::Contains("hockney run cannon"));
}

}  // namespace hockney::projection

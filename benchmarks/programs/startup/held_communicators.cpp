#include "benchmarks/programs/startup/held_communicators.hpp"

#include <nlohmann/json.hpp>
#include <optional>

#include "benchmarks/harness/environment.hpp"
#include "benchmarks/harness/gather.hpp"
#include "benchmarks/harness/handle.hpp"
#include "benchmarks/harness/mpi_error.hpp"
#include "benchmarks/harness/rank_memory.hpp"
#include "core/record_fields.hpp"

namespace hockney::benchmarks::programs {
namespace {

void add_reading(std::vector<MemoryUse>& readings, int communicators) {
  std::optional<MemoryUse> use = read_memory_use();
  if (!use) return;
  use->moment = "communicators";
  use->communicators = communicators;
  readings.push_back(*use);
}

}  // namespace

std::vector<MemoryUse> memory_of_communicators(MPI_Comm comm, int count) {
  std::vector<MemoryUse> readings;
  add_reading(readings, 0);
  std::vector<UniqueComm> held(static_cast<std::size_t>(count));
  for (UniqueComm& one : held) {
    mpi_check(MPI_Comm_dup(comm, one.out()));
    mpi_check(MPI_Barrier(one.get()));
  }
  add_reading(readings, count);
  return readings;
}

std::vector<MemoryUse> gather_memory(MPI_Comm comm, std::vector<MemoryUse> own) {
  const int rank = rank_in(comm);
  for (MemoryUse& use : own) use.rank = rank;
  std::vector<MemoryUse> all;
  for (const std::string& text : gather_texts(comm, nlohmann::json{{"memory", own}}.dump())) {
    if (rank != 0) continue;
    const JsonNode node = parse_json(text, "memory");
    for (const JsonNode& use : node.at("memory").elements()) {
      all.push_back(read_value<MemoryUse>(use));
    }
  }
  return all;
}

}  // namespace hockney::benchmarks::programs

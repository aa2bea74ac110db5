#include "benchmarks/harness/rank_work.hpp"

#include <fmt/format.h>
#include <cmath>
#include <nlohmann/json.hpp>

#include "benchmarks/engine/prepared.hpp"
#include "benchmarks/harness/buffer_memory.hpp"
#include "benchmarks/harness/datatypes.hpp"
#include "benchmarks/harness/environment.hpp"
#include "benchmarks/harness/mpi_objects.hpp"
#include "core/json_node.hpp"
#include "core/record_json.hpp"

namespace hockney::benchmarks {

void Overlap::set_rounds(double rounds) { rounds_ = std::llround(rounds); }

void Overlap::work() const { spin(rounds_); }

namespace {

constexpr std::size_t line_bytes = 64;

/// The memory as words; the first of each line is used.
std::uint64_t* words_in(std::span<std::byte> memory) {
  return reinterpret_cast<std::uint64_t*>(memory.data());
}

std::size_t lines_of(std::span<const std::byte> memory) { return memory.size() / line_bytes; }

constexpr std::size_t words_in_line = line_bytes / sizeof(std::uint64_t);

}  // namespace

std::optional<std::string> own_memory_obstacle(const Point& point) {
  const bool is_plain = point.parameters[memory_parameter] == MemorySides{} &&
                        !has_rotating_buffers(point) &&
                        !point.parameters.contains(datatype_parameter);
  if (!is_plain) {
    return "it has memory of its own, which --cache, --memory and --datatype do not change";
  }
  const auto bytes = static_cast<std::size_t>(point.bytes.value);
  if (bytes == 0 || bytes >= line_bytes) return std::nullopt;
  return fmt::format("{} bytes are less than a cache line", bytes);
}

std::uint64_t go_over(std::span<std::byte> memory) {
  std::uint64_t* const words = words_in(memory);
  const std::size_t end = lines_of(memory) * words_in_line;
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < end; i += words_in_line) sum += ++words[i];
  return sum;
}

std::uint64_t sum_after(std::span<const std::byte> memory, std::int64_t passes) {
  return lines_of(memory) * static_cast<std::uint64_t>(passes);
}

void clear_counts(std::span<std::byte> memory) {
  std::uint64_t* const words = words_in(memory);
  for (std::size_t line = 0; line < lines_of(memory); ++line) words[line * words_in_line] = 0;
}

std::vector<CoreNoise> record_noise(MPI_Comm comm, double seconds) {
  const auto clock = make_clock();
  mpi_check(MPI_Barrier(comm));
  CoreNoise own = judge_noise(record_work(*clock, seconds));
  own.rank = rank_in(comm);
  std::vector<CoreNoise> all;
  for (const std::string& text : gather_texts(comm, nlohmann::json(own).dump())) {
    if (own.rank == 0) all.push_back(read_value<CoreNoise>(parse_json(text, "noise")));
  }
  return all;
}

}  // namespace hockney::benchmarks

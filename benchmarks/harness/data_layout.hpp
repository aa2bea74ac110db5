#pragma once

#include <mpi.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <type_traits>
#include <vector>

#include "benchmarks/harness/catalogue.hpp"
#include "benchmarks/harness/datatypes.hpp"
#include "benchmarks/harness/mpi_objects.hpp"

namespace hockney::benchmarks {

/// Layout of a message's data in memory. All except `contiguous` have gaps in half of the memory.
enum class DataLayout {
  contiguous,  ///< without gaps
  vector,      ///< blocks of 8 elements, or of 1 if 8 does not divide the message; MPI_Type_vector
  indexed,     ///< blocks of 4 and 12 elements in turn; MPI_Type_indexed
  structure    ///< records with fields of 2 and 6 elements, or of 1; MPI_Type_create_struct
};

constexpr auto words_of(std::type_identity<DataLayout>) {
  return std::to_array<std::string_view>({"contiguous", "vector", "indexed", "struct"});
}

inline constexpr Parameter<DataLayout> layout_parameter{"layout", DataLayout::vector};

/// A piece of a message.
struct DataBlock {
  std::size_t in_message;  ///< offset in the message [B]
  std::size_t in_memory;   ///< offset in memory [B]
  std::size_t bytes;
};

/// A message's layout in memory, and its MPI datatype.
class LaidOutData {
 public:
  LaidOutData(const MessageShape& message, DataLayout layout);

  [[nodiscard]] const std::vector<DataBlock>& blocks() const { return blocks_; }
  [[nodiscard]] int count() const { return count_; }  ///< of the datatype
  /// Copies a message's data into the layout in memory, and back.
  void unpack(const std::byte* message, std::byte* memory) const {
    for (const DataBlock& block : blocks_) {
      std::memcpy(memory + block.in_memory, message + block.in_message, block.bytes);
    }
  }
  void pack(const std::byte* memory, std::byte* message) const {
    for (const DataBlock& block : blocks_) {
      std::memcpy(message + block.in_message, memory + block.in_memory, block.bytes);
    }
  }
  [[nodiscard]] MPI_Datatype type() const { return made_ ? made_.get() : plain_; }

 private:
  void add(std::size_t elements, std::size_t place);
  void lay_vector(std::size_t elements);
  void lay_indexed(std::size_t elements);
  void lay_records(std::size_t elements);

  MPI_Datatype plain_;
  std::size_t extent_;  ///< of one element [B]
  int count_;
  std::vector<DataBlock> blocks_;
  UniqueDatatype made_;
};

/// A message between two ranks in a layout, with memory of twice its size.
class LaidOutMessage {
 public:
  static Volume volume(const Point& point) { return {.operations = 2, .bytes = point.bytes}; }

  void refill(std::uint64_t seed);
  [[nodiscard]] bool verify(std::uint64_t seed) const;

 protected:
  LaidOutMessage(const Context& context, const Point& point, DataLayout layout);

  /// Round trips, which the first rank begins. With the derived datatype:
  void pass_derived();
  /// With MPI_Pack and MPI_Unpack; draw_packed() must have been called:
  void pass_packed();
  /// With a loop that copies block after block; draw_packed() must have been called:
  void pass_copied();
  void draw_packed(const Context& context);

 private:
  template <class Pass, class Take>
  void pass_and_return(Pass pass, Take take) {
    if (rank_ == 0) pass();
    take();
    if (rank_ != 0) pass();
  }

  MPI_Comm comm_;
  int rank_;
  MessageShape message_;
  LaidOutData data_;
  Buffer send_;
  Buffer receive_;
  Buffer packed_;
  int packed_bytes_ = 0;  ///< capacity
};

}  // namespace hockney::benchmarks

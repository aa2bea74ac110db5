#pragma once

#include <mpi.h>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "benchmarks/harness/catalogue.hpp"
#include "benchmarks/harness/message.hpp"
#include "benchmarks/harness/operators.hpp"

/// The data of calls on another rank's memory: what a rank gives, what its memory holds at first,
/// and what both hold after so many calls. Each kind has
/// - `calls`: the options of a Descriptor that concern calls on such data;
/// - refill(seed, memory): lays out new data, in this rank's buffers and its exposed memory;
/// - verify(seed, memory, times): whether both hold what they must after so many calls of either
///   rank on each slot of the other's memory;
/// - where there are any, advance(), after each call on every slot, and obstacle(point).
namespace hockney::benchmarks {

/// A rank's part in calls between two ranks.
struct Part {
  int own = 0;
  int other = 0;
  bool gives = false;  ///< makes calls on the other's memory
  bool takes = false;  ///< the other makes calls on this rank's memory
};

/// Exposed memory in equal slots, one for each call that can be under way at once.
class Slots {
 public:
  Slots(const Point& point, std::size_t count);

  [[nodiscard]] std::size_t count() const { return count_; }
  [[nodiscard]] std::size_t bytes() const { return count_ * stride_; }
  /// Where a slot begins [B].
  [[nodiscard]] std::size_t begin_of(std::size_t slot) const { return slot * stride_; }
  [[nodiscard]] std::span<std::byte> in(std::span<std::byte> memory, std::size_t slot) const {
    return memory.subspan(begin_of(slot), extent_);
  }

 private:
  std::size_t count_;
  std::size_t extent_;
  std::size_t stride_;
};

/// What all kinds of data have: a buffer to give from, and one for each slot to receive into, if
/// anything is received.
class RemoteData {
 public:
  [[nodiscard]] void* source() const { return source_.data(); }
  [[nodiscard]] void* result(std::size_t slot) const { return results_[slot].data(); }
  [[nodiscard]] int count() const { return message_.count; }  ///< [elements]
  [[nodiscard]] MPI_Datatype type() const { return message_.type->handle; }

 protected:
  /// `sources` messages to give, and a result for each slot or none.
  RemoteData(const Context& context, const Point& point, const Part& part, const Slots& slots,
             std::size_t sources, bool has_results);

  Part part_;
  Slots slots_;
  MessageShape message_;
  Buffer source_;
  std::vector<Buffer> results_;
};

/// The giver's message replaces what is in the memory.
class PutData : public RemoteData {
 public:
  static constexpr Descriptor calls{.changes_target = true};

  PutData(const Context& context, const Point& point, const Part& part, const Slots& slots)
      : RemoteData(context, point, part, slots, 1, false) {}

  void refill(std::uint64_t seed, std::span<std::byte> memory);
  [[nodiscard]] bool verify(std::uint64_t seed, std::span<std::byte> memory,
                            std::uint64_t times) const;
};

/// What is in the memory comes to the rank that asks for it.
class GetData : public RemoteData {
 public:
  static constexpr Descriptor calls{};

  GetData(const Context& context, const Point& point, const Part& part, const Slots& slots)
      : RemoteData(context, point, part, slots, 0, true) {}

  void refill(std::uint64_t seed, std::span<std::byte> memory);
  [[nodiscard]] bool verify(std::uint64_t seed, std::span<std::byte> memory,
                            std::uint64_t times) const;
};

/// The giver's message is combined with what is in the memory, by the point's operator.
class AccumulateData : public RemoteData {
 public:
  static constexpr Descriptor calls{.reduces = true, .changes_target = true, .accumulates = true};
  static std::optional<std::string> obstacle(const Point& point);

  AccumulateData(const Context& context, const Point& point, const Part& part, const Slots& slots)
      : AccumulateData(context, point, part, slots, false) {}

  [[nodiscard]] MPI_Op op() const { return op_.handle; }

  void refill(std::uint64_t seed, std::span<std::byte> memory);
  [[nodiscard]] bool verify(std::uint64_t seed, std::span<std::byte> memory,
                            std::uint64_t times) const;

 protected:
  AccumulateData(const Context& context, const Point& point, const Part& part, const Slots& slots,
                 bool fetches);

 private:
  const Operator& op_;
};

/// The same, and what was in the memory before comes back.
class FetchData : public AccumulateData {
 public:
  FetchData(const Context& context, const Point& point, const Part& part, const Slots& slots)
      : AccumulateData(context, point, part, slots, true) {}
};

/// The same of one element.
class FetchElementData : public FetchData {
 public:
  static constexpr Descriptor calls{.reduces = true,
                                    .changes_target = true,
                                    .accumulates = true,
                                    .one_element = true,
                                    .usual_datatype = "int64"};
  static std::optional<std::string> obstacle(const Point& point);
  using FetchData::FetchData;
};

/// One element is replaced by the other one of two, if it is still the one it was, and what was
/// there comes back.
class SwapData : public RemoteData {
 public:
  static constexpr Descriptor calls{
      .changes_target = true, .accumulates = true, .one_element = true, .usual_datatype = "int64"};
  static std::optional<std::string> obstacle(const Point& point);

  SwapData(const Context& context, const Point& point, const Part& part, const Slots& slots)
      : RemoteData(context, point, part, slots, 2, true) {}

  /// Not const: SMPI's function takes none.
  [[nodiscard]] void* expected() const { return value(turn_); }
  [[nodiscard]] const void* replacement() const { return value(1 - turn_); }
  void advance() { turn_ = 1 - turn_; }

  void refill(std::uint64_t seed, std::span<std::byte> memory);
  [[nodiscard]] bool verify(std::uint64_t seed, std::span<std::byte> memory,
                            std::uint64_t times) const;

 private:
  [[nodiscard]] std::byte* value(std::size_t which) const {
    return source_.data() + which * message_.extent();
  }
  /// What a rank's calls swap, the first or the second one.
  void fill_value(std::span<std::byte> element, std::uint64_t seed, int giver,
                  std::uint64_t which) const;

  std::size_t turn_ = 0;
};

/// Why a point that must be of one element is not; nullopt when it is.
std::optional<std::string> element_obstacle(const Point& point);

}  // namespace hockney::benchmarks

#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "benchmarks/harness/catalogue.hpp"
#include "benchmarks/harness/datatypes.hpp"
#include "benchmarks/harness/payload.hpp"

namespace hockney::benchmarks {

/// The data of accumulating calls: contribution, first and last content of the memory, for each
/// element. Nothing rounds or overflows up to `most_accumulated` calls, and each call changes the
/// result, so that any different bit is an error. Truth values are compared as true or false only,
/// since "or" and similar operators define no more.
class Accumulated {
 public:
  /// The calls of one rank on the memory of another. std::logic_error if the operator is not
  /// defined for the datatype.
  Accumulated(const Datatype& type, const Operator& op, std::uint64_t seed, int giver);

  /// The contribution of each call.
  void fill_contribution(std::span<std::byte> data) const;
  /// The memory's content after `calls` calls.
  void fill_result(std::span<std::byte> data, std::uint64_t calls) const;
  /// Whether every significant byte is that of the memory after `calls` calls.
  [[nodiscard]] bool holds_result(std::span<const std::byte> data, std::uint64_t calls) const;

 private:
  template <class T>
  [[nodiscard]] T result(std::size_t element, std::uint64_t calls) const;

  const Datatype* type_;
  Combine combine_;
  std::uint64_t seed_;
};

/// Most calls for which sums of MPI_FLOAT are exact.
inline constexpr std::uint64_t most_accumulated = (std::uint64_t{1} << 24) / 7;

}  // namespace hockney::benchmarks

/// The data of one-sided calls. Links are the calls between ranks. A rule defines the data of one
/// kind of call. It is a struct, constructed from a point, with
/// - `calls`: the options of a Descriptor for calls on such data;
/// - `sources`: the number of messages that a rank sends; `fetches`: whether calls return data;
/// - give(data, side, which): writes one of these messages;
/// - lay(slot, side): writes the first content of a slot;
/// - is_left(slot, side, times), if calls change the memory: whether the slot has the right content
///   after `times` calls on each slot;
/// - prepare(result, side) and is_fetched(result, side, times), if calls return data: the same for
///   the result buffer;
/// - optionally obstacle(point).
namespace hockney::benchmarks {

/// One call of a run: the target rank, its slot, and this rank's slot for the result.
struct RemoteSlot {
  int rank = 0;
  std::size_t there = 0;
  std::size_t here = 0;
};

/// One rank's calls. Each rank has as many slots as the rank that needs most, so that all are
/// alike.
struct Links {
  int own = 0;
  int slots = 0;                  ///< slots of the memory and of the results
  std::vector<RemoteSlot> calls;  ///< this rank's, each with the slot of its result
  std::vector<int> origins;       ///< the rank whose call each of this rank's first slots is for
  bool gives = true;              ///< false: this rank makes no calls
  bool takes = true;              ///< false: the origins make no calls

  /// The targets of this rank's calls, and the origins of calls on it, each once.
  [[nodiscard]] std::vector<int> targets() const;
  [[nodiscard]] std::vector<int> sources() const;
};

/// Which of two ranks makes calls.
struct Parts {
  bool gives = false;  ///< this rank calls on the other's memory
  bool takes = false;  ///< the other calls on this rank's memory
};

/// Calls between two ranks, one on each slot of the other's memory.
Links pair_links(int own, int other, int slots, const Parts& parts);

/// The first rank's calls, one on every other rank.
struct OneToAll {
  static Links links(int rank, int ranks);
  /// Number of messages of one run that count.
  static std::int64_t messages(int ranks) { return ranks - 1; }
};

/// Every rank's calls, one on every other rank, from the next one on.
struct AllToAll {
  static Links links(int rank, int ranks);
  /// For one rank.
  static std::int64_t messages(int ranks) { return ranks - 1; }
};

/// Every rank's calls, one on each neighbour in a ring; with two ranks, both on the same one.
struct BothNeighbours {
  static Links links(int rank, int ranks);
  /// For one rank: its own two and its neighbours' two.
  static std::int64_t messages(int) { return 4; }
};

/// Exposed memory in equal slots, one for each call that can be in progress at once.
class Slots {
 public:
  Slots(const Point& point, std::size_t count);

  [[nodiscard]] std::size_t count() const { return count_; }
  [[nodiscard]] std::size_t bytes() const { return count_ * stride_; }
  /// Offset of a slot [B].
  [[nodiscard]] std::size_t begin_of(std::size_t slot) const { return slot * stride_; }
  [[nodiscard]] std::span<std::byte> in(std::span<std::byte> memory, std::size_t slot) const {
    return memory.subspan(begin_of(slot), extent_);
  }

 private:
  std::size_t count_;
  std::size_t extent_;
  std::size_t stride_;
};

/// Arguments of a rule.
struct Side {
  std::uint64_t seed;
  int own;    ///< this rank
  int other;  ///< rank that calls on the slot, or `no_rank`; rank whose memory the result is from
};

/// Buffers of calls under any rule: one to send from, and one for each slot to receive into if
/// calls return data.
class RemoteData {
 public:
  [[nodiscard]] void* source() const { return source_.data(); }
  /// One of several. Not const: SMPI's functions take no const pointers.
  [[nodiscard]] void* source(std::size_t which) const {
    return source_.data() + which * message_.extent();
  }
  [[nodiscard]] void* result(std::size_t slot) const { return results_[slot].data(); }
  [[nodiscard]] int count() const { return message_.count; }  ///< [elements]
  [[nodiscard]] MPI_Datatype type() const { return message_.type->handle; }

 protected:
  /// Buffers for `sources` messages, and a result for each slot or none.
  RemoteData(const Context& context, const Point& point, const Slots& slots, std::size_t sources,
             bool has_results);

  Slots slots_;
  MessageShape message_;
  Buffer source_;
  std::vector<Buffer> results_;
};

/// The same with a rule that checks the data.
template <class Rule>
class RuledData : public RemoteData {
 public:
  static constexpr Descriptor calls = Rule::calls;
  static std::optional<std::string> obstacle(const Point& point) {
    if constexpr (requires { Rule::obstacle(point); }) return Rule::obstacle(point);
    return std::nullopt;
  }

  RuledData(const Context& context, const Point& point, Links links, const Slots& slots)
      : RemoteData(context, point, slots, Rule::sources, Rule::fetches),
        links_(std::move(links)),
        rule_(point) {}

  [[nodiscard]] const Rule& rule() const { return rule_; }
  /// The index of the message for the next call, if there are two.
  [[nodiscard]] std::size_t turn() const { return turn_; }
  /// Call it after each call on every slot.
  void advance() requires(Rule::sources == 2) { turn_ = 1 - turn_; }

  /// Writes new data into this rank's buffers and its exposed memory.
  void refill(std::uint64_t seed, std::span<std::byte> memory) {
    turn_ = 0;
    if constexpr (Rule::sources > 0) {
      const std::size_t bytes = message_.extent();
      for (std::size_t which = 0; which < Rule::sources; ++which) {
        rule_.give(source_.bytes().subspan(which * bytes, bytes), side(seed, links_.own), which);
      }
    }
    for (std::size_t slot = 0; slot < slots_.count(); ++slot) {
      const bool is_used = slot < links_.origins.size();
      rule_.lay(slots_.in(memory, slot), side(seed, is_used ? links_.origins[slot] : no_rank));
    }
    if constexpr (Rule::fetches) {
      for (const RemoteSlot& call : links_.calls) {
        rule_.prepare(results_[call.here].to_poison(), side(seed, call.rank));
      }
    }
  }

  /// Whether memory and results have the right content after `times` calls of each rank on each
  /// slot.
  [[nodiscard]] bool verify(std::uint64_t seed, std::span<std::byte> memory,
                            std::uint64_t times) const {
    if (Rule::calls.accumulates && times == 0) return false;
    return is_memory_right(seed, memory, times) && are_results_right(seed, times);
  }

 private:
  [[nodiscard]] Side side(std::uint64_t seed, int other) const {
    return {.seed = seed, .own = links_.own, .other = other};
  }

  [[nodiscard]] bool is_memory_right(std::uint64_t seed, std::span<std::byte> memory,
                                     std::uint64_t times) const {
    if constexpr (Rule::calls.changes_target) {
      for (std::size_t slot = 0; links_.takes && slot < links_.origins.size(); ++slot) {
        const Side from = side(seed, links_.origins[slot]);
        if (!rule_.is_left(slots_.in(memory, slot), from, times)) return false;
      }
    }
    return true;
  }

  [[nodiscard]] bool are_results_right(std::uint64_t seed, std::uint64_t times) const {
    if constexpr (Rule::fetches) {
      for (std::size_t i = 0; links_.gives && i < links_.calls.size(); ++i) {
        const RemoteSlot& call = links_.calls[i];
        if (!rule_.is_fetched(results_[call.here].bytes(), side(seed, call.rank), times)) {
          return false;
        }
      }
    }
    return true;
  }

  Links links_;
  Rule rule_;
  std::size_t turn_ = 0;
};

/// The sent message replaces the memory's content.
struct PutRule {
  static constexpr Descriptor calls{.changes_target = true};
  static constexpr std::size_t sources = 1;
  static constexpr bool fetches = false;

  explicit PutRule(const Point& point) : pattern{&datatype_of(point)} {}
  void give(std::span<std::byte> data, const Side& side, std::size_t) const {
    pattern.fill(data, side.seed, side.own);
  }
  void lay(std::span<std::byte> slot, const Side& side) const {
    if (side.other != no_rank) pattern.poison(slot, side.seed, side.other);
  }
  [[nodiscard]] bool is_left(std::span<const std::byte> slot, const Side& side,
                             std::uint64_t) const {
    return pattern.holds(slot, side.seed, side.other);
  }

  Pattern pattern;
};

/// The memory's content, the same in all slots of a rank, is copied to the calling rank.
struct GetRule {
  static constexpr Descriptor calls{};
  static constexpr std::size_t sources = 0;
  static constexpr bool fetches = true;

  explicit GetRule(const Point& point) : pattern{&datatype_of(point)} {}
  void lay(std::span<std::byte> slot, const Side& side) const {
    pattern.fill(slot, side.seed, side.own);
  }
  void prepare(std::span<std::byte> result, const Side& side) const {
    pattern.poison(result, side.seed, side.other);
  }
  [[nodiscard]] bool is_fetched(std::span<const std::byte> result, const Side& side,
                                std::uint64_t) const {
    return pattern.holds(result, side.seed, side.other);
  }

  Pattern pattern;
};

/// The sent message is combined with the memory's content by the point's operator.
struct AccumulateRule {
  static constexpr Descriptor calls{.reduces = true, .changes_target = true, .accumulates = true};
  static constexpr std::size_t sources = 1;
  static constexpr bool fetches = false;
  static std::optional<std::string> obstacle(const Point& point);

  explicit AccumulateRule(const Point& point);
  void give(std::span<std::byte> data, const Side& side, std::size_t which) const;
  void lay(std::span<std::byte> slot, const Side& side) const;
  [[nodiscard]] bool is_left(std::span<const std::byte> slot, const Side& side,
                             std::uint64_t times) const;

  const Datatype* type;
  const Operator* op;
};

/// The same, and the memory's previous content is returned.
struct FetchRule : AccumulateRule {
  static constexpr bool fetches = true;

  using AccumulateRule::AccumulateRule;
  void prepare(std::span<std::byte> result, const Side& side) const;
  [[nodiscard]] bool is_fetched(std::span<const std::byte> result, const Side& side,
                                std::uint64_t times) const;
};

/// The same for one element.
struct FetchElementRule : FetchRule {
  static constexpr Descriptor calls{.reduces = true,
                                    .changes_target = true,
                                    .accumulates = true,
                                    .one_element = true,
                                    .usual_datatype = "int64"};
  static std::optional<std::string> obstacle(const Point& point);
  using FetchRule::FetchRule;
};

/// One element is replaced by the other of two values if it has the expected one. The previous
/// value is returned.
struct SwapRule {
  static constexpr Descriptor calls{
      .changes_target = true, .accumulates = true, .one_element = true, .usual_datatype = "int64"};
  static constexpr std::size_t sources = 2;
  static constexpr bool fetches = true;
  static std::optional<std::string> obstacle(const Point& point);

  explicit SwapRule(const Point& point) : pattern{&datatype_of(point)} {}
  void give(std::span<std::byte> data, const Side& side, std::size_t which) const;
  void lay(std::span<std::byte> slot, const Side& side) const;
  [[nodiscard]] bool is_left(std::span<const std::byte> slot, const Side& side,
                             std::uint64_t times) const;
  void prepare(std::span<std::byte> result, const Side& side) const;
  [[nodiscard]] bool is_fetched(std::span<const std::byte> result, const Side& side,
                                std::uint64_t times) const;

  Pattern pattern;
};

using PutData = RuledData<PutRule>;
using GetData = RuledData<GetRule>;
using AccumulateData = RuledData<AccumulateRule>;
using FetchData = RuledData<FetchRule>;
using FetchElementData = RuledData<FetchElementRule>;
using SwapData = RuledData<SwapRule>;

}  // namespace hockney::benchmarks

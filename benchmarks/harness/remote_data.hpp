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

/// What calls that accumulate give, find and leave, element by element, so chosen that nothing
/// rounds or overflows up to `most_accumulated` calls, and that one call's every bit is in what it
/// leaves: any one bit that differs is an error. Of truth values only the truth counts, since "or"
/// and its like tell no more.
class Accumulated {
 public:
  /// The calls of one rank on the memory of another one; std::logic_error when the operator is not
  /// defined for the datatype.
  Accumulated(const Datatype& type, const Operator& op, std::uint64_t seed, int giver);

  /// What the giver gives in each call.
  void fill_contribution(std::span<std::byte> data) const;
  /// What the memory holds after so many calls.
  void fill_result(std::span<std::byte> data, std::uint64_t calls) const;
  /// Whether every significant byte is that of the memory after so many calls.
  [[nodiscard]] bool holds_result(std::span<const std::byte> data, std::uint64_t calls) const;

 private:
  template <class T>
  [[nodiscard]] T result(std::size_t element, std::uint64_t calls) const;

  const Datatype* type_;
  Combine combine_;
  std::uint64_t seed_;
};

/// Calls after which sums of MPI_FLOAT are exact.
inline constexpr std::uint64_t most_accumulated = (std::uint64_t{1} << 24) / 7;

}  // namespace hockney::benchmarks

/// The data of calls on other ranks' memory. Links say who makes calls on whose memory; a rule says
/// what one kind of call gives, finds and leaves. A rule is a struct, made from a point, with
/// - `calls`: the options of a Descriptor that concern calls on such data;
/// - `sources`: how many messages a rank gives; `fetches`: whether something comes back;
/// - give(data, side, which): writes one of these messages;
/// - lay(slot, side): writes what a slot of the memory holds at first;
/// - where memory is changed, is_left(slot, side, times): whether it is there that must be after so
///   many calls on each slot;
/// - where something comes back, prepare(result, side) and is_fetched(result, side, times): the
///   same of the memory that it comes into;
/// - where there is one, obstacle(point).
namespace hockney::benchmarks {

/// One call of a run: on which slot of whose memory, and which of this rank's slots it is about.
struct RemoteSlot {
  int rank = 0;
  std::size_t there = 0;
  std::size_t here = 0;
};

/// One rank's part. Each rank has as many slots as the one with most needs, so that they are alike.
struct Links {
  int own = 0;
  int slots = 0;                  ///< of memory, and of what is brought back
  std::vector<RemoteSlot> calls;  ///< this rank's, each with the slot of what it brings back
  std::vector<int> origins;       ///< whose call each of this rank's first slots is for
  bool gives = true;              ///< false: it makes none of its calls
  bool takes = true;              ///< false: the origins make none of theirs

  /// Those whom calls are made on, and those who make them, each once.
  [[nodiscard]] std::vector<int> targets() const;
  [[nodiscard]] std::vector<int> sources() const;
};

/// Which of two ranks makes calls.
struct Parts {
  bool gives = false;  ///< this rank, on the other's memory
  bool takes = false;  ///< the other, on this rank's memory
};

/// Calls between two ranks, one on each slot of the other's memory.
Links pair_links(int own, int other, int slots, const Parts& parts);

/// The first rank's calls, one on every other rank.
struct OneToAll {
  static Links links(int rank, int ranks);
  /// Messages of one run that count.
  static std::int64_t messages(int ranks) { return ranks - 1; }
};

/// Every rank's calls, one on every other rank, from the next one on.
struct AllToAll {
  static Links links(int rank, int ranks);
  /// Of one rank.
  static std::int64_t messages(int ranks) { return ranks - 1; }
};

/// Every rank's calls, one on each neighbour in a ring: with two ranks, twice on the same one.
struct BothNeighbours {
  static Links links(int rank, int ranks);
  /// Of one rank, its own two and its neighbours' two.
  static std::int64_t messages(int) { return 4; }
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

/// What a rule is asked about.
struct Side {
  std::uint64_t seed;
  int own;    ///< this rank
  int other;  ///< who makes calls on the slot, or nobody; whose memory the result comes from
};

/// What calls take, whatever their rule: a buffer to give from, and one for each slot to receive
/// into, if anything comes back.
class RemoteData {
 public:
  [[nodiscard]] void* source() const { return source_.data(); }
  /// One of several. Not const: SMPI's functions take no const ones.
  [[nodiscard]] void* source(std::size_t which) const {
    return source_.data() + which * message_.extent();
  }
  [[nodiscard]] void* result(std::size_t slot) const { return results_[slot].data(); }
  [[nodiscard]] int count() const { return message_.count; }  ///< [elements]
  [[nodiscard]] MPI_Datatype type() const { return message_.type->handle; }

 protected:
  /// `sources` messages to give, and a result for each slot or none.
  RemoteData(const Context& context, const Point& point, const Slots& slots, std::size_t sources,
             bool has_results);

  Slots slots_;
  MessageShape message_;
  Buffer source_;
  std::vector<Buffer> results_;
};

/// The same by a rule, which is checked.
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
  /// Of two sources, the one whose turn it is.
  [[nodiscard]] std::size_t turn() const { return turn_; }
  /// After each call on every slot.
  void advance() requires(Rule::sources == 2) { turn_ = 1 - turn_; }

  /// Lays out new data, in this rank's buffers and its exposed memory.
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
      rule_.lay(slots_.in(memory, slot), side(seed, is_used ? links_.origins[slot] : nobody));
    }
    if constexpr (Rule::fetches) {
      for (const RemoteSlot& call : links_.calls) {
        rule_.prepare(results_[call.here].to_spoil(), side(seed, call.rank));
      }
    }
  }

  /// Whether both hold what they must after so many calls of each rank on each of its slots.
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

/// The giver's message replaces what is in the memory.
struct PutRule {
  static constexpr Descriptor calls{.changes_target = true};
  static constexpr std::size_t sources = 1;
  static constexpr bool fetches = false;

  explicit PutRule(const Point& point) : pattern{&datatype_of(point)} {}
  void give(std::span<std::byte> data, const Side& side, std::size_t) const {
    pattern.fill(data, side.seed, side.own);
  }
  void lay(std::span<std::byte> slot, const Side& side) const {
    if (side.other != nobody) pattern.spoil(slot, side.seed, side.other);
  }
  [[nodiscard]] bool is_left(std::span<const std::byte> slot, const Side& side,
                             std::uint64_t) const {
    return pattern.holds(slot, side.seed, side.other);
  }

  Pattern pattern;
};

/// What is in the memory, the same in all slots of a rank, comes to the rank that asks for it.
struct GetRule {
  static constexpr Descriptor calls{};
  static constexpr std::size_t sources = 0;
  static constexpr bool fetches = true;

  explicit GetRule(const Point& point) : pattern{&datatype_of(point)} {}
  void lay(std::span<std::byte> slot, const Side& side) const {
    pattern.fill(slot, side.seed, side.own);
  }
  void prepare(std::span<std::byte> result, const Side& side) const {
    pattern.spoil(result, side.seed, side.other);
  }
  [[nodiscard]] bool is_fetched(std::span<const std::byte> result, const Side& side,
                                std::uint64_t) const {
    return pattern.holds(result, side.seed, side.other);
  }

  Pattern pattern;
};

/// The giver's message is combined with what is in the memory, by the point's operator.
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

/// The same, and what was in the memory before comes back.
struct FetchRule : AccumulateRule {
  static constexpr bool fetches = true;

  using AccumulateRule::AccumulateRule;
  void prepare(std::span<std::byte> result, const Side& side) const;
  [[nodiscard]] bool is_fetched(std::span<const std::byte> result, const Side& side,
                                std::uint64_t times) const;
};

/// The same of one element.
struct FetchElementRule : FetchRule {
  static constexpr Descriptor calls{.reduces = true,
                                    .changes_target = true,
                                    .accumulates = true,
                                    .one_element = true,
                                    .usual_datatype = "int64"};
  static std::optional<std::string> obstacle(const Point& point);
  using FetchRule::FetchRule;
};

/// One element is replaced by the other one of two, if it is still the one it was, and what was
/// there comes back.
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

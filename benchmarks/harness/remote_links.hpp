#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "benchmarks/harness/remote_calls.hpp"
#include "benchmarks/harness/remote_data.hpp"

/// Calls of many ranks on each other's memory in one run: who makes them on whose, and their data.
namespace hockney::benchmarks {

/// One rank's part. Each rank has as many slots as the one with most needs, so that they are alike.
struct Links {
  int own = 0;
  int slots = 0;                  ///< of memory, and of what is brought back
  std::vector<RemoteSlot> calls;  ///< this rank's, each with the slot of what it brings back
  std::vector<int> origins;       ///< whose call each of this rank's first slots is for

  /// Those whom calls are made on, and those who make them, each once.
  [[nodiscard]] std::vector<int> targets() const;
  [[nodiscard]] std::vector<int> sources() const;
};

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

/// The callers' messages replace what is in their slots.
class LinkedPutData : public RemoteData {
 public:
  static constexpr Descriptor calls = PutData::calls;

  LinkedPutData(const Context& context, const Point& point, const Links& links, const Slots& slots)
      : RemoteData(context, point, {.own = links.own}, slots, 1, false), links_(links) {}

  void refill(std::uint64_t seed, std::span<std::byte> memory);
  [[nodiscard]] bool verify(std::uint64_t seed, std::span<std::byte> memory,
                            std::uint64_t times) const;

 private:
  Links links_;
};

/// What is in the memory of those that are called, the same in all of its slots, comes back.
class LinkedGetData : public RemoteData {
 public:
  static constexpr Descriptor calls = GetData::calls;

  LinkedGetData(const Context& context, const Point& point, const Links& links, const Slots& slots)
      : RemoteData(context, point, {.own = links.own}, slots, 0, true), links_(links) {}

  void refill(std::uint64_t seed, std::span<std::byte> memory);
  [[nodiscard]] bool verify(std::uint64_t seed, std::span<std::byte> memory,
                            std::uint64_t times) const;

 private:
  Links links_;
};

}  // namespace hockney::benchmarks

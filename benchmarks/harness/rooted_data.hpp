#pragma once

#include <mpi.h>
#include <string>

#include "benchmarks/harness/catalogue.hpp"
#include "benchmarks/harness/exchanged_data.hpp"

namespace hockney::benchmarks {

/// The root of an operation's calls.
struct Root {
  enum class Choice { first, rotating, number };
  Choice choice = Choice::first;
  int rank = 0;  ///< of the first call

  friend bool operator==(const Root&, const Root&) = default;
};

/// "first", "rotating" or the rank's number.
std::string parameter_text(const Root& root);
inline constexpr Parameter<Root> root_parameter{"root"};

/// InputError when `name` is none of these.
Root parse_root(const std::string& name);

/// The rank that is the root of the first call.
inline int root_of(const Point& point) { return point.parameters[root_parameter].rank; }

/// Whether every call has the next rank as its root.
inline bool root_rotates(const Point& point) {
  return point.parameters[root_parameter].choice == Root::Choice::rotating;
}

/// The roots of one rank's calls, one after the other, which are the same on every rank.
class Roots {
 public:
  Roots(const Context& context, const Point& point)
      : rank_(context.rank),
        size_(context.size),
        step_(root_rotates(point) ? 1 : 0),
        coming_(root_of(point)),
        last_(coming_) {}

  /// The root of the next call; goes on to the one after it.
  int next() {
    last_ = coming_;
    coming_ += step_;
    if (coming_ == size_) coming_ = 0;
    return last_;
  }
  /// Whether this rank is the root of the next call, was that of the last one, is ever one.
  [[nodiscard]] bool is_next() const { return coming_ == rank_; }
  [[nodiscard]] bool was_last() const { return last_ == rank_; }
  [[nodiscard]] bool may_be() const { return step_ != 0 || coming_ == rank_; }

 private:
  int rank_;
  int size_;
  int step_;
  int coming_;
  int last_;
};

/// The buffers of a gather: every rank sends its block, and the root receives all of them. In place
/// the root's own block is in its place from the start.
class GatherData : public AllgatherData {
 public:
  static constexpr Descriptor calls{.blocks = true, .rooted = true, .in_place = InPlace::kept};
  /// All blocks, of which the root receives all but its own.
  static Volume volume(const Point& point);

  GatherData(const Context& context, const Point& point)
      : AllgatherData(context, point), roots_(context, point) {}

  /// The root of the next call, which is then over.
  int next_root() { return roots_.next(); }
  [[nodiscard]] const void* send(int root) const {
    return in_place_ && root == rank_ ? MPI_IN_PLACE : send_.data();
  }

  void refill(std::uint64_t seed);
  [[nodiscard]] bool verify(std::uint64_t seed) const {
    return !roots_.was_last() || AllgatherData::verify(seed);
  }

 private:
  Roots roots_;
};

/// The buffers of a scatter: the root sends every rank its block, which is the same whoever is the
/// root. In place the root's own block stays where it is.
class ScatterData : public CollectiveData<> {
 public:
  static constexpr Descriptor calls = GatherData::calls;
  static Volume volume(const Point& point) { return GatherData::volume(point); }

  ScatterData(const Context& context, const Point& point);

  /// The root of the next call, which is then over.
  int next_root() { return roots_.next(); }
  [[nodiscard]] const void* send() const { return send_.data(); }
  [[nodiscard]] const int* counts() const { return send_.counts(); }
  [[nodiscard]] const int* displacements() const { return send_.displacements(); }
  [[nodiscard]] void* receive(int root) const {
    return in_place_ && root == rank_ ? MPI_IN_PLACE : receive_.data();
  }

  void refill(std::uint64_t seed);
  [[nodiscard]] bool verify(std::uint64_t seed) const {
    return (in_place_ && roots_.was_last()) || receive_.holds(seed);
  }

 private:
  Roots roots_;
};

/// The buffer of a broadcast. All roots send the same message: after the first call everybody has
/// it.
class BcastData {
 public:
  static constexpr Descriptor calls{.rooted = true};
  /// The message once.
  static Volume volume(const Point& point) {
    return message_volume(point, point.ranks > 1 ? 1 : 0);
  }

  BcastData(const Context& context, const Point& point)
      : roots_(context, point),
        message_(context, *message_of(point).type, one_block(message_of(point).count, sender)) {}

  /// The root of the next call, which is then over.
  int next_root() { return roots_.next(); }
  [[nodiscard]] void* message() const { return message_.data(); }
  [[nodiscard]] int count() const { return message_.count(); }  ///< [elements]
  [[nodiscard]] MPI_Datatype type() const { return message_.type(); }

  void refill(std::uint64_t seed) { roots_.is_next() ? message_.fill(seed) : message_.spoil(seed); }
  [[nodiscard]] bool verify(std::uint64_t seed) const { return message_.holds(seed); }

 private:
  static constexpr int sender = 0;  ///< owner of the message, whoever sends it

  Roots roots_;
  Payload<> message_;
};

}  // namespace hockney::benchmarks

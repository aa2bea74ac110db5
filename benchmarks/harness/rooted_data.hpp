#pragma once

#include <mpi.h>
#include <optional>
#include <string>

#include "benchmarks/harness/block_buffer.hpp"
#include "benchmarks/harness/catalogue.hpp"
#include "benchmarks/harness/message.hpp"

namespace hockney {

/// InputError when `name` is none of "first", "rotating" and a rank's number.
void check_root(const std::string& name);

/// The rank that the point's parameter "root" names: 0 for "first", for "rotating" and without one.
int root_of(const Point& point);

/// Whether every call has the next rank as its root.
bool root_rotates(const Point& point);

/// The root of one call after the other, the same on every rank.
class Roots {
 public:
  Roots(const Context& context, const Point& point)
      : size_(context.size),
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
  [[nodiscard]] int coming() const { return coming_; }
  [[nodiscard]] int last() const { return last_; }
  /// Whether `rank` is ever a root.
  [[nodiscard]] bool may_be(int rank) const { return step_ != 0 || coming_ == rank; }

 private:
  int size_;
  int step_;
  int coming_;
  int last_;
};

/// Whether the point's parameter "in-place" is "yes".
bool is_in_place(const Point& point);

/// The buffers of a gather: every rank sends its block, and the root receives all of them. In place
/// the root's own block is in its place from the start.
class GatherData {
 public:
  GatherData(const Context& context, const Point& point);

  /// The root of the next call, which is then over.
  int next_root() { return roots_.next(); }
  [[nodiscard]] const void* send(int root) const {
    return in_place_ && root == rank_ ? MPI_IN_PLACE : send_.data();
  }
  [[nodiscard]] int send_count() const { return send_.count(); }
  [[nodiscard]] void* receive() const { return receive_.data(); }
  [[nodiscard]] const int* counts() const { return receive_.counts(); }
  [[nodiscard]] const int* displacements() const { return receive_.displacements(); }
  [[nodiscard]] MPI_Datatype type() const { return type_; }

  void refill(std::uint64_t seed);
  [[nodiscard]] bool verify(std::uint64_t seed) const;

 private:
  Roots roots_;
  int rank_;
  bool in_place_;
  MPI_Datatype type_;
  BlockBuffer send_;
  BlockBuffer receive_;
};

/// The buffers of a scatter: the root sends every rank its block, which is the same whoever is the
/// root. In place the root's own block stays where it is.
class ScatterData {
 public:
  ScatterData(const Context& context, const Point& point);

  /// The root of the next call, which is then over.
  int next_root() { return roots_.next(); }
  [[nodiscard]] const void* send() const { return send_.data(); }
  [[nodiscard]] const int* counts() const { return send_.counts(); }
  [[nodiscard]] const int* displacements() const { return send_.displacements(); }
  [[nodiscard]] void* receive(int root) const {
    return in_place_ && root == rank_ ? MPI_IN_PLACE : receive_.data();
  }
  [[nodiscard]] int receive_count() const { return receive_.count(); }
  [[nodiscard]] MPI_Datatype type() const { return type_; }

  void refill(std::uint64_t seed);
  [[nodiscard]] bool verify(std::uint64_t seed) const;

 private:
  Roots roots_;
  int rank_;
  bool in_place_;
  MPI_Datatype type_;
  BlockBuffer send_;
  BlockBuffer receive_;
};

/// The buffer of a broadcast. All roots send the same message: after the first call everybody has
/// it.
class BcastData {
 public:
  BcastData(const Context& context, const Point& point)
      : rank_(context.rank),
        roots_(context, point),
        message_(message_of(point)),
        data_(context.buffers.draw({message_.extent()}).front()) {}

  /// The root of the next call, which is then over.
  int next_root() { return roots_.next(); }
  [[nodiscard]] void* message() const { return data_.data(); }
  [[nodiscard]] int count() const { return message_.count; }  ///< [elements]
  [[nodiscard]] MPI_Datatype type() const { return message_.type->handle; }

  void refill(std::uint64_t seed);
  [[nodiscard]] bool verify(std::uint64_t seed) const;

 private:
  int rank_;
  Roots roots_;
  MessageShape message_;
  Buffer data_;
};

}  // namespace hockney

#pragma once

#include <mpi.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "benchmarks/harness/catalogue.hpp"
#include "benchmarks/harness/fixed_text.hpp"
#include "benchmarks/harness/handle.hpp"

/// What it costs to make a communicator, and to free it. A way of making one is a struct with
/// - `words`: what it says of itself;
/// - a constructor from a Context, which makes all that the call needs;
/// - `make(comm)`: the call, and its return code;
/// - `is_right(comm)`: whether what was made has the ranks and the topology that were asked for;
/// - `obstacle(point)`, if there is one, as that of operations.
namespace hockney::benchmarks {

/// What a way of making communicators says of itself.
struct CommWords {
  std::string_view name;
  std::string_view function;  ///< of MPI, and what it makes
};

/// Whether the ranks of `made` are these of `parent`, in this order, and it is another communicator
/// than `parent`. Local.
bool has_ranks(MPI_Comm made, MPI_Comm parent, const std::vector<int>& ranks);

/// 0 .. size-1.
std::vector<int> ranks_in_order(int size);

/// Whether the ranks of `made` can communicate: the sum of their numbers is right. Collective over
/// `made`.
bool adds_up(MPI_Comm made);

namespace created {

constexpr Descriptor describe(const FixedText& name, const FixedText& summary) {
  return {.name = name.view(),
          .summary = summary.view(),
          .counts = "nothing, it carries no data",
          .shape = GroupShape::everybody,
          .timing = Timing::last_rank,
          .single = true,
          .sized = false,
          .sizes = "nothing: there is one size, 0",
          .needs_ready = true};
}

/// Of calls in a row each would find the communicators of those before it.
template <class Way>
std::optional<std::string> obstacle(const Point& point) {
  if (point.parameters[cadence_parameter] == Cadence::streaming) {
    return "communicators are made and freed one by one";
  }
  if constexpr (requires { Way::obstacle(point); }) return Way::obstacle(point);
  return std::nullopt;
}

}  // namespace created

/// Making a communicator. It is freed before the next one is made, untimed.
template <class Way>
class CommCreation {
  static constexpr FixedText name{Way::words.name};
  static constexpr FixedText summary{Way::words.function,
                                     ", until the last rank has it; freed untimed"};

 public:
  static constexpr Descriptor descriptor = created::describe(name, summary);
  static Volume volume(const Point&) { return {.operations = 1}; }
  static std::optional<std::string> obstacle(const Point& point) {
    return created::obstacle<Way>(point);
  }

  CommCreation(const Context& context, const Point&) : way_(context) {}

  void run() { result_ = way_.make(made_.out()); }

  void ready() { made_ = UniqueComm(); }
  void refill(std::uint64_t) {
    ready();
    result_ = MPI_ERR_PENDING;
  }
  void settle() { adds_up_ = made_ && adds_up(made_.get()); }
  [[nodiscard]] bool verify(std::uint64_t) const {
    return result_ == MPI_SUCCESS && adds_up_ && way_.is_right(made_.get());
  }

 private:
  Way way_;
  UniqueComm made_;
  int result_ = MPI_ERR_PENDING;
  bool adds_up_ = false;
};

/// Freeing a communicator that was made, untimed, just before.
template <class Way>
class CommFreeing {
  static constexpr FixedText name{Way::words.name, "-free"};
  static constexpr FixedText summary{"MPI_Comm_free of what was made, untimed, by ",
                                     Way::words.function, "; until the last rank is through"};

 public:
  static constexpr Descriptor descriptor = created::describe(name, summary);
  static Volume volume(const Point&) { return {.operations = 1}; }
  static std::optional<std::string> obstacle(const Point& point) {
    return created::obstacle<Way>(point);
  }

  CommFreeing(const Context& context, const Point&) : way_(context) {}
  CommFreeing(const CommFreeing&) = delete;
  CommFreeing& operator=(const CommFreeing&) = delete;
  CommFreeing(CommFreeing&&) = delete;
  CommFreeing& operator=(CommFreeing&&) = delete;
  ~CommFreeing() {
    if (made_ != MPI_COMM_NULL) MPI_Comm_free(&made_);
  }

  /// Where calls follow each other without ready(), as they do before anything is timed, there is
  /// nothing left to free.
  void run() {
    if (made_ == MPI_COMM_NULL && way_.make(&made_) != MPI_SUCCESS) return;
    result_ = MPI_Comm_free(&made_);
  }

  void ready() {
    if (made_ != MPI_COMM_NULL) return;
    is_good_ = way_.make(&made_) == MPI_SUCCESS && way_.is_right(made_) && is_good_;
  }
  void refill(std::uint64_t) {
    is_good_ = true;
    result_ = MPI_ERR_PENDING;
  }
  [[nodiscard]] bool verify(std::uint64_t) const {
    return is_good_ && result_ == MPI_SUCCESS && made_ == MPI_COMM_NULL;
  }

 private:
  Way way_;
  MPI_Comm made_ = MPI_COMM_NULL;
  int result_ = MPI_ERR_PENDING;
  bool is_good_ = true;
};

}  // namespace hockney::benchmarks

#pragma once

#include <mpi.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>

#include "benchmarks/harness/catalogue.hpp"
#include "benchmarks/harness/mpi_objects.hpp"
#include "benchmarks/harness/rank_work.hpp"

/// HOCKNEY_PERSISTENT(Bcast) is the function that makes a persistent request of MPI_Bcast: that of
/// MPI 4, or the extension of Open MPI 4. nullptr if the library has neither.
// NOLINTBEGIN(cppcoreguidelines-macro-usage): only a macro can put names together
#ifdef HOCKNEY_HAVE_MPIX_PERSISTENT
#include <mpi-ext.h>
#define HOCKNEY_PERSISTENT(operation) MPIX_##operation##_init
#elif defined(HOCKNEY_HAVE_PERSISTENT)
#define HOCKNEY_PERSISTENT(operation) MPI_##operation##_init
#else
#define HOCKNEY_PERSISTENT(operation) nullptr
#endif

namespace hockney::benchmarks {

/// Why an operation cannot be called at a point: the root does not exist, blocks exceed MPI's
/// counts, or data that a call overwrites cannot be restored before the next call. nullopt if it
/// can. Only for points without a size_obstacle (datatypes.hpp).
std::optional<std::string> call_obstacle(const Descriptor& descriptor, const Point& point);

/// Why a point cannot be measured with a persistent request: the MPI library has none, the root
/// changes, or the buffers move. nullopt if it can.
std::optional<std::string> persistent_obstacle(const Point& point);

/// Upper bound of messages, or one-sided calls, of one rank that are in progress at once.
double messages_under_way(const Descriptor& descriptor, const Point& point);

/// Upper bounds of the number of buffers of one rank in one place, and of their size [B].
double buffer_count(const Descriptor& descriptor, const Point& point);
double buffer_bytes(const Descriptor& descriptor, const Point& point);

/// Why floors cannot be measured between ranks of a node; nullopt if they can.
struct FloorObstacles {
  std::optional<std::string> shared_memory;
  std::optional<std::string> peer_memory;
  std::optional<std::string> work;  ///< for work of a rank alone

  /// The obstacle for this carrier; nullopt for MPI and for devices.
  [[nodiscard]] const std::optional<std::string>& of(Carrier carrier) const;
};

/// Tries both on the ranks of each node; the same result on every rank. Not possible under a
/// simulator, whose ranks can exchange data in no time. Collective.
FloorObstacles find_floor_obstacles(MPI_Comm comm);

}  // namespace hockney::benchmarks

// NOLINTEND(cppcoreguidelines-macro-usage)

/// The blocking, nonblocking and persistent forms of a collective. A collective is a struct with
/// - `Data`: its buffers, constructed from a context and a point. They have refill(seed),
///   verify(seed), `volume(point)` and `calls`, the options of a Descriptor for calls on such data.
///   Optional: ready(), obstacle(point) and keep_result(the return code of a call);
/// - `descriptor`: that of the blocking form, from describe();
/// - `arguments(data, comm)`: the arguments of the blocking function, as a tuple. The other two
///   forms take the same ones and a request.
namespace hockney::benchmarks {

/// A collective's descriptions (Descriptor), and whether its blocks may differ.
struct CollectiveWords {
  std::string_view name;
  std::string_view summary;  ///< "MPI_Xyz ..., until ..."
  std::string_view counts;
  std::string_view sizes;
  bool divides = false;
};

/// Descriptor of a collective of all ranks on such data, timed to the last rank.
template <class Data>
constexpr Descriptor describe(const CollectiveWords& words) {
  Descriptor made = Data::calls;
  made.name = words.name;
  made.summary = words.summary;
  made.counts = words.counts;
  made.sizes = words.sizes;
  made.shape = GroupShape::everybody;
  made.timing = Timing::last_rank;
  made.single = true;
  made.divides = made.divides || words.divides;
  return made;
}

/// Makes "MPI_Ixyz ..., and MPI_Wait, until ..." from "MPI_Xyz ..., until ...".
constexpr FixedText nonblocking_summary(std::string_view blocking) {
  const std::string_view function = blocking.substr(std::string_view("MPI_").size());
  const std::size_t until = function.find(", until");
  const char initial = static_cast<char>(function.front() - 'A' + 'a');
  const std::string_view rest = function.substr(1, until - 1);
  return {"MPI_I", {&initial, 1}, rest, ", and MPI_Wait", function.substr(until)};
}

constexpr FixedText persistent_summary(std::string_view blocking) {
  return {"MPI_Start and MPI_Wait of a persistent ", blocking.substr(0, blocking.find(' ')),
          ", until the last rank is through"};
}

/// The description of counted bytes, for another form.
constexpr FixedText same_counts(const Descriptor& blocking) {
  if (!blocking.sized) return {blocking.counts};
  return {"the same bytes as ", blocking.name};
}

/// The descriptor of another form: that of the blocking form with other descriptions.
constexpr Descriptor other_form(Descriptor blocking, const FixedText& name,
                                const FixedText& summary, const FixedText& counts) {
  blocking.name = name.view();
  blocking.summary = summary.view();
  blocking.counts = counts.view();
  return blocking;
}

constexpr Descriptor beside_work(Descriptor made) {
  made.overlaps = true;
  return made;
}

/// Data of a collective without data: the call's return code, its only result.
class NoData {
 public:
  static constexpr Descriptor calls{.sized = false};
  static Volume volume(const Point&) { return {.operations = 1}; }

  NoData(const Context&, const Point&) {}

  void keep_result(int result) { result_ = result; }
  void refill(std::uint64_t) { result_ = MPI_ERR_PENDING; }
  [[nodiscard]] bool verify(std::uint64_t) const { return result_ == MPI_SUCCESS; }

 private:
  int result_ = MPI_ERR_PENDING;
};

/// Common part of the forms of a collective.
template <class Collective>
class CollectiveForm {
 public:
  using Data = typename Collective::Data;

  static Volume volume(const Point& point) { return Data::volume(point); }
  static std::optional<std::string> obstacle(const Point& point) {
    if constexpr (requires { Data::obstacle(point); }) return Data::obstacle(point);
    return std::nullopt;
  }

  CollectiveForm(const Context& context, const Point& point)
      : comm_(context.comm), data_(context, point) {}

  void refill(std::uint64_t seed) { data_.refill(seed); }
  void ready() {
    if constexpr (requires { data_.ready(); }) data_.ready();
  }
  [[nodiscard]] bool verify(std::uint64_t seed) const { return data_.verify(seed); }

 protected:
  /// Calls `function` with the collective's arguments, followed by `more`.
  template <auto function, class... More>
  int call(More... more) {
    return std::apply([&](auto... arguments) { return function(arguments..., more...); },
                      Collective::arguments(data_, comm_));
  }
  /// Keeps a return code, for calls whose data do not show whether they worked.
  void keep(int result) {
    if constexpr (requires { data_.keep_result(result); }) data_.keep_result(result);
  }

 private:
  MPI_Comm comm_;
  Data data_;
};

/// One call of `function`, for a collective that needs no descriptor.
template <class Collective, auto function>
class CollectiveCall : public CollectiveForm<Collective> {
 public:
  using CollectiveForm<Collective>::CollectiveForm;

  void run() { this->keep(this->template call<function>()); }
};

/// The blocking form: one call of `function`.
template <class Collective, auto function>
class Blocking : public CollectiveCall<Collective, function> {
 public:
  static constexpr Descriptor descriptor = Collective::descriptor;
  using CollectiveCall<Collective, function>::CollectiveCall;
};

/// The nonblocking form: a call of `function`, other work, and MPI_Wait.
template <class Collective, auto function>
class Nonblocking : public CollectiveForm<Collective> {
  using Form = CollectiveForm<Collective>;
  static constexpr FixedText name{"i", Collective::descriptor.name};
  static constexpr FixedText summary = nonblocking_summary(Collective::descriptor.summary);
  static constexpr FixedText counts = same_counts(Collective::descriptor);

 public:
  static constexpr Descriptor descriptor =
      beside_work(other_form(Collective::descriptor, name, summary, counts));

  Nonblocking(const Context& context, const Point& point) : Form(context, point), overlap_(point) {}

  void run() {
    overlap_.run(
        [this](MPI_Request* request) { this->keep(this->template call<function>(request)); });
  }
  void set_work(double rounds) { overlap_.set_rounds(rounds); }
  [[nodiscard]] bool verify(std::uint64_t seed) const {
    return overlap_.only_works() || Form::verify(seed);
  }

 private:
  Overlap overlap_;
};

/// The persistent form: `function`, a HOCKNEY_PERSISTENT, makes the request. After its first start
/// the data are poisoned again, so that verify() checks a later start. MPICH 4.0's persistent
/// allgather moves no data after the first start, which the first start's data would hide.
template <class Collective, auto function>
class Persistent : public CollectiveForm<Collective> {
  using Form = CollectiveForm<Collective>;
  static constexpr FixedText name{"persistent-", Collective::descriptor.name};
  static constexpr FixedText summary = persistent_summary(Collective::descriptor.summary);
  static constexpr FixedText counts = same_counts(Collective::descriptor);

 public:
  static constexpr Descriptor descriptor =
      other_form(Collective::descriptor, name, summary, counts);

  static std::optional<std::string> obstacle(const Point& point) {
    return persistent_obstacle(point);
  }
  using Form::Form;

  void run() {
    MPI_Request request = request_.get();
    this->keep(MPI_Start(&request));
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }

  void refill(std::uint64_t seed) {
    Form::refill(seed);
    if constexpr (!std::is_null_pointer_v<decltype(function)>) {
      mpi_check(this->template call<function>(MPI_INFO_NULL, request_.out()));
    }
    run();
    Form::refill(seed);
  }

 private:
  UniqueRequest request_;
};

}  // namespace hockney::benchmarks

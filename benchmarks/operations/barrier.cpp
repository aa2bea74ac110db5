#include "benchmarks/harness/collectives.hpp"

namespace hockney::benchmarks {
namespace {

/// Nobody leaves before everybody has come. There are no data, so there is one size, 0.
struct Barrier {
  /// What a call returned, as it delivers nothing else.
  class Data {
   public:
    static constexpr Descriptor calls{.sized = false};
    static Volume volume(const Point&) { return {.operations = 1}; }

    Data(const Context&, const Point&) {}

    void keep_result(int result) { result_ = result; }
    void refill(std::uint64_t) { result_ = MPI_ERR_PENDING; }
    [[nodiscard]] bool verify(std::uint64_t) const { return result_ == MPI_SUCCESS; }

   private:
    int result_ = MPI_ERR_PENDING;
  };

  static constexpr Descriptor descriptor =
      describe<Data>({.name = "barrier",
                      .summary = "MPI_Barrier over all ranks, until the last one leaves",
                      .counts = "nothing, it carries no data",
                      .sizes = "nothing: there is one size, 0"});

  static auto arguments(Data&, MPI_Comm comm) { return std::tuple(comm); }
};

const Registration<Blocking<Barrier, MPI_Barrier>> barrier;
const Registration<Nonblocking<Barrier, MPI_Ibarrier>> ibarrier;
const Registration<Persistent<Barrier, HOCKNEY_PERSISTENT(Barrier)>> persistent_barrier;

}  // namespace
}  // namespace hockney::benchmarks

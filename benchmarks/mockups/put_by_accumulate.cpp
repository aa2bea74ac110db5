#include "benchmarks/mockups/put_message.hpp"

namespace hockney {
namespace {

/// The same with a promise more: each element is replaced in one piece, and in order.
class PutByAccumulate : public PutMessage {
 public:
  static constexpr Descriptor descriptor =
      describe("put-by-accumulate",
               "MPI_Win_fence, MPI_Accumulate (MPI_REPLACE) to the other rank and MPI_Win_fence");
  static constexpr Emulated emulated{.operation = "put",
                                     .guideline = "put <= accumulate of replace"};

  using PutMessage::PutMessage;

  void run() {
    between_fences([](const void* data, int count, MPI_Datatype type, MPI_Win window) {
      MPI_Accumulate(data, count, type, 1, 0, count, type, MPI_REPLACE, window);
    });
  }
};

const MockUp<PutByAccumulate> put_by_accumulate;

}  // namespace
}  // namespace hockney

#include "benchmarks/mockups/put_message.hpp"

namespace hockney {
namespace {

/// What was there is replaced, in whatever order.
class Put : public PutMessage {
 public:
  static constexpr Descriptor descriptor =
      describe("put", "MPI_Win_fence, MPI_Put to the other rank and MPI_Win_fence");

  using PutMessage::PutMessage;

  void run() {
    between_fences([](const void* data, int count, MPI_Datatype type, MPI_Win window) {
      MPI_Put(data, count, type, 1, 0, count, type, window);
    });
  }
};

const Original<Put> put;

}  // namespace
}  // namespace hockney

#include "benchmarks/mockups/announced_message.hpp"

namespace hockney {
namespace {

/// The same in standard mode, which need not know that the receiver is ready.
class AnnouncedRsendBySend : public AnnouncedMessage {
 public:
  static constexpr Descriptor descriptor =
      describe("announced-rsend-by-send",
               "half the round trip of MPI_Send to a rank that has said it is ready");
  static constexpr Emulated emulated{.operation = "announced-rsend", .guideline = "rsend <= send"};

  using AnnouncedMessage::AnnouncedMessage;

  void run() {
    exchange([](auto... arguments) { MPI_Send(arguments...); });
  }
};

const MockUp<AnnouncedRsendBySend> announced_rsend_by_send;

}  // namespace
}  // namespace hockney

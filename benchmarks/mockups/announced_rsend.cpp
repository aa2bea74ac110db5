#include "benchmarks/mockups/announced_message.hpp"

namespace hockney {
namespace {

/// What a receiver that is ready is sent in ready mode.
class AnnouncedRsend : public AnnouncedMessage {
 public:
  static constexpr Descriptor descriptor = describe(
      "announced-rsend", "half the round trip of MPI_Rsend to a rank that has said it is ready");

  using AnnouncedMessage::AnnouncedMessage;

  void run() {
    exchange([](auto... arguments) { MPI_Rsend(arguments...); });
  }
};

const Original<AnnouncedRsend> announced_rsend;

}  // namespace
}  // namespace hockney

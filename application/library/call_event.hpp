#pragma once

#include <mpi.h>
#include <cstdint>
#include <map>

#include "application/library/call_arguments.hpp"

namespace hockney::profile {

/// What a log of events says of a call that is no wait or test, beyond its times.
template <Function function, class Tuple>
class CallEvent : public CallArguments<function, Tuple> {
  using Base = CallArguments<function, Tuple>;

 public:
  using Base::Base;

 protected:
  using Base::at;
  using Base::kind;
  using Base::recorder;
  using Base::timed;

  static constexpr bool sends =
      kind == Kind::send || kind == Kind::send_receive || kind == Kind::replace;
  static constexpr bool receives =
      kind == Kind::receive || kind == Kind::send_receive || kind == Kind::replace;
  /// Makes a request that is no receive, which are followed without a log, too.
  static constexpr bool makes_other_request =
      at.request >= 0 && (kind == Kind::send || kind == Kind::collective ||
                          kind == Kind::one_sided || kind == Kind::file);

  template <int index>
  auto& argument() {
    return Base::template argument<index>();
  }

  /// The rest of the event under way. `bytes`: what the call counts for.
  void fill_event(std::uint32_t communicator, std::int64_t bytes) {
    Event& event = recorder().log->event();
    event.communicator = communicator;
    if constexpr (sends) {
      if (argument<at.peer>() != MPI_PROC_NULL) {
        event.sent = {Base::group().world_rank(argument<at.peer>()), tag(), bytes};
      }
    } else if constexpr (kind == Kind::collective || kind == Kind::file) {
      event.sent.bytes = bytes;
      if constexpr (at.root >= 0) event.root = Base::group().world_rank(argument<at.root>());
    }
    fill_received(event);
    if constexpr (makes_other_request) {
      recorder().log_request(*argument<at.request>(), {.what = Pending::What::other});
    }
    if constexpr (at.message >= 0 && kind != Kind::probe) takes_message();
  }

  /// What came, or may come.
  void fill_received(Event& event) {
    if constexpr (receives && at.comm >= 0) {
      MPI_Status& status = *argument<at.status>();
      if (status.MPI_SOURCE == MPI_PROC_NULL) return;
      event.received = Base::endpoint(status, Base::group().world.get());
    } else if constexpr (kind == Kind::start_receive && at.peer >= 0) {
      const int peer = argument<at.peer>();
      if (peer == MPI_PROC_NULL) return;
      event.received = {peer == MPI_ANY_SOURCE ? any : Base::group().world_rank(peer), tag(), -1};
    }
  }

  int tag() {
    const int tag = argument<at.tag>();
    return tag == MPI_ANY_TAG ? any : tag;
  }

  /// A probe that found something; else nothing is said of it.
  void fill_probe() {
    MPI_Status& status = *argument<at.status>();
    Event& event = recorder().log->event();
    event.communicator = Base::group().row;
    if (status.MPI_SOURCE == MPI_PROC_NULL) return;
    event.received = Base::endpoint(status, Base::group().world.get());
    if constexpr (at.message >= 0) {
      event.request = recorder().log->number_request();
      recorder().probed[handle_of(*argument<at.message>())] = event.request;
    }
  }

  /// What a matched probe found is received. The handle is gone afterwards.
  void copy_message() { message_ = handle_of(*argument<at.message>()); }

 private:
  void takes_message() {
    const auto probed = recorder().probed.find(message_);
    if (probed == recorder().probed.end()) return;
    recorder().log->event().completed.push_back({.request = probed->second, .received = {}});
    recorder().probed.erase(probed);
  }

  std::uint64_t message_ = 0;
};

}  // namespace hockney::profile

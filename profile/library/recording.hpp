#pragma once

#include <mpi.h>
#include <algorithm>
#include <cstdint>

#include "profile/library/call_arguments.hpp"

namespace hockney::profile {

/// Any call but waits and tests.
template <Function function, class Tuple>
class Recording : public CallArguments<function, Tuple> {
  using Base = CallArguments<function, Tuple>;
  using Base::at;
  using Base::bytes;
  using Base::came;
  using Base::kind;
  using Base::record;
  using Base::recorder;
  using Base::timed;

 public:
  using Base::Base;

  /// What can be asked no more afterwards, and a status for the size of what comes.
  void before() {
    if constexpr (kind == Kind::receive || kind == Kind::send_receive || kind == Kind::replace) {
      Base::want_status();
    } else if constexpr (kind == Kind::forget_request) {
      handle_ = *argument<at.request>();
    } else if constexpr (kind == Kind::forget_communicator) {
      if (*argument<at.comm>() == handles().no_comm) return;
      forgotten_ = recorder().communicators.of(*argument<at.comm>()).row;
      recorder().communicators.forget(*argument<at.comm>());
    } else if constexpr (kind == Kind::window && at.comm < 0) {
      recorder().communicators.forget_window(*argument<at.window>());
    }
  }

  void after(int code, std::int64_t ticks) {
    timed().ticks = ticks;
    if (code != MPI_SUCCESS) {
      record(no_index, 0);
    } else {
      done();
    }
  }

 private:
  template <int index>
  auto& argument() {
    return Base::template argument<index>();
  }

  void done() {
    if constexpr (kind == Kind::send || kind == Kind::send_receive || kind == Kind::replace) {
      sent();
    } else if constexpr (kind == Kind::receive) {
      record(communicator_row(), std::max<std::int64_t>(came(*argument<at.status>()), 0));
    } else if constexpr (kind == Kind::start_receive) {
      begun();
    } else if constexpr (kind == Kind::plan_send || kind == Kind::plan_receive) {
      planned();
    } else if constexpr (kind == Kind::start) {
      recorder().starts(*argument<at.request>(), &timed());
    } else if constexpr (kind == Kind::start_all) {
      record(no_index, 0);
      for (int i = 0; i < argument<at.number>(); ++i) {
        recorder().starts(argument<at.request>()[i], nullptr);
      }
    } else if constexpr (kind == Kind::forget_request) {
      recorder().forgets(handle_);
      record(no_index, 0);
    } else {
      other();
    }
  }

  void other() {
    if constexpr (kind == Kind::collective || kind == Kind::plan_collective) {
      const CollectiveVolume<function, Tuple> volume(this->arguments(), recorder().communicators);
      record(Base::group().row, volume.bytes());
    } else if constexpr (kind == Kind::one_sided) {
      moved();
    } else if constexpr (kind == Kind::file && at.count >= 0) {
      record(no_index, bytes());
    } else if constexpr (kind == Kind::communicator) {
      made();
    } else if constexpr (kind == Kind::forget_communicator) {
      record(forgotten_, 0);
    } else if constexpr (kind == Kind::window && at.comm >= 0) {
      recorder().communicators.window_made(*argument<at.window>(), argument<at.comm>());
      record(Base::group().row, 0);
    } else {
      if constexpr (function == Function::Cancel) recorder().cancelled_any = true;
      record(communicator_row(), 0);
    }
  }

  std::uint32_t communicator_row() {
    if constexpr (at.comm >= 0) return Base::group().row;
    return no_index;
  }

  void sent() {
    const Group& group = Base::group();
    const int peer = argument<at.peer>();
    const std::int64_t sent = peer == MPI_PROC_NULL ? 0 : bytes();
    recorder().message(group, peer, sent);
    record(group.row, sent);
  }

  void begun() {
    if constexpr (at.peer >= 0) {
      if (argument<at.peer>() == MPI_PROC_NULL) {
        record(Base::group().row, 0);
        return;
      }
    }
    recorder().receive_begins(timed(), communicator_row(), *argument<at.request>());
  }

  void planned() {
    const Group& group = Base::group();
    const int peer = argument<at.peer>();
    Pending plan{.what = kind == Kind::plan_send ? Pending::What::planned_send
                                                 : Pending::What::planned_receive,
                 .active = false};
    plan.row.communicator = group.row;
    plan.to = group.world_rank(peer);
    plan.to_nobody = peer == MPI_PROC_NULL;
    plan.bytes = plan.to_nobody ? 0 : bytes();
    if constexpr (at.number >= 0) plan.bytes *= argument<at.number>();  // partitions
    recorder().planned(*argument<at.request>(), plan);
    record(group.row, 0);
  }

  void moved() {
    const Group& group = recorder().communicators.of_window(argument<at.window>());
    const int peer = argument<at.peer>();
    std::int64_t there = 0;
    std::int64_t back = 0;
    if constexpr (function == Function::Get || function == Function::Rget) {
      back = bytes();
    } else if constexpr (at.count < 0) {  // one element
      there = back = size_of(argument<at.type>());
    } else {
      there = bytes();
      if constexpr (at.receive >= 0) {
        back = bytes_of(argument<at.receive>(), argument<at.receive_type>());
      }
    }
    if (peer == MPI_PROC_NULL) there = back = 0;
    if (there > 0) recorder().message(group, peer, there, Carrier::put);
    if (back > 0) recorder().message(group, peer, back, Carrier::get);
    record(group.row, there + back);
  }

  void made() {
    record(communicator_row(), 0);
    if constexpr (function == Function::Comm_idup || function == Function::Comm_idup_with_info) {
      recorder().communicators.made(*argument<at.made>(), function, &argument<at.comm>());
    } else {
      recorder().communicators.made(*argument<at.made>(), function);
    }
  }

  MPI_Request handle_{};
  std::uint32_t forgotten_ = no_index;
};

}  // namespace hockney::profile

#pragma once

#include <mpi.h>
#include <algorithm>
#include <cstdint>

#include "application/library/call_event.hpp"

namespace hockney::profile {

/// Any call but waits and tests.
template <Function function, class Tuple>
class Recording : public CallEvent<function, Tuple> {
  using Base = CallEvent<function, Tuple>;
  using Base::at;
  using Base::bytes;
  using Base::came;
  using Base::kind;
  using Base::recorder;
  using Base::timed;

 public:
  using Base::Base;

  /// What can be asked no more afterwards, and a status for the size of what comes.
  void before() {
    if constexpr (kind == Kind::receive || kind == Kind::send_receive || kind == Kind::replace) {
      Base::want_status();
    } else if constexpr (kind == Kind::probe) {
      if (recorder().log) Base::want_status();
    } else if constexpr (kind == Kind::forget_request) {
      handle_ = *argument<at.request>();
    } else if constexpr (kind == Kind::forget_communicator) {
      if (*argument<at.comm>() == handles().no_comm) return;
      forgotten_ = recorder().communicators.of(*argument<at.comm>()).row;
      recorder().communicators.forget(*argument<at.comm>());
    } else if constexpr (kind == Kind::window && at.comm < 0) {
      recorder().communicators.forget_window(*argument<at.window>());
    }
    if constexpr (at.message >= 0 && kind != Kind::probe) {
      if (recorder().log) Base::copy_message();
    }
  }

  void after(int code, std::int64_t begin, std::int64_t ticks) {
    timed().begin = begin;
    timed().ticks = ticks;
    if (recorder().log) recorder().log_event(timed());
    if (code != MPI_SUCCESS) {
      record(no_index, 0);
    } else {
      done();
    }
    if (recorder().log) logged(code);
  }

 private:
  template <int index>
  auto& argument() {
    return Base::template argument<index>();
  }

  /// Counts the call.
  void record(std::uint32_t communicator, std::int64_t counted) {
    Base::record(communicator, counted);
    communicator_ = communicator;
    bytes_ = counted;
  }

  void logged(int code) {
    Log& log = *recorder().log;
    if (code != MPI_SUCCESS) return log.add();
    if constexpr (kind == Kind::probe) {
      bool is_found = true;
      if constexpr (at.flag >= 0) is_found = *argument<at.flag>() != 0;
      if (!is_found) return log.add_unsuccessful();
      Base::fill_probe();
    } else if constexpr (kind == Kind::start) {
      recorder().log_start(*argument<at.request>());
    } else {
      Base::fill_event(communicator_, bytes_);
    }
    log.add();
    if constexpr (kind == Kind::start_all) logged_starts(log);
  }

  /// Each operation, begun at the end of the call that started them all.
  void logged_starts(Log& log) {
    const Timed each{function, timed().site, timed().begin + timed().ticks, 0};
    for (int i = 0; i < argument<at.number>(); ++i) {
      recorder().log_event(each);
      if (recorder().log_start(argument<at.request>()[i])) log.add();
    }
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
      if constexpr (kind == Kind::plan_collective) planned_collective(volume.bytes());
    } else if constexpr (kind == Kind::one_sided) {
      moved();
    } else if constexpr (kind == Kind::file && at.count >= 0) {
      record(no_index, bytes());
    } else if constexpr (kind == Kind::communicator) {
      made();
    } else if constexpr (kind == Kind::forget_communicator) {
      record(forgotten_, 0);
    } else if constexpr (kind == Kind::window || kind == Kind::synchronise) {
      touched_window();
    } else {
      if constexpr (function == Function::Cancel) recorder().cancelled_any = true;
      record(communicator_row(), 0);
    }
  }

  void touched_window() {
    if constexpr (kind == Kind::window && at.comm >= 0) {
      recorder().communicators.window_made(*argument<at.window>(), argument<at.comm>());
      record(Base::group().row, 0);
    } else {
      record(no_index, 0);
    }
    if constexpr (kind == Kind::synchronise) {
      if (!recorder().log) return;
      communicator_ = recorder().communicators.of_window(argument<at.window>()).row;
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
    const Group* group = nullptr;
    if constexpr (at.comm >= 0) {
      group = &Base::group();
      communicator_ = group->row;
      if (argument<at.peer>() == MPI_PROC_NULL) {
        record(group->row, 0);
        if (recorder().log) {
          recorder().log_request(*argument<at.request>(), {.what = Pending::What::other});
        }
        return;
      }
    }
    recorder().receive_begins(timed(), group, *argument<at.request>());
  }

  void planned() {
    const Group& group = Base::group();
    const int peer = argument<at.peer>();
    Pending plan{.what = kind == Kind::plan_send ? Pending::What::planned_send
                                                 : Pending::What::planned_receive,
                 .active = false};
    plan.row.communicator = group.row;
    plan.to = peer == MPI_ANY_SOURCE ? any : group.world_rank(peer);
    plan.to_nobody = peer == MPI_PROC_NULL;
    plan.planned_by = static_cast<std::uint16_t>(function);
    plan.tag = Base::tag();
    plan.world = group.world.get();
    plan.bytes = plan.to_nobody ? 0 : bytes();
    if constexpr (at.number >= 0) plan.bytes *= argument<at.number>();  // partitions
    recorder().planned(*argument<at.request>(), plan);
    record(group.row, 0);
  }

  /// Only a log needs to know what starts later.
  void planned_collective(std::int64_t volume) {
    if (!recorder().log) return;
    Pending plan{.what = Pending::What::planned_other, .active = false, .bytes = volume};
    plan.row.communicator = Base::group().row;
    plan.planned_by = static_cast<std::uint16_t>(function);
    if constexpr (at.root >= 0) plan.root = Base::group().world_rank(argument<at.root>());
    recorder().planned(*argument<at.request>(), plan);
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
    if (recorder().log) {
      Event& event = recorder().log->event();
      const int target = group.world_rank(peer);
      if (there > 0) event.sent = {target, nobody, there};
      if (back > 0) event.received = {target, nobody, back};
    }
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
  std::uint32_t communicator_ = no_index;  ///< of what was recorded
  std::int64_t bytes_ = 0;
};

}  // namespace hockney::profile

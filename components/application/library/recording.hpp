#pragma once

#include <mpi.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <tuple>
#include <vector>

#include "components/application/library/communicators.hpp"
#include "components/application/library/recorder.hpp"
#include "components/application/profile/profile.hpp"

namespace hockney::profile {

/// One call of a function, with its arguments as a tuple that is passed to MPI afterwards.
template <Function function, class Tuple>
class CallArguments {
 public:
  CallArguments(Recorder& recorder, Tuple& arguments, const CallSite& site)
      : recorder_(recorder), arguments_(arguments), timed_{function, site, 0, 0} {}

 protected:
  static constexpr Kind kind = describe(function).kind;
  static constexpr Arguments at = describe(function).at;

  template <int index>
  auto& argument() {
    return std::get<static_cast<std::size_t>(index)>(arguments_);
  }

  Recorder& recorder() { return recorder_; }
  Tuple& arguments() { return arguments_; }
  Timed& timed() { return timed_; }

  const Group& group() { return recorder_.communicators.of(argument<at.comm>()); }
  std::int64_t bytes() { return bytes_of(argument<at.count>(), argument<at.type>()); }

  void record(std::uint32_t communicator, std::int64_t bytes) {
    recorder_.call(timed_, communicator, bytes);
  }

  /// Replaces MPI_STATUS_IGNORE by a status.
  void want_status() {
    if (argument<at.status>() == MPI_STATUS_IGNORE) argument<at.status>() = &status_;
  }

  /// Sender, tag and bytes of a received message; none if the receive was cancelled. MPICH leaves
  /// source and tag of an earlier message in such a status.
  Endpoint endpoint(MPI_Status& status, const std::vector<int>* world) {
    if (is_cancelled(status)) return {no_rank, no_rank, 0};
    const std::int64_t bytes = came(status);
    const int source = status.MPI_SOURCE;
    const bool is_rank =
        world != nullptr && source >= 0 && static_cast<std::size_t>(source) < world->size();
    if (!is_rank || status.MPI_TAG < 0) return {no_rank, no_rank, bytes};
    return {(*world)[static_cast<std::size_t>(source)], status.MPI_TAG, bytes};
  }

  /// Received bytes; -1 if MPI does not know them.
  std::int64_t came(MPI_Status& status) {
#if defined(HOCKNEY_SIMULATED_PROFILE)  // SMPI aborts in MPI_Get_elements_x
    int count = 0;
    real::Get_count(&status, handles().byte, &count);
#else
    MPI_Count count = 0;
    real::Get_elements_x(&status, handles().byte, &count);
#endif
    return count == MPI_UNDEFINED ? -1 : static_cast<std::int64_t>(count);
  }

 private:
  bool is_cancelled(MPI_Status& status) {
    if (!recorder_.cancelled_any) return false;
    int cancelled = 0;
    static constinit Real<decltype(PMPI_Test_cancelled)> test_cancelled("PMPI_Test_cancelled");
    test_cancelled(&status, &cancelled);
    return cancelled != 0;
  }

  Recorder& recorder_;
  Tuple& arguments_;
  Timed timed_;
  MPI_Status status_{};
};

/// Event of a call other than waits and tests, besides its times.
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
  /// Makes a request other than a receive. Receives are tracked without a log, too.
  static constexpr bool makes_other_request =
      at.request >= 0 && (kind == Kind::send || kind == Kind::collective ||
                          kind == Kind::one_sided || kind == Kind::file);

  template <int index>
  auto& argument() {
    return Base::template argument<index>();
  }

  /// Fills in the rest of the current event. `bytes`: bytes that the call counts.
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

  /// Fills in the received message, or the envelope of a posted receive.
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

  /// For a probe that found a message; the others leave the event empty.
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

  /// Keeps the handle of a matched message: the receive clears it.
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

constexpr bool completes_one(Kind kind) { return kind == Kind::wait || kind == Kind::test; }
constexpr bool completes_list(Kind kind) {
  return kind == Kind::wait_all || kind == Kind::wait_any || kind == Kind::wait_some ||
         kind == Kind::test_all || kind == Kind::test_any || kind == Kind::test_some;
}

/// A wait or test. Copies the handles before the call, which clears them.
template <Function function, class Tuple>
class Completion : public CallArguments<function, Tuple> {
  using Base = CallArguments<function, Tuple>;
  using Base::at;
  using Base::kind;
  using Base::recorder;
  using Base::timed;
  using Base::want_status;

 public:
  using Base::Base;

  void before() {
    if constexpr (completes_one(kind)) {
      handle_ = *argument<at.request>();
      if (recorder().requests.find(handle_) != nullptr) want_status();
    } else {
      copy_handles();
    }
  }

  void after(int code, std::int64_t begin, std::int64_t ticks) {
    timed().begin = begin;
    timed().ticks = ticks;
    if (recorder().log) recorder().log_event(timed());
    if (code != MPI_SUCCESS) {
      if constexpr (completes_list(kind)) failed();
    } else if (has_completed()) {
      complete();
    }
    Base::record(no_index, 0);
    if (!recorder().log) return;
    const bool is_in_vain =
        code == MPI_SUCCESS && is_test && recorder().log->event().completed.empty();
    is_in_vain ? recorder().log->add_unsuccessful() : recorder().log->add();
  }

 private:
  static constexpr bool is_test = kind == Kind::test || kind == Kind::test_all ||
                                  kind == Kind::test_any || kind == Kind::test_some;

  template <int index>
  auto& argument() {
    return Base::template argument<index>();
  }

  /// Tests return a flag; waits always complete.
  bool has_completed() {
    if constexpr (at.flag >= 0) return *argument<at.flag>() != 0;
    return true;
  }

  void complete() {
    if constexpr (completes_one(kind)) {
      complete(handle_, *argument<at.status>());
    } else if constexpr (kind == Kind::wait_all || kind == Kind::test_all) {
      complete_all();
    } else if constexpr (kind == Kind::wait_any || kind == Kind::test_any) {
      complete_one();
    } else {
      complete_found();
    }
  }

  void copy_handles() {
    const auto number = static_cast<std::size_t>(argument<at.number>());
    if (recorder().requests.empty() || argument<at.number>() <= 0) return;
    const MPI_Request* requests = argument<at.request>();
    bool is_any_known = false;
    handles_.assign(requests, requests + number);
    for (MPI_Request request : handles_) {
      is_any_known = is_any_known || recorder().requests.find(request) != nullptr;
    }
    if (!is_any_known) return;
    watched_ = number;
    if constexpr (kind == Kind::wait_any || kind == Kind::test_any) {
      want_status();
    } else if (argument<at.status>() == MPI_STATUSES_IGNORE) {
      statuses_.resize(number);
      argument<at.status>() = statuses_.data();
    }
  }

  void complete(MPI_Request request, MPI_Status& status) {
    const Pending* const pending = recorder().requests.find(request);
    if (pending == nullptr) return;
    const Endpoint received =
        pending->is_receive() ? Base::endpoint(status, pending->world) : Endpoint{};
    recorder().completes(request, received);
  }

  void complete_all() {
    for (std::size_t i = 0; i < watched_; ++i) complete(handles_[i], argument<at.status>()[i]);
  }
  void complete_found() {
    if (watched_ == 0) return;
    const int number = *argument<at.found>();
    for (int i = 0; number != MPI_UNDEFINED && i < number; ++i) {
      const auto place = static_cast<std::size_t>(argument<at.found + 1>()[i]);
      complete(handles_[place], argument<at.status>()[i]);
    }
  }
  void complete_one() {
    const int index = *argument<at.found>();
    if (watched_ > 0 && index != MPI_UNDEFINED) {
      complete(handles_[static_cast<std::size_t>(index)], *argument<at.status>());
    }
  }
  /// After an error, requests whose handles the call has cleared are complete.
  void failed() {
    for (std::size_t i = 0; i < watched_; ++i) {
      if (argument<at.request>()[i] == handles_[i]) continue;
      recorder().completes(handles_[i], {});
    }
  }

  MPI_Request handle_{};
  std::array<std::byte, completes_list(kind) ? 2048 : 1> room_;  ///< enough for most waits
  std::pmr::monotonic_buffer_resource memory_{room_.data(), room_.size()};
  std::pmr::vector<MPI_Request> handles_{&memory_};
  std::pmr::vector<MPI_Status> statuses_{&memory_};
  std::size_t watched_ = 0;  ///< number of copied handles; 0 if none of them is tracked
};

/// Any call except waits and tests.
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

  /// Reads handles that the call will clear, and provides a status for the received size.
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

  /// Logs each started operation at the end of the call that started them all.
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
    plan.to_no_rank = peer == MPI_PROC_NULL;
    plan.planned_by = static_cast<std::uint16_t>(function);
    plan.tag = Base::tag();
    plan.world = group.world.get();
    plan.bytes = plan.to_no_rank ? 0 : bytes();
    if constexpr (at.number >= 0) plan.bytes *= argument<at.number>();  // partitions
    recorder().planned(*argument<at.request>(), plan);
    record(group.row, 0);
  }

  /// Later starts matter to a log only.
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
      if (there > 0) event.sent = {target, no_rank, there};
      if (back > 0) event.received = {target, no_rank, back};
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
  std::uint32_t communicator_ = no_index;  ///< recorded communicator
  std::int64_t bytes_ = 0;
};

}  // namespace hockney::profile

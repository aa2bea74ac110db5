#pragma once

#include <mpi.h>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <vector>

#include "application/library/call_arguments.hpp"

namespace hockney::profile {

constexpr bool completes_one(Kind kind) { return kind == Kind::wait || kind == Kind::test; }
constexpr bool completes_list(Kind kind) {
  return kind == Kind::wait_all || kind == Kind::wait_any || kind == Kind::wait_some ||
         kind == Kind::test_all || kind == Kind::test_any || kind == Kind::test_some;
}

/// A wait or test. The handles are copied before it, since it takes them away.
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

  /// Tests say so.
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
  /// Those whose handles the call has taken away are complete, in whatever way.
  void failed() {
    for (std::size_t i = 0; i < watched_; ++i) {
      if (argument<at.request>()[i] == handles_[i]) continue;
      recorder().completes(handles_[i], {});
    }
  }

  MPI_Request handle_{};
  std::array<std::byte, completes_list(kind) ? 2048 : 1> room_;  ///< for as many as most wait for
  std::pmr::monotonic_buffer_resource memory_{room_.data(), room_.size()};
  std::pmr::vector<MPI_Request> handles_{&memory_};
  std::pmr::vector<MPI_Status> statuses_{&memory_};
  std::size_t watched_ = 0;  ///< handles that were copied, since something is known of one of them
};

}  // namespace hockney::profile

#include "benchmarks/harness/epochs.hpp"

#include <stdexcept>

#include "benchmarks/harness/handle.hpp"
#include "benchmarks/harness/message.hpp"
#include "benchmarks/harness/mpi_error.hpp"
#include "benchmarks/harness/overlap.hpp"
#include "core/words.hpp"

namespace hockney::benchmarks {
namespace {

template <class Enum>
Enum parameter_word(const Point& point, const char* key, Enum otherwise) {
  const std::string name = parameter_of(point, key, std::string(word(otherwise)));
  if (const auto found = find_word<Enum>(name)) return *found;
  throw std::logic_error("no such " + std::string(key) + ": " + name);
}

}  // namespace

EpochKind epoch_kind_of(const Point& point) {
  return parameter_word(point, synchronisation_parameter, EpochKind::flush);
}

Completion completion_of(const Point& point) {
  return parameter_word(point, completion_parameter, Completion::origin);
}

bool is_active(EpochKind synchronisation) {
  return synchronisation == EpochKind::fence || synchronisation == EpochKind::pscw;
}

std::optional<std::string> epoch_obstacle(const Point& point) {
  const EpochKind synchronisation = epoch_kind_of(point);
  const bool at_target = completion_of(point) == Completion::target;
  if (at_target && synchronisation == EpochKind::flush_local) {
    return "what is flushed locally need not have reached its target";
  }
  if (work_of(point) == Work::none) return std::nullopt;
  if (is_active(synchronisation))
    return "a target that computes takes no part in a " + std::string(word(synchronisation));
  if (at_target) return "a target that computes does not look at its memory";
  return std::nullopt;
}

namespace {

/// A fence ends the epoch before it, and begins the next one.
class FenceEpochs final : public Epochs {
 public:
  explicit FenceEpochs(const Partners& partners) : window_(partners.window) {
    MPI_Win_fence(0, window_);
  }
  FenceEpochs(const FenceEpochs&) = delete;
  FenceEpochs& operator=(const FenceEpochs&) = delete;
  FenceEpochs(FenceEpochs&&) = delete;
  FenceEpochs& operator=(FenceEpochs&&) = delete;
  ~FenceEpochs() override { MPI_Win_fence(MPI_MODE_NOSUCCEED, window_); }

  void begin() override {}
  void complete() override { MPI_Win_fence(0, window_); }
  void expose() override {}
  void conclude() override { MPI_Win_fence(0, window_); }
  void complete_both() override { MPI_Win_fence(0, window_); }
  void begin_own() override { MPI_Win_fence(0, window_); }
  void end_own() override { MPI_Win_fence(0, window_); }

 private:
  MPI_Win window_;
};

/// The own memory of a rank that has no epoch open between its calls.
class BetweenEpochs : public Epochs {
 public:
  explicit BetweenEpochs(const Partners& partners) : partners_(partners) {}

  void begin_own() override { MPI_Win_lock(MPI_LOCK_EXCLUSIVE, partners_.own, 0, window()); }
  void end_own() override { MPI_Win_unlock(partners_.own, window()); }

 protected:
  [[nodiscard]] MPI_Win window() const { return partners_.window; }
  [[nodiscard]] const std::vector<int>& targets() const { return partners_.targets; }

 private:
  Partners partners_;
};

class PscwEpochs final : public BetweenEpochs {
 public:
  explicit PscwEpochs(const Partners& partners) : BetweenEpochs(partners) {
    UniqueGroup all;
    mpi_check(MPI_Comm_group(partners.comm, all.out()));
    targets_ = group_of(all.get(), partners.targets);
    origins_ = group_of(all.get(), partners.origins);
  }

  void begin() override { MPI_Win_start(targets_.get(), 0, window()); }
  void complete() override { MPI_Win_complete(window()); }
  void expose() override { MPI_Win_post(origins_.get(), 0, window()); }
  void conclude() override { MPI_Win_wait(window()); }

 private:
  /// None of nobody: MPI_GROUP_EMPTY must not be freed.
  static UniqueGroup group_of(MPI_Group all, const std::vector<int>& ranks) {
    UniqueGroup group;
    if (ranks.empty()) return group;
    mpi_check(MPI_Group_incl(all, static_cast<int>(ranks.size()), ranks.data(), group.out()));
    return group;
  }

  UniqueGroup targets_;
  UniqueGroup origins_;
};

/// The target does nothing.
class LockEpochs final : public BetweenEpochs {
 public:
  using BetweenEpochs::BetweenEpochs;

  void begin() override {
    for (const int target : targets()) MPI_Win_lock(MPI_LOCK_SHARED, target, 0, window());
  }
  void complete() override {
    for (const int target : targets()) MPI_Win_unlock(target, window());
  }
  void expose() override {}
  void conclude() override {}
};

class LockAllEpochs final : public BetweenEpochs {
 public:
  using BetweenEpochs::BetweenEpochs;

  void begin() override { MPI_Win_lock_all(0, window()); }
  void complete() override { MPI_Win_unlock_all(window()); }
  void expose() override {}
  void conclude() override {}
};

/// How far a flush goes.
enum class Reach { origin, target };

/// One epoch in which calls are flushed: `flush` those on one target, `flush_all` those on several.
template <auto flush, auto flush_all, Reach reach>
class FlushEpochs final : public Epochs {
 public:
  explicit FlushEpochs(const Partners& partners) : partners_(partners) {
    MPI_Win_lock_all(0, partners.window);
  }
  FlushEpochs(const FlushEpochs&) = delete;
  FlushEpochs& operator=(const FlushEpochs&) = delete;
  FlushEpochs(FlushEpochs&&) = delete;
  FlushEpochs& operator=(FlushEpochs&&) = delete;
  ~FlushEpochs() override { MPI_Win_unlock_all(partners_.window); }

  void begin() override {}
  void complete() override {
    if (partners_.targets.size() == 1) {
      flush(partners_.targets.front(), partners_.window);
    } else {
      flush_all(partners_.window);
    }
  }
  void expose() override {}
  void conclude() override {}
  // What was flushed is at its target: were it not, nothing here should help it.
  void settle() override {
    if constexpr (reach == Reach::origin) MPI_Win_flush_all(partners_.window);
  }
  void begin_own() override { MPI_Win_sync(partners_.window); }
  void end_own() override { MPI_Win_sync(partners_.window); }

 private:
  Partners partners_;
};

/// Passive epochs after which an empty message tells the target that its memory is ready.
class ToldEpochs final : public Epochs {
 public:
  ToldEpochs(std::unique_ptr<Epochs> epochs, const Partners& partners, bool stays_open)
      : epochs_(std::move(epochs)),
        partners_(partners),
        requests_(partners.targets.size()),
        stays_open_(stays_open) {}

  void begin() override { epochs_->begin(); }
  void complete() override {
    epochs_->complete();
    for (const int target : partners_.targets) {
      MPI_Send(nullptr, 0, MPI_BYTE, target, tag, partners_.comm);
    }
  }
  void expose() override {}
  void conclude() override {
    hear();
    see_memory();
  }
  void complete_both() override {
    epochs_->complete();
    for (std::size_t i = 0; i < requests_.size(); ++i) {
      MPI_Isend(nullptr, 0, MPI_BYTE, partners_.targets[i], tag, partners_.comm, &requests_[i]);
    }
    hear();
    MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE);
    see_memory();
  }
  void settle() override { epochs_->settle(); }
  void begin_own() override { epochs_->begin_own(); }
  void end_own() override { epochs_->end_own(); }

 private:
  static constexpr int tag = 2;

  void hear() const {
    for (const int origin : partners_.origins) {
      MPI_Recv(nullptr, 0, MPI_BYTE, origin, tag, partners_.comm, MPI_STATUS_IGNORE);
    }
  }

  /// MPI_Win_sync belongs into a passive epoch; without one open, memory is unified or nothing is.
  void see_memory() const {
    if (stays_open_) MPI_Win_sync(partners_.window);
  }

  std::unique_ptr<Epochs> epochs_;
  Partners partners_;
  std::vector<MPI_Request> requests_;
  bool stays_open_;
};

std::unique_ptr<Epochs> make_plain_epochs(const Partners& partners, EpochKind synchronisation) {
  switch (synchronisation) {
    case EpochKind::fence:
      return std::make_unique<FenceEpochs>(partners);
    case EpochKind::pscw:
      return std::make_unique<PscwEpochs>(partners);
    case EpochKind::lock:
      return std::make_unique<LockEpochs>(partners);
    case EpochKind::lock_all:
      return std::make_unique<LockAllEpochs>(partners);
    case EpochKind::flush_local:
      return std::make_unique<
          FlushEpochs<MPI_Win_flush_local, MPI_Win_flush_local_all, Reach::origin>>(partners);
    case EpochKind::flush:
      break;
  }
  return std::make_unique<FlushEpochs<MPI_Win_flush, MPI_Win_flush_all, Reach::target>>(partners);
}

}  // namespace

std::unique_ptr<Epochs> make_epochs(const Partners& partners, const Point& point) {
  const EpochKind synchronisation = epoch_kind_of(point);
  auto epochs = make_plain_epochs(partners, synchronisation);
  if (is_active(synchronisation) || completion_of(point) == Completion::origin) return epochs;
  const bool stays_open = synchronisation == EpochKind::flush;
  return std::make_unique<ToldEpochs>(std::move(epochs), partners, stays_open);
}

}  // namespace hockney::benchmarks

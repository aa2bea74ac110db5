#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "benchmarks/engine/prepared.hpp"
#include "benchmarks/harness/operation.hpp"

namespace hockney {

/// What an operation is made with: the team, of whose communicator `rank` and `size` are, the
/// memory for its buffers, and how they rotate in it.
struct Workbench {
  MPI_Comm comm = MPI_COMM_NULL;
  int rank = 0;
  int size = 0;
  BufferPool& pool;
  CachePlan cache{};
};

/// One operation of the suite.
struct CatalogueEntry {
  Descriptor descriptor;
  Account (*account)(const Point&) = nullptr;
  std::unique_ptr<PreparedOperation> (*prepare)(const Workbench&, const Point&) = nullptr;
  /// Why the operation cannot be measured at a point of any size, nullopt when it can.
  std::optional<std::string> (*obstacle)(const Point&) = nullptr;
};

/// Every operation file, in order of names.
const std::vector<CatalogueEntry>& catalogue();

/// InputError naming the nearest operation when there is none called `name`.
const CatalogueEntry& find_operation(const std::string& name);

/// Used by Registration; std::logic_error when the name is taken.
void add_to_catalogue(const CatalogueEntry& entry);

/// Puts an operation into the catalogue: a static object at the end of its file.
template <Operation O>
class Registration {
 public:
  Registration() { add_to_catalogue({O::descriptor, &O::account, &prepare, &obstacle}); }

 private:
  class Prepared final : public PreparedOperation {
   public:
    Prepared(const Workbench& bench, const Point& point)
        : ring_(bench.pool, bench.cache),
          operation_({bench.comm, bench.rank, bench.size, ring_}, point) {}

    void run_batch(std::int64_t iterations) override {
      if (ring_.rotates()) return run_rotating(iterations);
      for (; iterations > 0; --iterations) operation_.run();
    }
    void ready() override {
      if constexpr (requires { operation_.ready(); }) operation_.ready();
    }
    void set_work(double rounds) override {
      if constexpr (requires { operation_.set_work(rounds); }) operation_.set_work(rounds);
    }
    [[nodiscard]] std::optional<std::int64_t> most_iterations() const override {
      return ring_.most_iterations();
    }
    void refill(std::uint64_t seed, std::int64_t iterations) override {
      seed_ = seed;
      used_ = 1;
      next_ = 0;
      ring_.take(iterations);
      for (std::int64_t place = 0; place < ring_.places(); ++place, ring_.advance()) {
        operation_.refill(place_seed(seed, place));
      }
      ring_.evict();
    }
    [[nodiscard]] bool verify() override {
      const std::size_t position = ring_.position();
      bool is_good = true;
      ring_.go_to(0);
      for (std::int64_t place = 0; place < used_ && is_good; ++place, ring_.advance()) {
        is_good = operation_.verify(place_seed(seed_, place));
      }
      ring_.go_to(position);
      return is_good;
    }
    [[nodiscard]] std::int64_t deliveries_kept() const override { return used_; }

   private:
    void run_rotating(std::int64_t iterations) {
      next_ += iterations;
      used_ = std::clamp<std::int64_t>(next_, 1, ring_.places());
      for (; iterations > 0; --iterations, ring_.advance()) operation_.run();
    }

    BufferRing ring_;
    O operation_;
    std::uint64_t seed_ = 0;
    std::int64_t next_ = 0;  ///< iterations since refill
    std::int64_t used_ = 1;  ///< places they used
  };

  static std::optional<std::string> obstacle(const Point& point) {
    if constexpr (requires { O::obstacle(point); }) return O::obstacle(point);
    return std::nullopt;
  }

  static std::unique_ptr<PreparedOperation> prepare(const Workbench& bench, const Point& point) {
    return std::make_unique<Prepared>(bench, point);
  }
};

}  // namespace hockney

#pragma once

#include <memory>
#include <string>
#include <vector>

#include "benchmarks/engine/prepared.hpp"
#include "benchmarks/harness/operation.hpp"

namespace hockney {

/// One operation of the suite.
struct CatalogueEntry {
  Descriptor descriptor;
  Account (*account)(const Point&) = nullptr;
  std::unique_ptr<PreparedOperation> (*prepare)(const Context&, const Point&) = nullptr;
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
  Registration() { add_to_catalogue({O::descriptor, &O::account, &prepare}); }

 private:
  class Prepared final : public PreparedOperation {
   public:
    Prepared(const Context& context, const Point& point) : operation_(context, point) {}
    void run_batch(std::int64_t iterations) override {
      for (; iterations > 0; --iterations) operation_.run();
    }
    void refill(std::uint64_t seed) override { operation_.refill(seed); }
    [[nodiscard]] bool verify() const override { return operation_.verify(); }

   private:
    O operation_;
  };

  static std::unique_ptr<PreparedOperation> prepare(const Context& context, const Point& point) {
    return std::make_unique<Prepared>(context, point);
  }
};

}  // namespace hockney

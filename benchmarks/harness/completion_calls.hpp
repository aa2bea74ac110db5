#pragma once

#include <mpi.h>
#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

/// The ways in which a program completes many requests (MPI 3.1, section 3.7.5). Each is made for a
/// number of requests, and completes that many, however often it must be called for it.
namespace hockney::benchmarks {

/// One call for all of them.
class ByWaitall {
 public:
  static constexpr std::string_view name = "waitall";
  static constexpr std::string_view function = "MPI_Waitall";

  explicit ByWaitall(std::size_t) {}

  void operator()(std::span<MPI_Request> requests) {
    MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
  }
};

/// One call for each of them, which looks for one that is complete.
class ByWaitany {
 public:
  static constexpr std::string_view name = "waitany";
  static constexpr std::string_view function = "MPI_Waitany";

  explicit ByWaitany(std::size_t) {}

  void operator()(std::span<MPI_Request> requests) {
    for (std::size_t i = 0; i < requests.size(); ++i) {
      int index = 0;
      MPI_Waitany(static_cast<int>(requests.size()), requests.data(), &index, MPI_STATUS_IGNORE);
    }
  }
};

/// Each call takes as many as are complete.
class ByWaitsome {
 public:
  static constexpr std::string_view name = "waitsome";
  static constexpr std::string_view function = "MPI_Waitsome";

  explicit ByWaitsome(std::size_t requests) : indices_(requests) {}

  void operator()(std::span<MPI_Request> requests) {
    const auto all = static_cast<int>(requests.size());
    for (int done = 0, some = 0; done < all && some != MPI_UNDEFINED; done += some) {
      MPI_Waitsome(all, requests.data(), &some, indices_.data(), MPI_STATUSES_IGNORE);
    }
  }

 private:
  std::vector<int> indices_;
};

/// Asked again and again until all of them are complete.
class ByTestall {
 public:
  static constexpr std::string_view name = "testall";
  static constexpr std::string_view function = "MPI_Testall";

  explicit ByTestall(std::size_t) {}

  void operator()(std::span<MPI_Request> requests) {
    for (int is_done = 0; is_done == 0;) {
      MPI_Testall(static_cast<int>(requests.size()), requests.data(), &is_done,
                  MPI_STATUSES_IGNORE);
    }
  }
};

}  // namespace hockney::benchmarks

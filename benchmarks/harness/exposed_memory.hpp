#pragma once

#include <mpi.h>
#include <array>
#include <cstddef>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

#include "benchmarks/harness/buffers.hpp"
#include "benchmarks/harness/handle.hpp"
#include "benchmarks/harness/point.hpp"

namespace hockney::benchmarks {

/// How memory comes into a window that other ranks reach it through (MPI 3.1, section 11.2).
enum class WindowKind {
  created,    ///< the program's own memory, by MPI_Win_create
  allocated,  ///< the library's, by MPI_Win_allocate
  dynamic,    ///< the program's own, attached to a window by MPI_Win_attach
  shared      ///< the library's, which ranks of a node share, by MPI_Win_allocate_shared
};

constexpr auto words_of(std::type_identity<WindowKind>) {
  return std::to_array<std::string_view>({"created", "allocated", "dynamic", "shared"});
}

inline constexpr Parameter<WindowKind> window_kind_parameter{"window-kind", WindowKind::allocated};
inline WindowKind window_kind_of(const Point& point) {
  return point.parameters[window_kind_parameter];
}

/// Memory of every rank of a communicator that the others reach through a window.
class ExposedMemory {
 public:
  /// So many bytes on every rank, at least one. Collective, as its end is; no call on the window
  /// may be under way then.
  ExposedMemory(MPI_Comm comm, WindowKind kind, std::size_t bytes);
  ExposedMemory(const ExposedMemory&) = delete;
  ExposedMemory& operator=(const ExposedMemory&) = delete;
  ExposedMemory(ExposedMemory&&) = delete;
  ExposedMemory& operator=(ExposedMemory&&) = delete;
  ~ExposedMemory();

  [[nodiscard]] MPI_Win window() const { return window_.get(); }
  /// This rank's own.
  [[nodiscard]] std::span<std::byte> bytes() const { return {memory_, bytes_}; }
  /// Where the memory of a rank begins, as calls on the window say it [B].
  [[nodiscard]] MPI_Aint begin_of(int rank) const {
    return begins_[static_cast<std::size_t>(rank)];
  }

 private:
  void make_window();
  void attach();

  MPI_Comm comm_;
  WindowKind kind_;
  std::size_t bytes_;
  std::vector<MPI_Aint> begins_;
  MappedMemory own_;  ///< outlives the window
  UniqueWin window_;
  std::byte* memory_ = nullptr;
};

}  // namespace hockney::benchmarks

#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "benchmarks/harness/catalogue.hpp"
#include "benchmarks/harness/file_access.hpp"
#include "benchmarks/harness/handle.hpp"

namespace hockney::benchmarks {

/// The file, or the files, of one group of ranks: made here, removed at the end. What is in them is
/// written and read without MPI, too, by another rank than the one whose data they are.
class MeasuredFile {
 public:
  /// Draws a name; nothing is opened. Collective, as all is that is not const.
  MeasuredFile(const Context& context, const Point& point);
  MeasuredFile(const MeasuredFile&) = delete;
  MeasuredFile& operator=(const MeasuredFile&) = delete;
  MeasuredFile(MeasuredFile&&) = delete;
  MeasuredFile& operator=(MeasuredFile&&) = delete;
  ~MeasuredFile();

  /// Opens it, with this rank's view. RunError when it cannot be had.
  void open();
  /// Returns when all ranks are through with what is in it.
  void gather();
  /// Hands over to the system what was written, on all ranks.
  void settle();
  /// The next call of this rank is to begin at this slot.
  void seek(std::int64_t slot);

  [[nodiscard]] MPI_File handle() const { return file_.get(); }
  [[nodiscard]] MPI_Comm comm() const { return comm_; }
  /// Of explicit offsets.
  [[nodiscard]] MPI_Offset offset(std::int64_t slot) const { return slot * shape_.bytes; }
  [[nodiscard]] const FileShape& shape() const { return shape_; }
  [[nodiscard]] const FileAccess& access() const { return access_; }
  [[nodiscard]] std::string own_name() const { return name_of(rank_); }
  [[nodiscard]] int rank() const { return rank_; }
  /// The rank whose data this one writes and reads without MPI.
  [[nodiscard]] int next_rank() const { return (rank_ + 1) % shape_.ranks; }

  /// Without MPI: what `rank` has in a slot, empty where the file is too short; and puts it there.
  [[nodiscard]] std::vector<std::byte> read_slot(int rank, std::int64_t slot) const;
  void write_slot(int rank, std::int64_t slot, std::span<const std::byte> data) const;

 private:
  [[nodiscard]] std::string name_of(int rank) const;
  [[nodiscard]] bool is_own() const { return access_.sharing == FileSharing::of_each_rank; }
  void set_view();

  MPI_Comm comm_;
  int rank_;
  FileAccess access_;
  FileShape shape_;
  std::string name_;
  UniqueDatatype view_;
  UniqueFile file_;
};

/// Whether this process has a file of that name open with O_DIRECT, as Linux tells it.
bool is_open_directly(const std::string& name);

/// Why this library does not open files in a folder with O_DIRECT when it is asked to, by the hints
/// that ROMIO has; empty where it does. Of this process alone.
std::string direct_obstacle(const std::string& path);

}  // namespace hockney::benchmarks

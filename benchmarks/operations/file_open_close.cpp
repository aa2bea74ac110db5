#include <unistd.h>

#include "benchmarks/harness/catalogue.hpp"
#include "benchmarks/harness/file_access.hpp"
#include "benchmarks/harness/measured_file.hpp"

namespace hockney::benchmarks {
namespace {

/// All ranks open the file, or each its own, and close it.
class OpenClose {
 public:
  static constexpr Descriptor descriptor{
      .name = "file-open-close",
      .summary = "MPI_File_open and MPI_File_close by all ranks, until the last one is through",
      .counts = "nothing, it carries no data",
      .shape = GroupShape::everybody,
      .timing = Timing::last_rank,
      .single = true,
      .sized = false,
      .sizes = "nothing: there is one size, 0",
      .files = true};
  static Volume volume(const Point&) { return {.operations = 1}; }
  static std::optional<std::string> obstacle(const Point& point) {
    return file_obstacle(point, false, false);
  }

  OpenClose(const Context& context, const Point& point)
      : file_(context, point),
        comm_(file_.access().sharing == FileSharing::one ? context.comm : MPI_COMM_SELF),
        name_(file_.own_name()) {}

  void run() {
    MPI_File file = MPI_FILE_NULL;
    opened_ =
        MPI_File_open(comm_, name_.c_str(), MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
    closed_ = MPI_File_close(&file);
  }

  /// There is no file before the first call.
  void refill(std::uint64_t) {
    file_.gather();
    ::unlink(name_.c_str());
    file_.gather();
    opened_ = closed_ = MPI_ERR_PENDING;
  }

  [[nodiscard]] bool verify(std::uint64_t) const {
    return opened_ == MPI_SUCCESS && closed_ == MPI_SUCCESS && ::access(name_.c_str(), W_OK) == 0;
  }

 private:
  MeasuredFile file_;
  MPI_Comm comm_;
  std::string name_;
  int opened_ = MPI_ERR_PENDING;
  int closed_ = MPI_ERR_PENDING;
};

const Registration<OpenClose> file_open_close;

}  // namespace
}  // namespace hockney::benchmarks

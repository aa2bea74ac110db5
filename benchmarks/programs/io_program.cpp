#include <fcntl.h>
#include <mpi.h>
#include <unistd.h>

#include <fmt/format.h>
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

#include "benchmarks/harness/catalogue.hpp"
#include "benchmarks/harness/environment.hpp"
#include "benchmarks/harness/file_access.hpp"
#include "benchmarks/harness/mpi_objects.hpp"
#include "benchmarks/programs/launch/options.hpp"
#include "benchmarks/programs/programs.hpp"
#include "core/atomic_file.hpp"
#include "core/error.hpp"
#include "core/quantities.hpp"

// hockney-io: files by MPI. They are removed however the program ends.
namespace hockney::benchmarks::programs {
namespace {

std::int64_t space_of(const LaunchOptions& options) {
  return options.files.space.value_or(usual_file_space);
}

/// Largest space that a point needs [B].
std::int64_t needed_space(const LaunchOptions& options, int ranks) {
  std::int64_t most = 0;
  for (const std::string& name : options.operations) {
    const Descriptor& descriptor = find_operation(name).descriptor;
    if (!descriptor.files || !descriptor.sized) continue;
    for (const Bytes bytes : options.sizes) {
      Point point{.bytes = bytes, .ranks = ranks};
      point.parameters.set(file_space_parameter, space_of(options));
      most = std::max(most, file_shape_of(point).total());
    }
  }
  return most;
}

/// Why some rank cannot use a file that rank 0 makes there; empty if all can. Collective.
std::string folder_obstacle(MPI_Comm comm, const std::string& path) {
  const std::string name =
      fmt::format("{}/{}", path, broadcast_text(comm, own_file_prefix() + "seen"));
  std::string reason;
  if (rank_in(comm) == 0) {
    const FileDescriptor file(::open(name.c_str(), O_CREAT | O_WRONLY | O_CLOEXEC, 0600));
    if (!file.is_open()) reason = std::strerror(errno);
  }
  reason = broadcast_text(comm, reason);
  if (!reason.empty()) return reason;
  const bool is_there = ::access(name.c_str(), R_OK | W_OK) == 0;
  const auto seen = gather_texts(comm, is_there ? "seen" : "");
  if (rank_in(comm) == 0) ::unlink(name.c_str());
  return std::ranges::find(seen, "") == seen.end() ? "" : "not all ranks see the files there";
}

/// InputError, before MPI_Init, if no folder is named or it is not writable.
void check_folder(const LaunchOptions& options) {
  const std::string& path = options.files.path;
  if (path.empty()) {
    throw InputError({"no folder for the files", "they can be large, and measure what they are on",
                      "name one with --path DIR"});
  }
  std::error_code none;
  if (!std::filesystem::is_directory(path, none)) {
    throw InputError({fmt::format("bad folder '{}' for --path", path), "there is no such folder",
                      "make it, or name another one"});
  }
  if (::access(path.c_str(), W_OK | X_OK) == 0) return;
  throw InputError({fmt::format("bad folder '{}' for --path", path), std::strerror(errno),
                    "name one that can be written to"});
}

/// Completes the options for files, the same on every rank: rank 0 finds the file system, and
/// whether O_DIRECT is possible. InputError if a rank does not have the folder of the others, for
/// sizes that need more than --space, and if less than that is free. Collective.
void agree_on_files(MPI_Comm comm, LaunchOptions& options) {
  FileChoices& files = options.files;
  const int ranks = size_of(comm);
  if (is_simulated()) return;
  for (const Bytes bytes : options.sizes) {
    if (ranks * bytes.value <= space_of(options)) continue;
    throw InputError(
        {fmt::format("--sizes up to {} with {} ranks", format_bytes(bytes), ranks),
         fmt::format("one call of all takes {}, more than --space {}",
                     format_bytes({ranks * bytes.value}), format_bytes({space_of(options)})),
         "use smaller sizes or more --space"});
  }
  if (const std::string reason = folder_obstacle(comm, files.path); !reason.empty()) {
    throw InputError({fmt::format("bad folder '{}' for --path", files.path), reason,
                      "name one that every rank can write to"});
  }
  files.file_system = broadcast_text(comm, file_system_of(files.path));
  const auto free =
      sent_number<std::int64_t>(broadcast_text(comm, std::to_string(free_space(files.path))));
  if (needed_space(options, ranks) > free) {
    throw InputError({fmt::format("files of up to {} in '{}'",
                                  format_bytes({needed_space(options, ranks)}), files.path),
                      fmt::format("only {} are free there", format_bytes({free})),
                      "use a smaller --space, smaller sizes or another folder"});
  }
  if (!options.choices.has(file_cache_parameter, FileCache::direct)) return;
  for (const std::string& reason : gather_texts(comm, direct_obstacle(files.path))) {
    if (files.direct_obstacle.empty()) files.direct_obstacle = reason;
  }
}

constexpr const char* io_description =
    "Measure writing, reading and opening of files by MPI, independently and collectively";

int run_io(int argc, char** argv) {
  FileJanitor janitor;
  return run_program(
      {.procedure = "io",
       .description = io_description,
       .operations = "file-write,file-read,file-write-all,file-read-all,file-open-close",
       .usual = "all but the nonblocking ones",
       .sizes = "4K:4M:1",
       .measures_files = true,
       .check =
           [&](const LaunchOptions& options) {
             check_folder(options);
             janitor.watch(options.files.path, own_file_prefix());
           },
       .agree = [](LaunchOptions& options) { agree_on_files(MPI_COMM_WORLD, options); },
       .help = {.examples = {{"mpirun -n 2 hockney-io --path .", "write and read, each and all"},
                             {"mpirun -n 2 hockney-io --path . --operations C_Write_Shared --cache "
                              "synced",
                              "IMB's names"},
                             {"mpirun -n 2 hockney-io --path . --files one,per-rank --layout all "
                              "--sizes 64K",
                              "layouts"}},
                .common = {"--path", "--pointer", "--files", "--layout", "--cache", "--space"}}},
      argc, argv);
}

}  // namespace

NamedProgram io_program() { return {"io", io_description, run_io}; }

}  // namespace hockney::benchmarks::programs

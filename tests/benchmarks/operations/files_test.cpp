#include <catch2/catch.hpp>
#include <filesystem>

#include "benchmarks/harness/file_access.hpp"
#include "benchmarks/harness/mpi_objects.hpp"
#include "tests/benchmarks/operations/corruption_trial.hpp"
#include "tests/support/temporary_folder.hpp"

namespace hockney::benchmarks {
namespace {

/// A folder of rank 0, which all ranks see.
class SharedFolder {
 public:
  SharedFolder() {
    if (rank_in(MPI_COMM_WORLD) == 0) own_ = std::make_unique<TemporaryFolder>();
    path_ = broadcast_text(MPI_COMM_WORLD, own_ ? own_->path() : "");
  }
  [[nodiscard]] const std::string& path() const { return path_; }
  /// By the rank whose folder it is: the others may see it go.
  [[nodiscard]] bool is_empty() const { return !own_ || std::filesystem::is_empty(path_); }

 private:
  std::unique_ptr<TemporaryFolder> own_;
  std::string path_;
};

/// Every way in which the operation's files can be pointed at, shared, laid out and cached, as far
/// as it can be done.
std::vector<Point> ways_of(const CatalogueEntry& entry, const std::string& path, int ranks) {
  std::vector<Point> points;
  for (const FilePointer pointer : every<FilePointer>()) {
    for (const FileSharing files : every<FileSharing>()) {
      for (const FileLayout layout : every<FileLayout>()) {
        for (const FileCache cache : {FileCache::kept, FileCache::synced}) {
          Point point{.operation = std::string(entry.descriptor.name),
                      .bytes = {entry.descriptor.sized ? 24 : 0},
                      .ranks = ranks,
                      .parameters = {{file_path_parameter, path},
                                     {file_pointer_parameter, pointer},
                                     {file_sharing_parameter, files},
                                     {file_layout_parameter, layout},
                                     {file_cache_parameter, cache}}};
          if (!entry.obstacle(point)) points.push_back(point);
        }
      }
    }
  }
  return points;
}

TEST_CASE("every way of writing and reading files moves its data, lap after lap") {
  const SharedFolder folder;
  BufferPool buffers(1);
  const int size = size_of(MPI_COMM_WORLD);
  int tried = 0;
  for (const CatalogueEntry& entry : catalogue()) {
    if (!entry.descriptor.files) continue;
    for (const Point& point : ways_of(entry, folder.path(), size)) {
      INFO(curve_name(point));
      const auto operation =
          entry.prepare({MPI_COMM_WORLD, rank_in(MPI_COMM_WORLD), size, buffers, {}}, point);
      operation->refill(1, 1);
      CHECK_FALSE(all_of(MPI_COMM_WORLD, operation->verify()));  // nothing has been done
      operation->refill(2, 1);
      for (int call = 0; call < 2 * most_file_slots + 3; ++call) {
        operation->ready();
        operation->run_batch(1);
      }
      CHECK(all_of(MPI_COMM_WORLD, operation->verify()));
      ++tried;
    }
  }
  MPI_Barrier(MPI_COMM_WORLD);
  CHECK(folder.is_empty());
  CHECK(tried == 86);  // of writing 48, of reading 24, of opening 14
}

TEST_CASE("every corruption of what is written to files and read from them is noticed") {
  const SharedFolder folder;
  BufferPool buffers(2);
  Tally tally;
  UniqueComm everybody;
  mpi_check(PMPI_Comm_dup(MPI_COMM_WORLD, everybody.out()));
  for (const CatalogueEntry& entry : catalogue()) {
    if (!entry.descriptor.files || !entry.descriptor.sized) continue;
    for (Point point : ways_of(entry, folder.path(), size_of(everybody.get()))) {
      point.bytes = {trial_elements * 4};
      point.parameters.set(datatype_parameter, "float");
      Trial trial(entry, point, everybody, buffers, tally);
      trial.one_sided(entry.descriptor).expect_check(false);
    }
  }
  for (const std::string& mistake : tally.mistakes) UNSCOPED_INFO(mistake);
  CHECK(tally.mistakes.empty());
  CHECK(tally.noticed == tally.corrupted);
  CHECK(tally.corrupted > 500);
}

/// The last call of the lap before is spoiled; the data of this one are good.
TEST_CASE("what was wrong before slots were written again, or before the last read, is noticed") {
  const SharedFolder folder;
  BufferPool buffers(3);
  const int size = size_of(MPI_COMM_WORLD);
  for (const char* name : {"file-write", "file-read", "file-iwrite-all", "file-read-all"}) {
    INFO(name);
    const CatalogueEntry& entry = find_operation(name);
    const Point point{.operation = name,
                      .bytes = {4096},
                      .ranks = size,
                      .parameters = {{file_path_parameter, folder.path()}}};
    const auto operation =
        entry.prepare({MPI_COMM_WORLD, rank_in(MPI_COMM_WORLD), size, buffers, {}}, point);
    operation->refill(1, 1);
    for (int call = 0; call < most_file_slots + 2; ++call) {
      const Corruptor corruptor(
          call == most_file_slots - 1 ? Corruption::last_bit : Corruption::none, {});
      operation->ready();
      operation->run_batch(1);
    }
    CHECK_FALSE(all_of(MPI_COMM_WORLD, operation->verify()));
    MPI_Barrier(MPI_COMM_WORLD);
  }
}

TEST_CASE("bytes lie in files where layouts say") {
  const FileShape shape{.ranks = 3, .bytes = 8, .slots = 2, .piece = 4};
  CHECK(shape.total() == 48);
  CHECK(place_in_file(shape, {}, 0, 0, 5) == 5);
  CHECK(place_in_file(shape, {}, 1, 0, 0) == 16);
  CHECK(place_in_file(shape, {}, 2, 1, 3) == 43);
  const FileAccess strided{.layout = FileLayout::strided};
  CHECK(place_in_file(shape, strided, 0, 0, 3) == 3);
  CHECK(place_in_file(shape, strided, 0, 0, 4) == 12);
  CHECK(place_in_file(shape, strided, 2, 1, 7) == 47);
  CHECK(place_in_file(shape, {.sharing = FileSharing::of_each_rank}, 2, 1, 3) == 11);
}

TEST_CASE("files stay within the space") {
  Point point{.bytes = {1 << 20}, .ranks = 4, .parameters = {{file_space_parameter, 10485760}}};
  CHECK(file_shape_of(point).slots == 2);
  CHECK(file_shape_of(point).total() == 8 << 20);
  point.parameters.erase(file_space_parameter);
  CHECK(file_shape_of(point).slots == most_file_slots);
  point.bytes = {12};
  CHECK(file_shape_of(point).piece == 4);
}

TEST_CASE("what files cannot do is said") {
  const auto why = [](const Parameters& parameters, bool is_collective = false,
                      bool is_reading = false) {
    const Point point{.bytes = {8}, .ranks = 2, .parameters = parameters};
    return file_obstacle(point, is_collective, is_reading).value_or("");
  };
  CHECK(why({}).find("--path") != std::string::npos);
  CHECK(why({{file_path_parameter, "/tmp"}}).empty());
  CHECK_FALSE(
      why({{file_path_parameter, "/tmp"}, {file_sharing_parameter, FileSharing::of_each_rank}},
          true)
          .empty());
  CHECK_FALSE(why({{file_path_parameter, "/tmp"},
                   {file_sharing_parameter, FileSharing::of_each_rank},
                   {file_pointer_parameter, FilePointer::shared}})
                  .empty());
  CHECK_FALSE(why({{file_path_parameter, "/tmp"},
                   {file_layout_parameter, FileLayout::strided},
                   {file_pointer_parameter, FilePointer::shared}})
                  .empty());
  CHECK_FALSE(
      why({{file_path_parameter, "/tmp"}, {file_cache_parameter, FileCache::synced}}, false, true)
          .empty());
  CHECK_FALSE(
      why({{file_path_parameter, "/tmp"}, {cadence_parameter, Cadence::streaming}}).empty());
  CHECK_FALSE(why({{file_path_parameter, "/tmp"}, {datatype_parameter, "double-int"}}).empty());
  CHECK_FALSE(why({{file_path_parameter, "/tmp"}, {file_space_parameter, 15}}).empty());
}

}  // namespace
}  // namespace hockney::benchmarks

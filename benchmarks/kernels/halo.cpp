#include "benchmarks/kernels/halo.hpp"

#include <mpi.h>

#include <fmt/format.h>
#include <algorithm>
#include <vector>

#include "benchmarks/harness/environment.hpp"
#include "benchmarks/harness/mpi_objects.hpp"
#include "core/error.hpp"
#include "core/text.hpp"

namespace hockney::benchmarks::kernels {
namespace {

/// The fields of all blocks as memory into which neighbours put their cells.
class ExposedFields {
 public:
  /// Collective over the block's communicator.
  explicit ExposedFields(const HaloBlock& block);

  [[nodiscard]] MPI_Win window() const { return window_.get(); }
  [[nodiscard]] const std::vector<const Face*>& open_faces() const { return open_; }
  /// Puts the inner cells of a field into the ghosts of all neighbours.
  void put(int field) const;

 private:
  const HaloBlock& block_;
  std::vector<const Face*> open_;
  UniqueWin window_;
};

enum class Side { low, high };
enum class Layer { inner, ghosts };

/// The cells of a field on one side, as one layer.
UniqueDatatype slab(const Layout& layout, std::size_t dimension, Side side, Layer layer) {
  Triple cells = layout.inner().end;
  Triple first{};
  for (std::size_t i = 0; i < 3; ++i) first.at(i) = layout.ghosts(i);
  const int last = first.at(dimension) + cells.at(dimension);
  if (side == Side::low) {
    first.at(dimension) = layer == Layer::inner ? first.at(dimension) : 0;
  } else {
    first.at(dimension) = layer == Layer::inner ? last - 1 : last;
  }
  cells.at(dimension) = 1;
  UniqueDatatype type;
  mpi_check(MPI_Type_create_subarray(3, layout.padded().data(), cells.data(), first.data(),
                                     MPI_ORDER_C, MPI_DOUBLE, type.out()));
  MPI_Datatype handle = type.get();
  mpi_check(MPI_Type_commit(&handle));
  return type;
}

Face make_face(const Decomposition& decomposition, int position, std::size_t dimension, Side side) {
  const int dimensions = decomposition.points.dimensions;
  Triple place = decomposition.place_of(position);
  place.at(dimension) += side == Side::low ? -1 : 1;
  const int neighbour = decomposition.position_of(place);
  Face face;
  if (neighbour < 0) return face;
  const Layout own(decomposition.block_at(position), dimensions);
  const Layout theirs(decomposition.block_at(neighbour), dimensions);
  const Side opposite = side == Side::low ? Side::high : Side::low;
  face.neighbour = neighbour;
  face.inner = slab(own, dimension, side, Layer::inner);
  face.ghosts = slab(own, dimension, side, Layer::ghosts);
  face.their_ghosts = slab(theirs, dimension, opposite, Layer::ghosts);
  face.their_field_bytes = static_cast<MPI_Aint>(theirs.cells() * sizeof(double));
  return face;
}

/// Every rank sends towards one side and receives from the other; one side after the other, with
/// blocking calls.
class BlockingHalo final : public Halo {
 public:
  explicit BlockingHalo(const HaloBlock& block) : block_(block) {}

  void begin(int) override {}

  void end(int field) override {
    for (std::size_t low = 0; low < block_.faces.size(); low += 2) {
      shift(field, block_.faces[low], block_.faces[low + 1]);
      shift(field, block_.faces[low + 1], block_.faces[low]);
    }
  }

 private:
  /// At the grid's edge there is no datatype and no neighbour: no message.
  void shift(int field, const Face& to, const Face& from) {
    double* const cells = block_.field(field);
    MPI_Sendrecv(cells, to.has_neighbour() ? 1 : 0,
                 to.has_neighbour() ? to.inner.get() : MPI_DOUBLE, to.neighbour, 0, cells,
                 from.has_neighbour() ? 1 : 0,
                 from.has_neighbour() ? from.ghosts.get() : MPI_DOUBLE, from.neighbour, 0,
                 block_.comm, MPI_STATUS_IGNORE);
  }

  const HaloBlock& block_;
};

/// Starts all receives and sends at once, then waits for all.
class ImmediateHalo final : public Halo {
 public:
  explicit ImmediateHalo(const HaloBlock& block)
      : block_(block), open_(block.open_faces()), requests_(2 * open_.size(), MPI_REQUEST_NULL) {}

  void begin(int field) override {
    double* const cells = block_.field(field);
    std::size_t next = 0;
    for (const Face* face : open_) {
      MPI_Irecv(cells, 1, face->ghosts.get(), face->neighbour, 0, block_.comm, &requests_[next++]);
    }
    for (const Face* face : open_) {
      MPI_Isend(cells, 1, face->inner.get(), face->neighbour, 0, block_.comm, &requests_[next++]);
    }
  }

  void end(int) override {
    MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE);
  }

 private:
  const HaloBlock& block_;
  std::vector<const Face*> open_;
  std::vector<MPI_Request> requests_;
};

/// Persistent requests of the same receives and sends, for each field, started again and again.
class PersistentHalo final : public Halo {
 public:
  explicit PersistentHalo(const HaloBlock& block) {
    for (int field = 0; field < 2; ++field) describe(block, field);
  }
  PersistentHalo(const PersistentHalo&) = delete;
  PersistentHalo& operator=(const PersistentHalo&) = delete;
  PersistentHalo(PersistentHalo&&) = delete;
  PersistentHalo& operator=(PersistentHalo&&) = delete;
  ~PersistentHalo() override {
    for (std::vector<MPI_Request>& requests : requests_) {
      for (MPI_Request& request : requests) MPI_Request_free(&request);
    }
  }

  void begin(int field) override {
    std::vector<MPI_Request>& requests = of(field);
    MPI_Startall(static_cast<int>(requests.size()), requests.data());
  }

  void end(int field) override {
    std::vector<MPI_Request>& requests = of(field);
    MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
  }

 private:
  std::vector<MPI_Request>& of(int field) { return requests_[static_cast<std::size_t>(field)]; }

  void describe(const HaloBlock& block, int field) {
    double* const cells = block.field(field);
    for (const Face* face : block.open_faces()) {
      mpi_check(MPI_Recv_init(cells, 1, face->ghosts.get(), face->neighbour, 0, block.comm,
                              &of(field).emplace_back(MPI_REQUEST_NULL)));
      mpi_check(MPI_Send_init(cells, 1, face->inner.get(), face->neighbour, 0, block.comm,
                              &of(field).emplace_back(MPI_REQUEST_NULL)));
    }
  }

  std::array<std::vector<MPI_Request>, 2> requests_;
};

/// One neighbourhood collective on a Cartesian communicator. Its neighbours have the order of the
/// faces.
class NeighbourhoodHalo final : public Halo {
 public:
  explicit NeighbourhoodHalo(const HaloBlock& block)
      : block_(block), places_(block.faces.size(), 0) {
    const Grid& processes = block.processes;
    const int* const extents = processes.extents.data() + processes.first();
    const Triple open_edges{};
    mpi_check(MPI_Cart_create(block.comm, processes.dimensions, extents, open_edges.data(), 0,
                              comm_.out()));
    for (const Face& face : block.faces) {
      const bool is_open = face.has_neighbour();
      counts_.push_back(is_open ? 1 : 0);
      inner_.push_back(is_open ? face.inner.get() : MPI_DOUBLE);
      ghosts_.push_back(is_open ? face.ghosts.get() : MPI_DOUBLE);
    }
  }

  void begin(int field) override {
    double* const cells = block_.field(field);
    MPI_Ineighbor_alltoallw(cells, counts_.data(), places_.data(), inner_.data(), cells,
                            counts_.data(), places_.data(), ghosts_.data(), comm_.get(), &request_);
  }

  void end(int) override { MPI_Wait(&request_, MPI_STATUS_IGNORE); }

 private:
  const HaloBlock& block_;
  UniqueComm comm_;
  std::vector<MPI_Aint> places_;  ///< [B]
  std::vector<int> counts_;
  std::vector<MPI_Datatype> inner_;
  std::vector<MPI_Datatype> ghosts_;
  MPI_Request request_ = MPI_REQUEST_NULL;
};

/// A fence completes the puts of all ranks and opens the window for the next ones.
class FenceHalo final : public Halo {
 public:
  explicit FenceHalo(const HaloBlock& block) : fields_(block) {
    MPI_Win_fence(0, fields_.window());
  }
  FenceHalo(const FenceHalo&) = delete;
  FenceHalo& operator=(const FenceHalo&) = delete;
  FenceHalo(FenceHalo&&) = delete;
  FenceHalo& operator=(FenceHalo&&) = delete;
  ~FenceHalo() override { MPI_Win_fence(MPI_MODE_NOSUCCEED, fields_.window()); }

  void begin(int field) override { fields_.put(field); }
  void end(int) override { MPI_Win_fence(0, fields_.window()); }

 private:
  ExposedFields fields_;
};

/// Post, start, complete and wait: every rank opens its window only to its neighbours.
class PscwHalo final : public Halo {
 public:
  explicit PscwHalo(const HaloBlock& block) : fields_(block) {
    std::vector<int> ranks;
    for (const Face* face : fields_.open_faces()) ranks.push_back(face->neighbour);
    if (ranks.empty()) return;
    UniqueGroup all;
    mpi_check(MPI_Comm_group(block.comm, all.out()));
    mpi_check(
        MPI_Group_incl(all.get(), static_cast<int>(ranks.size()), ranks.data(), neighbours_.out()));
  }

  void begin(int field) override {
    if (!neighbours_) return;
    MPI_Win_post(neighbours_.get(), 0, fields_.window());
    MPI_Win_start(neighbours_.get(), 0, fields_.window());
    fields_.put(field);
  }

  void end(int) override {
    if (!neighbours_) return;
    MPI_Win_complete(fields_.window());
    MPI_Win_wait(fields_.window());
  }

 private:
  ExposedFields fields_;
  UniqueGroup neighbours_;
};

/// Puts without a part of the target. The window is locked once; a flush completes the puts, and an
/// empty message notifies the neighbour. The message also says that its sender no longer reads the
/// previous field, whose ghosts the next puts overwrite.
class LockHalo final : public Halo {
 public:
  explicit LockHalo(const HaloBlock& block)
      : comm_(block.comm),
        fields_(block),
        requests_(2 * fields_.open_faces().size(), MPI_REQUEST_NULL) {
    MPI_Win_lock_all(MPI_MODE_NOCHECK, fields_.window());
  }
  LockHalo(const LockHalo&) = delete;
  LockHalo& operator=(const LockHalo&) = delete;
  LockHalo(LockHalo&&) = delete;
  LockHalo& operator=(LockHalo&&) = delete;
  ~LockHalo() override { MPI_Win_unlock_all(fields_.window()); }

  void begin(int field) override { fields_.put(field); }

  void end(int) override {
    MPI_Win_flush_all(fields_.window());
    std::size_t next = 0;
    for (const Face* face : fields_.open_faces()) {
      MPI_Irecv(nullptr, 0, MPI_BYTE, face->neighbour, 0, comm_, &requests_[next++]);
      MPI_Isend(nullptr, 0, MPI_BYTE, face->neighbour, 0, comm_, &requests_[next++]);
    }
    MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE);
    MPI_Win_sync(fields_.window());
  }

 private:
  MPI_Comm comm_;
  ExposedFields fields_;
  std::vector<MPI_Request> requests_;
};

template <class Way>
std::unique_ptr<Halo> make(const HaloBlock& block) {
  return std::make_unique<Way>(block);
}

}  // namespace

ExposedFields::ExposedFields(const HaloBlock& block) : block_(block), open_(block.open_faces()) {
  mpi_check(MPI_Win_create(block.field(0), static_cast<MPI_Aint>(2 * block.field_bytes), 1,
                           MPI_INFO_NULL, block.comm, window_.out()));
  take_mpi_errors(window_.get());
}

void ExposedFields::put(int field) const {
  const double* const cells = block_.field(field);
  for (const Face* face : open_) {
    MPI_Put(cells, 1, face->inner.get(), face->neighbour, field * face->their_field_bytes, 1,
            face->their_ghosts.get(), window());
  }
}

std::vector<const Face*> HaloBlock::open_faces() const {
  std::vector<const Face*> open;
  for (const Face& face : faces) {
    if (face.has_neighbour()) open.push_back(&face);
  }
  return open;
}

std::vector<Face> make_faces(const Decomposition& decomposition, int position) {
  std::vector<Face> faces;
  for (std::size_t i = decomposition.points.first(); i < 3; ++i) {
    for (const Side side : {Side::low, Side::high}) {
      faces.push_back(make_face(decomposition, position, i, side));
    }
  }
  return faces;
}

const std::vector<HaloWay>& halo_ways() {
  static const std::vector<HaloWay> ways{
      {"blocking", "MPI_Sendrecv to each side in turn", Overlap::impossible, make<BlockingHalo>},
      {"immediate", "MPI_Irecv, MPI_Isend, MPI_Waitall", Overlap::possible, make<ImmediateHalo>},
      {"persistent", "MPI_Startall of MPI_Recv_init and MPI_Send_init, MPI_Waitall",
       Overlap::possible, make<PersistentHalo>},
      {"neighbourhood", "MPI_Ineighbor_alltoallw, MPI_Wait", Overlap::possible,
       make<NeighbourhoodHalo>},
      {"fence", "MPI_Put, MPI_Win_fence", Overlap::possible, make<FenceHalo>},
      {"pscw", "MPI_Win_post, MPI_Win_start, MPI_Put, MPI_Win_complete, MPI_Win_wait",
       Overlap::possible, make<PscwHalo>},
      {"lock",
       "MPI_Win_lock_all once; MPI_Put, MPI_Win_flush_all, and empty messages that announce it",
       Overlap::possible, make<LockHalo>}};
  return ways;
}

const HaloWay& find_halo_way(const std::string& name) {
  const auto& ways = halo_ways();
  const auto found = std::ranges::find(ways, name, &HaloWay::name);
  if (found != ways.end()) return *found;
  throw InputError({fmt::format("unknown way '{}'", name), "no exchange of ghost cells goes it",
                    suggest(name, strings_of(ways, [](const HaloWay& way) { return way.name; }))});
}

std::optional<std::string> halo_obstacle(const HaloWay& way) {
  if (!is_simulated() || way.name != "neighbourhood") return std::nullopt;
  return "SMPI has no neighbourhood collectives";
}

}  // namespace hockney::benchmarks::kernels

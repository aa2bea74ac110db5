#include "application/screens/rank_file.hpp"

#include <algorithm>
#include <iterator>

#include "core/error.hpp"
#include "core/text.hpp"

namespace hockney::report {
namespace {

/// The ranks of every host, in their order.
std::vector<std::vector<std::size_t>> ranks_of_hosts(const RankPlaces& places) {
  std::vector<std::vector<std::size_t>> ranks(places.hosts.size());
  for (std::size_t rank = 0; rank < places.of_rank.size(); ++rank) {
    ranks[static_cast<std::size_t>(places.of_rank[rank])].push_back(rank);
  }
  return ranks;
}

const std::string& host_of(const RankPlaces& places, std::size_t rank) {
  return places.hosts[static_cast<std::size_t>(places.of_rank[rank])];
}

void write_open_mpi(std::ostream& out, const RankPlaces& places) {
  std::vector<std::size_t> local(places.hosts.size(), 0);
  for (std::size_t rank = 0; rank < places.of_rank.size(); ++rank) {
    const std::size_t slot = local[static_cast<std::size_t>(places.of_rank[rank])]++;
    out << "rank " << rank << '=' << host_of(places, rank) << " slot=";
    if (slot < places.slots.size()) {
      out << places.slots[slot].core << '\n';
    } else {
      out << slot << '\n';
    }
  }
}

void write_rank_order(std::ostream& out, const RankPlaces& places) {
  std::vector<std::size_t> order;
  for (const auto& ranks : ranks_of_hosts(places)) {
    std::ranges::copy(ranks, std::back_inserter(order));
  }
  out << join_numbers(order, ",") << '\n';
}

std::vector<int> processors(const RankPlaces& places) {
  std::vector<int> cpus;
  for (const LocalSlot& slot : places.slots) cpus.push_back(slot.cpu);
  return cpus;
}

}  // namespace

RankFile usual_rank_file(const std::string& mpi_library) {
  return mpi_library.starts_with("Open MPI") ? RankFile::rankfile : RankFile::hosts;
}

void write_rank_file(std::ostream& out, const RankPlaces& places, RankFile format) {
  switch (format) {
    case RankFile::rankfile:
      return write_open_mpi(out, places);
    case RankFile::hosts:
      for (std::size_t rank = 0; rank < places.of_rank.size(); ++rank) {
        out << host_of(places, rank) << '\n';
      }
      return;
    case RankFile::rank_order:
      return write_rank_order(out, places);
    case RankFile::intel:
      break;
  }
  if (places.slots.empty()) {
    throw InputError({"no processors for I_MPI_PIN_PROCESSOR_LIST",
                      "nothing says which of them local ranks get",
                      "add --cpus compact, scatter, numa or l3"});
  }
  out << "export I_MPI_PIN=1\nexport I_MPI_PIN_PROCESSOR_LIST=" +
             join_numbers(processors(places), ",") + "\n";
}

std::vector<std::string> launches_with(const std::string& file, const RankPlaces& places,
                                       RankFile format) {
  const std::string name = inert(file);
  switch (format) {
    case RankFile::rankfile:
      return {"Open MPI 4: mpirun --rankfile " + name + " PROGRAM",
              "Open MPI 5: mpirun --map-by rankfile:file=" + name + " PROGRAM"};
    case RankFile::hosts: {
      const std::string bind = places.slots.empty()
                                   ? ""
                                   : " --cpu-bind=map_cpu:" + join_numbers(processors(places), ",");
      return {
          "MPICH: mpiexec -f " + name + " PROGRAM",
          "Intel MPI: mpirun -machinefile " + name + " PROGRAM",
          "Slurm: SLURM_HOSTFILE=" + name + " srun --distribution=arbitrary" + bind + " PROGRAM"};
    }
    case RankFile::rank_order:
      return {"Cray: MPICH_RANK_REORDER_METHOD=3, with " + name + " as ./MPICH_RANK_ORDER"};
    case RankFile::intel:
      break;
  }
  return {"Intel MPI: . ./" + name + " before mpirun -machinefile of --format hosts"};
}

}  // namespace hockney::report

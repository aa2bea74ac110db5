#include <mpi.h>

#include <catch2/catch.hpp>
#include <cstdlib>
#include <string>
#include <vector>

#include "benchmarks/harness/catalogue.hpp"
#include "benchmarks/harness/data_layout.hpp"
#include "benchmarks/harness/datatypes.hpp"
#include "benchmarks/harness/device_places.hpp"
#include "benchmarks/harness/memory_facts.hpp"
#include "benchmarks/harness/node_probe.hpp"
#include "tests/benchmarks/operations/one_operation.hpp"

// Buffers on the device that is not there (standin.cpp): hockney fills and checks them by copies
// alone, and every refusal of the runtime has its words.
namespace hockney::benchmarks {
namespace {

/// A variable of the stand-in for the time of a scope.
class Standin {
 public:
  Standin(const char* variable, const std::string& value) : variable_(variable) {
    ::setenv(variable, value.c_str(), 1);
  }
  Standin(const Standin&) = delete;
  Standin& operator=(const Standin&) = delete;
  Standin(Standin&&) = delete;
  Standin& operator=(Standin&&) = delete;
  ~Standin() { ::unsetenv(variable_); }

 private:
  const char* variable_;
};

const std::vector<Memory> devices{{.kind = MemoryKind::cuda}, {.kind = MemoryKind::rocm}};
const std::vector<Memory> managed{{.kind = MemoryKind::cuda, .place = DevicePlace::managed},
                                  {.kind = MemoryKind::rocm, .place = DevicePlace::managed}};
const std::vector<Memory> pinned{{.kind = MemoryKind::cuda, .place = DevicePlace::pinned},
                                 {.kind = MemoryKind::rocm, .place = DevicePlace::pinned}};

/// Whether its buffers can be on a device (launch/memory_planning.cpp has the words).
bool can_use_device(const Descriptor& descriptor) {
  const bool is_host_floor =
      descriptor.carrier == Carrier::shared_memory || descriptor.carrier == Carrier::peer_memory;
  const bool is_work = descriptor.carrier == Carrier::none;
  return descriptor.sized && !is_work && !descriptor.one_sided && !descriptor.files &&
         !descriptor.own.contains(layout_parameter) && !is_host_floor &&
         !is_mock_up(descriptor.name);
}

/// Every operation that can, prepared in memory of a device.
template <class Check>
void for_every_operation(const Memory& memory, Bytes bytes, Check check, bool in_place = false,
                         bool with_persistent = true) {
  BufferPool buffers(3);
  for (const CatalogueEntry& entry : catalogue()) {
    const UniqueComm team = team_for(entry.descriptor);
    if (!team || !can_use_device(entry.descriptor)) continue;
    const std::string_view name = entry.descriptor.name;
    const bool communicates = name.starts_with("persistent-") || name.ends_with("-completed");
    if (!with_persistent && communicates) continue;  // before it is run
    if (in_place && entry.descriptor.in_place == InPlace::never) continue;
    const int size = size_of(team.get());
    if (size < 2 && entry.descriptor.shape != GroupShape::everybody) continue;
    Point point = point_for(entry.descriptor, bytes, size);
    point.parameters.set(memory_parameter, {memory, memory});
    if (in_place) point.parameters.set(in_place_parameter, ReceivePlace::in_place);
    if (obstacle(point) || !is_possible(entry, point)) continue;
    INFO(entry.descriptor.name << " in " << memory_name(memory) << " at " << bytes.value);
    const auto operation = entry.prepare({.comm = team.get(),
                                          .rank = rank_in(team.get()),
                                          .size = size,
                                          .pool = buffers,
                                          .memory = memory},
                                         point);
    check(*operation, team.get());
  }
}

TEST_CASE("every operation delivers its data from and to memory of a device") {
  const std::vector<std::int64_t> sizes{0, 64, 100'000};
  for (const Memory& memory : {devices[0], devices[1], managed[0], pinned[0]}) {
    const bool is_usual = memory.place == DevicePlace::device;
    for (const std::int64_t bytes : is_usual ? sizes : std::vector{sizes[1]}) {
      for_every_operation(memory, {bytes}, [](PreparedOperation& operation, MPI_Comm) {
        operation.refill(7, 3);
        for (int i = 0; i < 3; ++i) {
          operation.ready();
          operation.run_batch(1);
          CHECK(operation.verify());
        }
      });
    }
  }
}

TEST_CASE("what is put back before a call in place is put on the device") {
  for_every_operation(
      devices[0], {64},
      [](PreparedOperation& operation, MPI_Comm) {
        operation.refill(7, 3);
        for (int i = 0; i < 3; ++i) {
          operation.ready();
          operation.run_batch(1);
          CHECK(operation.verify());
        }
      },
      true);
}

TEST_CASE("the host touches no memory of a device: filling, checking and restoring go by copies") {
  const Standin protect("STANDIN_PROTECT", "1");
  for (const bool in_place : {false, true}) {
    for_every_operation(
        in_place ? managed[0] : devices[0], {64},
        [](PreparedOperation& operation, MPI_Comm team) {
          operation.refill(7, 1);
          operation.ready();
          // Nothing was sent, and MPI could not reach it. A touch would have ended the program.
          if (size_of(team) > 1) CHECK_FALSE(all_of(team, operation.verify()));
        },
        in_place, false);  // Open MPI 4 copies when a persistent request is made
  }
}

TEST_CASE("data that a copy spoils are noticed") {
  for_every_operation(devices[0], {64}, [](PreparedOperation& operation, MPI_Comm team) {
    operation.refill(7, 1);
    operation.ready();
    const Standin corrupt("STANDIN_CORRUPT", "1");
    operation.run_batch(1);
    if (size_of(team) == 1) return;  // to whom little arrives
    CHECK_FALSE(all_of(team, operation.verify()));
  });
}

TEST_CASE("memory of a device can be had, and is what it says") {
  for (const Memory& memory : devices) {
    CHECK(try_memory(memory, 0).empty());
    const BufferMemory taken(memory, 1000, 0);
    CHECK(taken.evidence().is_proven);
    CHECK(taken.evidence().device == "0000:00:00.0");
    CHECK(taken.data() != taken.image());
  }
}

TEST_CASE("managed memory has an image as memory on the device has, pinned memory needs none") {
  for (const Memory& memory : managed) {
    CHECK(try_memory(memory, 0).empty());
    const BufferMemory taken(memory, 1000, 0);
    CHECK(taken.data() != taken.image());
    CHECK(taken.evidence().device == "0000:00:00.0");
    CHECK(taken.evidence().is_proven);
  }
  for (const Memory& memory : pinned) {
    CHECK(try_memory(memory, 0).empty());
    const BufferMemory taken(memory, 1000, 0);
    CHECK(taken.data() == taken.image());
    CHECK_FALSE(taken.evidence().device);  // ranks that have it share no device
    CHECK_FALSE(is_on_device(memory));
  }
}

TEST_CASE("memory of another kind than the one asked for is said, and is no proof") {
  const Standin on_device("STANDIN_MANAGED", "2");
  const BufferMemory taken(managed[0], 8, 0);
  CHECK_FALSE(taken.evidence().is_proven);
  CHECK(taken.evidence().text ==
        "asked for managed memory, the runtime says device: device 0 of 1 at 0000:00:00.0, by "
        "libcudart.so");
  CHECK(try_memory(managed[0], 0) == taken.evidence().text);
  CHECK(BufferMemory(managed[1], 8, 0).evidence().is_proven);  // HIP's kinds are not read
}

TEST_CASE("every function of the runtime that fails has its line") {
  const Memory cuda = devices[0];
  for (const std::string function :
       {"GetDeviceCount", "SetDevice", "Malloc", "Memcpy", "DeviceSynchronize"}) {
    const Standin fail("STANDIN_FAIL", function);
    CHECK(try_memory(cuda, 0) == "cuda" + function + " failed (told to fail, 999)");
    CHECK(try_memory(devices[1], 0) == "hip" + function + " failed (told to fail, 999)");
  }
  {
    const Standin fail("STANDIN_FAIL", "MallocManaged");
    CHECK(try_memory(managed[0], 0) == "cudaMallocManaged failed (told to fail, 999)");
  }
  {
    const Standin fail("STANDIN_FAIL", "HostAlloc");
    CHECK(try_memory(pinned[0], 0) == "cudaHostAlloc failed (told to fail, 999)");
    CHECK(try_memory(pinned[1], 0) == "hipHostMalloc failed (told to fail, 999)");
  }
  const Standin later("STANDIN_FAIL", "DeviceGetPCIBusId");
  CHECK(try_memory(cuda, 0).empty());  // it is only a name
  CHECK(BufferMemory(cuda, 8, 0).evidence().device == "0");
}

TEST_CASE("without a device there is none, and what it spoils is no memory") {
  {
    const Standin none("STANDIN_DEVICES", "0");
    CHECK(try_memory(devices[0], 0) == "there is no CUDA device (libcudart.so counts none)");
    CHECK(try_memory(devices[1], 0) == "there is no ROCm device (libamdhip64.so counts none)");
  }
  const Standin corrupt("STANDIN_CORRUPT", "1");
  CHECK(try_memory(devices[0], 0) == "it does not hold what was written to it");
}

TEST_CASE("ranks of a node get its devices in turn") {
  const Standin two("STANDIN_DEVICES", "2");
  CHECK(BufferMemory(devices[0], 8, 1).evidence().text ==
        "device 1 of 2 at 0000:01:00.0, by libcudart.so");
  CHECK(BufferMemory(devices[0], 8, 2).evidence().device == "0000:00:00.0");
}

TEST_CASE("copies of each device are measured, and devices that refuse are left out") {
  const Standin two("STANDIN_DEVICES", "2");
  const DeviceProber prober;
  const std::vector<DeviceProbe> probes = prober.probe(3);
  REQUIRE(probes.size() == 2);
  for (int device = 0; device < 2; ++device) {
    const DeviceProbe& probe = probes[static_cast<std::size_t>(device)];
    CHECK(probe.rank == 3);
    CHECK(probe.device == device);
    CHECK(probe.to_device_bytes_per_second > 1e6);
    CHECK(probe.from_device_bytes_per_second > 1e6);
  }
  {
    const Standin fail("STANDIN_FAIL", "HostAlloc");
    CHECK(prober.probe(0).empty());
  }
  const Standin none("STANDIN_DEVICES", "0");
  CHECK(DeviceProber().probe(0).empty());
}

TEST_CASE("MPI is given memory of devices when it says so, or somebody asserts it") {
  const std::vector<MemorySides> wanted{parse_memory("cuda-to-host"), parse_memory("huge")};
  const std::vector<Site> sites = gather_sites(MPI_COMM_WORLD);
  const MemoryFacts unsaid = find_memory_facts(MPI_COMM_WORLD, wanted, sites, false);
  const bool says = gpu_awareness(MemoryKind::cuda).says.value_or(false);
  CHECK(unsaid.unsendable.contains("cuda") != says);
  CHECK_FALSE(unsaid.unsendable.contains("huge"));
  CHECK_FALSE(unsaid.obstacle(devices[0], sites.front()));
  CHECK(find_memory_facts(MPI_COMM_WORLD, wanted, sites, true).unsendable.empty());
}

TEST_CASE("a rank that has no device is named") {
  const Standin none("STANDIN_DEVICES", "0");
  const std::vector<Site> sites = gather_sites(MPI_COMM_WORLD);
  const MemoryFacts facts = find_memory_facts(MPI_COMM_WORLD, {parse_memory("cuda")}, sites, true);
  CHECK(facts.obstacle(devices[0], sites.back()) ==
        "there is no CUDA device (libcudart.so counts none): rank " +
            std::to_string(sites.back().rank) + " on " + sites.back().host);
  CHECK_FALSE(facts.obstacle({}, sites.back()));
}

TEST_CASE("ranks are told how their devices are connected") {
  const std::vector<Site> sites = gather_sites(MPI_COMM_WORLD);
  CHECK(find_devices(MPI_COMM_WORLD, {parse_memory("cuda-pinned")}, sites).devices.empty());
  const DevicePlaces one = find_devices(MPI_COMM_WORLD, {parse_memory("host-to-cuda")}, sites);
  CHECK(one.devices == std::vector<std::string>(sites.size(), "0000:00:00.0"));
  if (sites.size() < 2) return;
  CHECK(device_hop(one, sites, {0, 1}) == placement::DeviceHop::same_device);
  const Standin two("STANDIN_DEVICES", "2");
  const DevicePlaces places = find_devices(MPI_COMM_WORLD, {parse_memory("rocm")}, sites);
  CHECK(places.devices[1] == "0000:01:00.0");
  CHECK(device_hop(places, sites, {0, 1}) != placement::DeviceHop::same_device);
}

/// Four ranks of a node on two devices, ranks 0 and 2 on the first.
JobPlacement four_ranks_on_two_devices() {
  return {.sites = number_sites(std::vector<std::string>(4, "a"))};
}
const DevicePlaces two_devices{
    .devices = {"0000:00:00.0", "0000:01:00.0", "0000:00:00.0", "0000:01:00.0"},
    .hops = {{{0, "0000:00:00.0", "0000:00:00.0"}, placement::DeviceHop::same_device},
             {{0, "0000:01:00.0", "0000:01:00.0"}, placement::DeviceHop::same_device},
             {{0, "0000:00:00.0", "0000:01:00.0"}, placement::DeviceHop::nvlink}}};

TEST_CASE("a pair is added for connections of devices that no other pair has") {
  const JobPlacement job = four_ranks_on_two_devices();
  using Pairs = std::vector<placement::RankPair>;
  CHECK(pairs_of_devices(two_devices, job, {{{0, 1}, std::nullopt}}) == Pairs{{0, 2}});
  CHECK(pairs_of_devices(two_devices, job, {{{1, 3}, std::nullopt}}) == Pairs{{0, 1}});
  CHECK(pairs_of_devices({}, job, {{{0, 1}, std::nullopt}}).empty());
}

}  // namespace
}  // namespace hockney::benchmarks

// A device that is not there: the functions of the CUDA and HIP runtimes that hockney calls, over
// memory of the host that only they may touch. Built as libcudart.so and libamdhip64.so, and loaded
// in their place; as a preloaded library it also answers whether MPI takes such memory. Variables
// of the environment say how it behaves:
//   STANDIN_DEVICES   how many devices there are; 1 without it
//   STANDIN_FAIL      a function that fails, such as Malloc, or Memcpy:5 from the fifth call on
//   STANDIN_PROTECT   if set, memory is out of the host's reach but for copies: whoever else
//   touches
//                     it is ended by a segmentation fault
//   STANDIN_MANAGED   what cudaPointerGetAttributes says of managed memory; 3 without it
//   STANDIN_CORRUPT   copies have bits wrong, from that one on
//   STANDIN_AWARE     what the MPI library says of itself: 0 or 1

#include <sys/mman.h>

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>

namespace {

constexpr int success = 0;
constexpr int invalid_value = 1;
constexpr int out_of_memory = 2;
constexpr int no_device = 100;
constexpr int made_to_fail = 999;
constexpr std::size_t page = 4096;
constexpr int pinned_memory = 1;  // cudaMemoryType
constexpr int device_memory = 2;
constexpr int managed_memory = 3;

/// What is mapped as memory of devices and as pinned memory, by where it begins, and how often
/// functions were called.
struct State {
  std::map<std::byte*, std::size_t> rooms;
  std::map<std::byte*, std::size_t> managed;  ///< the rooms of managed memory
  std::map<std::byte*, std::size_t> pinned;
  std::map<std::string, int> calls;
  int device = 0;
};

State& state() {
  static State instance;
  return instance;
}

int number(const char* variable, int otherwise) {
  const char* text = std::getenv(variable);
  return text == nullptr ? otherwise : std::atoi(text);
}

bool is_set(const char* variable) { return std::getenv(variable) != nullptr; }

/// Counts a call; whether it is one that fails.
bool fails(const std::string& function) {
  const int call = ++state().calls[function];
  const char* wanted = std::getenv("STANDIN_FAIL");
  if (wanted == nullptr) return false;
  const std::string text = wanted;
  const std::size_t colon = text.find(':');
  const int first = colon == std::string::npos ? 1 : std::atoi(text.c_str() + colon + 1);
  return text.substr(0, colon) == function && call >= first;
}

/// Whether all of it is in memory of one device, or any of it in that of some.
bool is_inside(const std::byte* begin, std::size_t bytes) {
  for (const auto& [room, size] : state().rooms) {
    if (begin >= room && begin + bytes <= room + size) return true;
  }
  return false;
}
bool touches(const std::byte* begin, std::size_t bytes) {
  for (const auto& [room, size] : state().rooms) {
    if (begin < room + size && room < begin + bytes) return true;
  }
  return false;
}

void set_reach(int protection) {
  if (!is_set("STANDIN_PROTECT")) return;
  for (const auto& [room, size] : state().rooms) ::mprotect(room, size, protection);
}

/// The first byte of every page has one bit wrong, another one for each way.
void corrupt(std::byte* data, std::size_t bytes, int way) {
  const int first = number("STANDIN_CORRUPT", 0);
  if (first == 0 || state().calls["Memcpy"] < first) return;
  for (std::size_t at = 0; at < bytes; at += page) data[at] ^= std::byte{1} << way;
}

int count_devices(int* count) {
  if (fails("GetDeviceCount")) return made_to_fail;
  *count = number("STANDIN_DEVICES", 1);
  return success;
}

int set_device(int device) {
  if (fails("SetDevice")) return made_to_fail;
  if (device < 0 || device >= number("STANDIN_DEVICES", 1)) return no_device;
  state().device = device;
  return success;
}

int bus_id(char* text, int length, int device) {
  if (fails("DeviceGetPCIBusId")) return made_to_fail;
  std::snprintf(text, static_cast<std::size_t>(length), "0000:%02x:00.0", device);
  return success;
}

int map(void** memory, std::size_t bytes, int reach, std::map<std::byte*, std::size_t>& rooms) {
  const std::size_t whole = (bytes + page) / page * page;
  void* const mapped = ::mmap(nullptr, whole, reach, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapped == MAP_FAILED) return out_of_memory;
  rooms[static_cast<std::byte*>(mapped)] = whole;
  *memory = mapped;
  return success;
}

int unmap(void* memory, std::map<std::byte*, std::size_t>& rooms) {
  const auto room = rooms.find(static_cast<std::byte*>(memory));
  if (room == rooms.end()) return invalid_value;
  ::munmap(room->first, room->second);
  rooms.erase(room);
  return success;
}

int reach_of_host() { return is_set("STANDIN_PROTECT") ? PROT_NONE : PROT_READ | PROT_WRITE; }

int allocate(void** memory, std::size_t bytes) {
  if (fails("Malloc")) return made_to_fail;
  return map(memory, bytes, reach_of_host(), state().rooms);
}

int allocate_managed(void** memory, std::size_t bytes, unsigned flags) {
  if (fails("MallocManaged")) return made_to_fail;
  if (flags != 1) return invalid_value;
  const int error = map(memory, bytes, reach_of_host(), state().rooms);
  if (error == success) state().managed[static_cast<std::byte*>(*memory)] = bytes;
  return error;
}

int allocate_pinned(void** memory, std::size_t bytes, unsigned flags) {
  if (fails("HostAlloc")) return made_to_fail;
  if (flags != 0) return invalid_value;
  return map(memory, bytes, PROT_READ | PROT_WRITE, state().pinned);
}

int release(void* memory) {
  if (fails("Free")) return made_to_fail;
  state().managed.erase(static_cast<std::byte*>(memory));
  return unmap(memory, state().rooms);
}

int release_pinned(void* memory) {
  if (fails("FreeHost")) return made_to_fail;
  return unmap(memory, state().pinned);
}

/// Of the first byte of memory: as CUDA numbers kinds of it.
int attributes(void* found, const void* memory) {
  if (fails("PointerGetAttributes")) return made_to_fail;
  auto* const begin = const_cast<std::byte*>(static_cast<const std::byte*>(memory));
  int kind = 0;
  if (state().rooms.contains(begin)) kind = device_memory;
  if (state().managed.contains(begin)) kind = number("STANDIN_MANAGED", managed_memory);
  if (state().pinned.contains(begin)) kind = pinned_memory;
  std::memcpy(found, &kind, sizeof kind);
  return success;
}

/// 1: host to device, 2: back, 3: within devices. Memory that is on the wrong side is refused.
int copy(void* to, const void* from, std::size_t bytes, int way) {
  if (fails("Memcpy")) return made_to_fail;
  auto* const target = static_cast<std::byte*>(to);
  const auto* const source = static_cast<const std::byte*>(from);
  const bool target_fits = way == 2 ? !touches(target, bytes) : is_inside(target, bytes);
  const bool source_fits = way == 1 ? !touches(source, bytes) : is_inside(source, bytes);
  if (way < 1 || way > 3 || !target_fits || !source_fits) return invalid_value;
  set_reach(PROT_READ | PROT_WRITE);
  std::memmove(target, source, bytes);
  corrupt(target, bytes, way);
  set_reach(PROT_NONE);
  return success;
}

/// The host's side must be pinned: another one would not be copied asynchronously.
int copy_in_stream(void* to, const void* from, std::size_t bytes, int way, void* stream) {
  if (fails("MemcpyAsync")) return made_to_fail;
  if (stream != &state()) return invalid_value;
  const auto* const on_host = static_cast<const std::byte*>(way == 1 ? from : to);
  const bool is_pinned =
      std::any_of(state().pinned.begin(), state().pinned.end(), [&](const auto& room) {
        return on_host >= room.first && on_host + bytes <= room.first + room.second;
      });
  return is_pinned ? copy(to, from, bytes, way) : invalid_value;
}

int create_stream(void** stream) {
  if (fails("StreamCreate")) return made_to_fail;
  *stream = &state();
  return success;
}
int synchronise_stream(void* stream) {
  if (fails("StreamSynchronize")) return made_to_fail;
  return stream == &state() ? success : invalid_value;
}

int synchronise() { return fails("DeviceSynchronize") ? made_to_fail : success; }

const char* text_of(int error) {
  switch (error) {
    case invalid_value:
      return "invalid argument";
    case out_of_memory:
      return "out of memory";
    case no_device:
      return "no such device";
    default:
      return "told to fail";
  }
}

}  // namespace

#define STANDIN_RUNTIME(prefix, allocate_pinned_name, release_pinned_name)                      \
  extern "C" int prefix##GetDeviceCount(int* count) { return count_devices(count); }            \
  extern "C" int prefix##SetDevice(int device) { return set_device(device); }                   \
  extern "C" int prefix##DeviceGetPCIBusId(char* text, int length, int device) {                \
    return bus_id(text, length, device);                                                        \
  }                                                                                             \
  extern "C" int prefix##Malloc(void** memory, std::size_t bytes) {                             \
    return allocate(memory, bytes);                                                             \
  }                                                                                             \
  extern "C" int prefix##Free(void* memory) { return release(memory); }                         \
  extern "C" int prefix##MallocManaged(void** memory, std::size_t bytes, unsigned flags) {      \
    return allocate_managed(memory, bytes, flags);                                              \
  }                                                                                             \
  extern "C" int allocate_pinned_name(void** memory, std::size_t bytes, unsigned flags) {       \
    return allocate_pinned(memory, bytes, flags);                                               \
  }                                                                                             \
  extern "C" int release_pinned_name(void* memory) { return release_pinned(memory); }           \
  extern "C" int prefix##PointerGetAttributes(void* found, const void* memory) {                \
    return attributes(found, memory);                                                           \
  }                                                                                             \
  extern "C" int prefix##StreamCreate(void** stream) { return create_stream(stream); }          \
  extern "C" int prefix##StreamSynchronize(void* stream) { return synchronise_stream(stream); } \
  extern "C" int prefix##StreamDestroy(void*) { return success; }                               \
  extern "C" int prefix##MemcpyAsync(void* to, const void* from, std::size_t bytes, int way,    \
                                     void* stream) {                                            \
    return copy_in_stream(to, from, bytes, way, stream);                                        \
  }                                                                                             \
  extern "C" int prefix##Memcpy(void* to, const void* from, std::size_t bytes, int way) {       \
    return copy(to, from, bytes, way);                                                          \
  }                                                                                             \
  extern "C" int prefix##DeviceSynchronize() { return synchronise(); }                          \
  extern "C" const char* prefix##GetErrorString(int error) { return text_of(error); }

STANDIN_RUNTIME(cuda, cudaHostAlloc, cudaFreeHost)
STANDIN_RUNTIME(hip, hipHostMalloc, hipHostFree)

extern "C" int MPIX_Query_cuda_support() { return number("STANDIN_AWARE", 0); }
extern "C" int MPIX_Query_rocm_support() { return number("STANDIN_AWARE", 0); }

/// For tests: how often a function was called.
extern "C" int standin_calls(const char* function) { return state().calls[function]; }

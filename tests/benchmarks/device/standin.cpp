// A device that is not there: the functions of the CUDA and HIP runtimes that hockney calls, over
// memory of the host that only they may touch. Built as libcudart.so and libamdhip64.so, and loaded
// in their place; as a preloaded library it also answers whether MPI takes such memory. Variables
// of the environment say how it behaves:
//   STANDIN_DEVICES   how many devices there are; 1 without it
//   STANDIN_FAIL      a function that fails, such as Malloc, or Memcpy:5 from the fifth call on
//   STANDIN_PROTECT   if set, memory is out of the host's reach but for copies: whoever else
//   touches
//                     it is ended by a segmentation fault
//   STANDIN_CORRUPT   copies have bits wrong, from that one on
//   STANDIN_AWARE     what the MPI library says of itself: 0 or 1

#include <sys/mman.h>

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
constexpr int told_to_fail = 999;
constexpr std::size_t page = 4096;

/// What is mapped as memory of devices, by where it begins, and how often functions were called.
struct State {
  std::map<std::byte*, std::size_t> rooms;
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
  if (fails("GetDeviceCount")) return told_to_fail;
  *count = number("STANDIN_DEVICES", 1);
  return success;
}

int set_device(int device) {
  if (fails("SetDevice")) return told_to_fail;
  if (device < 0 || device >= number("STANDIN_DEVICES", 1)) return no_device;
  state().device = device;
  return success;
}

int bus_id(char* text, int length, int device) {
  if (fails("DeviceGetPCIBusId")) return told_to_fail;
  std::snprintf(text, static_cast<std::size_t>(length), "0000:%02x:00.0", device);
  return success;
}

int allocate(void** memory, std::size_t bytes) {
  if (fails("Malloc")) return told_to_fail;
  const std::size_t whole = (bytes + page) / page * page;
  const int reach = is_set("STANDIN_PROTECT") ? PROT_NONE : PROT_READ | PROT_WRITE;
  void* const mapped = ::mmap(nullptr, whole, reach, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapped == MAP_FAILED) return out_of_memory;
  state().rooms[static_cast<std::byte*>(mapped)] = whole;
  *memory = mapped;
  return success;
}

int release(void* memory) {
  if (fails("Free")) return told_to_fail;
  const auto room = state().rooms.find(static_cast<std::byte*>(memory));
  if (room == state().rooms.end()) return invalid_value;
  ::munmap(room->first, room->second);
  state().rooms.erase(room);
  return success;
}

/// 1: host to device, 2: back, 3: within devices. Memory that is on the wrong side is refused.
int copy(void* to, const void* from, std::size_t bytes, int way) {
  if (fails("Memcpy")) return told_to_fail;
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

int synchronise() { return fails("DeviceSynchronize") ? told_to_fail : success; }

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

#define STANDIN_RUNTIME(prefix)                                                           \
  extern "C" int prefix##GetDeviceCount(int* count) { return count_devices(count); }      \
  extern "C" int prefix##SetDevice(int device) { return set_device(device); }             \
  extern "C" int prefix##DeviceGetPCIBusId(char* text, int length, int device) {          \
    return bus_id(text, length, device);                                                  \
  }                                                                                       \
  extern "C" int prefix##Malloc(void** memory, std::size_t bytes) {                       \
    return allocate(memory, bytes);                                                       \
  }                                                                                       \
  extern "C" int prefix##Free(void* memory) { return release(memory); }                   \
  extern "C" int prefix##Memcpy(void* to, const void* from, std::size_t bytes, int way) { \
    return copy(to, from, bytes, way);                                                    \
  }                                                                                       \
  extern "C" int prefix##DeviceSynchronize() { return synchronise(); }                    \
  extern "C" const char* prefix##GetErrorString(int error) { return text_of(error); }

STANDIN_RUNTIME(cuda)
STANDIN_RUNTIME(hip)

extern "C" int MPIX_Query_cuda_support() { return number("STANDIN_AWARE", 0); }
extern "C" int MPIX_Query_rocm_support() { return number("STANDIN_AWARE", 0); }

/// For tests: how often a function was called.
extern "C" int standin_calls(const char* function) { return state().calls[function]; }

#include "benchmarks/harness/device_runtime.hpp"

#include <dlfcn.h>

#include <array>
#include <span>
#include <string_view>

#include "core/error.hpp"

namespace hockney::benchmarks {
namespace {

/// A runtime's names; the newest library first, after the one that the system says to use.
struct Names {
  std::string_view maker;
  std::string_view prefix;  ///< of its functions
  std::array<const char*, 4> libraries;
};

constexpr Names cuda_names{
    "CUDA", "cuda", {"libcudart.so", "libcudart.so.13", "libcudart.so.12", "libcudart.so.11.0"}};
constexpr Names rocm_names{
    "ROCm", "hip", {"libamdhip64.so", "libamdhip64.so.7", "libamdhip64.so.6", "libamdhip64.so.5"}};

const Names& names_of(MemoryKind kind) {
  return kind == MemoryKind::cuda ? cuda_names : rocm_names;
}

std::string loader_error() {
  const char* text = ::dlerror();
  return text == nullptr ? "the loader says no reason" : text;
}

}  // namespace

void DeviceRuntime::Close::operator()(void* handle) const { ::dlclose(handle); }

DeviceRuntime::DeviceRuntime(MemoryKind kind) : kind_(kind) {
  std::string first_error;
  for (const char* name : names_of(kind).libraries) {
    handle_.reset(::dlopen(name, RTLD_NOW | RTLD_LOCAL));
    if (handle_) {
      library_ = name;
      break;
    }
    const std::string error = loader_error();
    if (first_error.empty()) first_error = error;
  }
  if (!handle_) {
    throw RunError({"there is no " + std::string(maker()) + " runtime", first_error, ""});
  }
  find(functions_.count, "GetDeviceCount");
  find(functions_.select, "SetDevice");
  find(functions_.bus_id, "DeviceGetPCIBusId");
  find(functions_.allocate, "Malloc");
  find(functions_.release, "Free");
  find(functions_.copy, "Memcpy");
  find(functions_.synchronise, "DeviceSynchronize");
  find(functions_.error_text, "GetErrorString");
}

std::string_view DeviceRuntime::maker() const { return names_of(kind_).maker; }

template <class Function>
void DeviceRuntime::find(Function& function, const std::string& name) {
  const std::string full = std::string(names_of(kind_).prefix) + name;
  function = reinterpret_cast<Function>(::dlsym(handle_.get(), full.c_str()));
  if (function != nullptr) return;
  throw RunError({"the " + std::string(maker()) + " runtime has no " + full, library_, ""});
}

void DeviceRuntime::check(int error, const std::string& function) const {
  if (error == 0) return;
  const char* text = functions_.error_text(error);
  throw RunError({std::string(names_of(kind_).prefix) + function + " failed",
                  (text == nullptr ? "error" : text) + std::string(", ") + std::to_string(error),
                  ""});
}

int DeviceRuntime::devices() const {
  int count = 0;
  check(functions_.count(&count), "GetDeviceCount");
  return count;
}

void DeviceRuntime::select(int device) const { check(functions_.select(device), "SetDevice"); }

std::string DeviceRuntime::bus_id(int device) const {
  std::array<char, 64> text{};
  const int error = functions_.bus_id(text.data(), static_cast<int>(text.size()) - 1, device);
  return error == 0 ? text.data() : "";
}

std::byte* DeviceRuntime::allocate(std::size_t bytes) const {
  void* memory = nullptr;
  check(functions_.allocate(&memory, bytes), "Malloc");
  return static_cast<std::byte*>(memory);
}

void DeviceRuntime::copy(void* to, const void* from, std::size_t bytes, CopyWay way) const {
  check(functions_.copy(to, from, bytes, static_cast<int>(way)), "Memcpy");
  check(functions_.synchronise(), "DeviceSynchronize");
}

ChosenDevice choose_device(const DeviceRuntime& runtime, int local_rank) {
  ChosenDevice device{.count = runtime.devices()};
  if (device.count == 0) {
    throw RunError({"there is no " + std::string(runtime.maker()) + " device",
                    runtime.library() + " counts none", ""});
  }
  device.number = local_rank % device.count;
  runtime.select(device.number);
  device.bus_id = runtime.bus_id(device.number);
  return device;
}

}  // namespace hockney::benchmarks

#include "benchmarks/harness/device_runtime.hpp"

#include <dlfcn.h>

#include <fmt/format.h>
#include <array>
#include <string>

#include "core/error.hpp"

namespace hockney::benchmarks {
namespace {

/// A runtime's names; newest library first, after the one that the system prefers.
struct RuntimeNames {
  std::string_view maker;
  std::string_view prefix;  ///< of its functions
  std::string_view allocate_pinned;
  std::string_view release_pinned;
  std::array<const char*, 4> libraries;
};

constexpr RuntimeNames cuda_names{
    "CUDA",
    "cuda",
    "HostAlloc",
    "FreeHost",
    {"libcudart.so", "libcudart.so.13", "libcudart.so.12", "libcudart.so.11.0"}};
constexpr RuntimeNames rocm_names{
    "ROCm",
    "hip",
    "HostMalloc",
    "HostFree",
    {"libamdhip64.so", "libamdhip64.so.7", "libamdhip64.so.6", "libamdhip64.so.5"}};

const RuntimeNames& names_of(DeviceMaker maker) {
  return maker == DeviceMaker::cuda ? cuda_names : rocm_names;
}

std::string loader_error() {
  const char* text = ::dlerror();
  return text == nullptr ? "the loader says no reason" : text;
}

}  // namespace

void DeviceRuntime::Close::operator()(void* handle) const { ::dlclose(handle); }

DeviceRuntime::DeviceRuntime(DeviceMaker maker) : maker_(maker) {
  std::string first_error;
  for (const char* name : names_of(maker).libraries) {
    handle_.reset(::dlopen(name, RTLD_NOW | RTLD_LOCAL));
    if (handle_) {
      library_ = name;
      break;
    }
    const std::string error = loader_error();
    if (first_error.empty()) first_error = error;
  }
  if (!handle_) {
    throw RunError({fmt::format("there is no {} runtime", this->maker()), first_error, ""});
  }
  find_functions();
}

void DeviceRuntime::find_functions() {
  find(functions_.count, "GetDeviceCount");
  find(functions_.select, "SetDevice");
  find(functions_.bus_id, "DeviceGetPCIBusId");
  find(functions_.allocate, "Malloc");
  find(functions_.allocate_managed, "MallocManaged");
  find(functions_.allocate_pinned, names_of(maker_).allocate_pinned);
  find(functions_.release, "Free");
  find(functions_.release_pinned, names_of(maker_).release_pinned);
  find(functions_.attributes, "PointerGetAttributes");
  find(functions_.copy, "Memcpy");
  find(functions_.copy_in_stream, "MemcpyAsync");
  find(functions_.create_stream, "StreamCreate");
  find(functions_.synchronise_stream, "StreamSynchronize");
  find(functions_.destroy_stream, "StreamDestroy");
  find(functions_.synchronise, "DeviceSynchronize");
  find(functions_.error_text, "GetErrorString");
}

std::string_view DeviceRuntime::maker() const { return names_of(maker_).maker; }

template <class Function>
void DeviceRuntime::find(Function& function, std::string_view name) {
  const std::string full = fmt::format("{}{}", names_of(maker_).prefix, name);
  function = reinterpret_cast<Function>(::dlsym(handle_.get(), full.c_str()));
  if (function != nullptr) return;
  throw RunError({fmt::format("the {} runtime has no {}", maker(), full), library_, ""});
}

void DeviceRuntime::check(int error, std::string_view function) const {
  if (error == 0) return;
  const char* text = functions_.error_text(error);
  throw RunError({fmt::format("{}{} failed", names_of(maker_).prefix, function),
                  fmt::format("{}, {}", text == nullptr ? "error" : text, error), ""});
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

std::byte* DeviceRuntime::allocate(std::size_t bytes, DevicePlace place) const {
  constexpr unsigned for_every_stream = 1;  // cudaMemAttachGlobal, hipMemAttachGlobal
  constexpr unsigned default_flags = 0;
  void* memory = nullptr;
  switch (place) {
    case DevicePlace::device:
      check(functions_.allocate(&memory, bytes), "Malloc");
      break;
    case DevicePlace::managed:
      check(functions_.allocate_managed(&memory, bytes, for_every_stream), "MallocManaged");
      break;
    case DevicePlace::pinned:
      check(functions_.allocate_pinned(&memory, bytes, default_flags),
            names_of(maker_).allocate_pinned);
      break;
  }
  return static_cast<std::byte*>(memory);
}

void DeviceRuntime::release(std::byte* memory, DevicePlace place) const {
  place == DevicePlace::pinned ? functions_.release_pinned(memory) : functions_.release(memory);
}

std::optional<DevicePlace> DeviceRuntime::place_of(const std::byte* memory) const {
  if (maker_ != DeviceMaker::cuda) return std::nullopt;
  // cudaPointerAttributes: 24 bytes in CUDA 11 and 12, 88 in CUDA 13; the type comes first.
  struct alignas(8) Attributes {
    int type = 0;
    std::array<std::byte, 252> others{};
  } attributes;
  if (functions_.attributes(&attributes, memory) != 0) return std::nullopt;
  switch (attributes.type) {  // cudaMemoryType
    case 1:
      return DevicePlace::pinned;
    case 2:
      return DevicePlace::device;
    case 3:
      return DevicePlace::managed;
    default:
      return std::nullopt;
  }
}

void DeviceRuntime::copy(void* to, const void* from, std::size_t bytes, CopyWay way) const {
  check(functions_.copy(to, from, bytes, static_cast<int>(way)), "Memcpy");
  check(functions_.synchronise(), "DeviceSynchronize");
}

CopyStream::CopyStream(const DeviceRuntime& runtime) : runtime_(&runtime) {
  runtime.check(runtime.functions_.create_stream(&stream_), "StreamCreate");
}

CopyStream::~CopyStream() { runtime_->functions_.destroy_stream(stream_); }

ChosenDevice choose_device(const DeviceRuntime& runtime, int local_rank) {
  ChosenDevice device{.count = runtime.devices()};
  if (device.count == 0) {
    throw RunError({fmt::format("there is no {} device", runtime.maker()),
                    runtime.library() + " counts none", ""});
  }
  device.number = local_rank % device.count;
  runtime.select(device.number);
  device.bus_id = runtime.bus_id(device.number);
  return device;
}

}  // namespace hockney::benchmarks

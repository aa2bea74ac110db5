#include "benchmarks/harness/mpi_settings.hpp"

#include <mpi.h>

#include <optional>
#include <string>
#include <vector>

#include "benchmarks/harness/environment.hpp"
#include "benchmarks/harness/mpi_error.hpp"

namespace hockney {
namespace {

std::string standard() {
  int major = 0;
  int minor = 0;
  mpi_check(MPI_Get_version(&major, &minor));
  return std::to_string(major) + "." + std::to_string(minor);
}

#ifdef HOCKNEY_HAVE_MPI_T

/// The tools interface from MPI_T_init_thread to MPI_T_finalize.
class ToolsInterface {
 public:
  ToolsInterface() {
    int provided = 0;
    ready_ = MPI_T_init_thread(MPI_THREAD_SINGLE, &provided) == MPI_SUCCESS;
  }
  ToolsInterface(const ToolsInterface&) = delete;
  ToolsInterface& operator=(const ToolsInterface&) = delete;
  ToolsInterface(ToolsInterface&&) = delete;
  ToolsInterface& operator=(ToolsInterface&&) = delete;
  /// MPICH 4.0.2 gives its variables up here and crashes when they are asked for once more, so with
  /// MPICH the interface stays open.
  ~ToolsInterface() {
    if (ready_ && !mpi_library().starts_with("MPICH")) MPI_T_finalize();
  }
  [[nodiscard]] bool ready() const { return ready_; }

 private:
  bool ready_ = false;
};

struct ControlVariable {
  std::string name;
  MPI_Datatype type = MPI_DATATYPE_NULL;
  int bind = 0;
};

std::optional<ControlVariable> describe_variable(int index) {
  std::vector<char> name(1024);
  std::vector<char> text(1);
  int name_length = static_cast<int>(name.size());
  int text_length = 0;
  int verbosity = 0;
  int scope = 0;
  MPI_T_enum names = MPI_T_ENUM_NULL;
  ControlVariable variable;
  const int code = MPI_T_cvar_get_info(index, name.data(), &name_length, &verbosity, &variable.type,
                                       &names, nullptr, &text_length, &variable.bind, &scope);
  if (code != MPI_SUCCESS) return std::nullopt;
  variable.name = name.data();
  return variable;
}

template <class Number>
std::optional<std::string> read_number(MPI_T_cvar_handle handle) {
  Number value{};
  if (MPI_T_cvar_read(handle, &value) != MPI_SUCCESS) return std::nullopt;
  return std::to_string(value);
}

std::optional<std::string> read_text(MPI_T_cvar_handle handle, int count) {
  std::vector<char> text(static_cast<std::size_t>(count) + 1);
  if (MPI_T_cvar_read(handle, text.data()) != MPI_SUCCESS) return std::nullopt;
  return std::string(text.data());
}

std::optional<std::string> read_value(MPI_Datatype type, MPI_T_cvar_handle handle, int count) {
  if (type == MPI_CHAR) return read_text(handle, count);
  if (count != 1) return std::nullopt;
  if (type == MPI_INT) return read_number<int>(handle);
  if (type == MPI_UNSIGNED) return read_number<unsigned>(handle);
  if (type == MPI_UNSIGNED_LONG) return read_number<unsigned long>(handle);
  if (type == MPI_UNSIGNED_LONG_LONG) return read_number<unsigned long long>(handle);
  if (type == MPI_COUNT) return read_number<MPI_Count>(handle);
  if (type == MPI_DOUBLE) return read_number<double>(handle);
  return std::nullopt;
}

std::optional<std::string> read_variable(int index, const ControlVariable& variable) {
  if (variable.bind != MPI_T_BIND_NO_OBJECT) return std::nullopt;
  MPI_T_cvar_handle handle = MPI_T_CVAR_HANDLE_NULL;
  int count = 0;
  if (MPI_T_cvar_handle_alloc(index, nullptr, &handle, &count) != MPI_SUCCESS) return std::nullopt;
  auto value = read_value(variable.type, handle, count);
  MPI_T_cvar_handle_free(&handle);
  return value;
}

std::map<std::string, std::string> read_settings() {
  std::map<std::string, std::string> settings;
  const ToolsInterface tools;
  int count = 0;
  if (!tools.ready() || MPI_T_cvar_get_num(&count) != MPI_SUCCESS) return settings;
  for (int index = 0; index < count; ++index) {
    const auto variable = describe_variable(index);
    if (!variable) continue;
    if (const auto value = read_variable(index, *variable)) settings[variable->name] = *value;
  }
  return settings;
}

#else

std::map<std::string, std::string> read_settings() { return {}; }

#endif

}  // namespace

MpiLibrary describe_mpi() {
  return {.library = mpi_library(), .standard = standard(), .settings = read_settings()};
}

}  // namespace hockney

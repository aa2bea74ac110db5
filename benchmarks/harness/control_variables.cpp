#include "benchmarks/harness/control_variables.hpp"

#include <mpi.h>

#include <array>
#include <optional>
#include <string>

#include "benchmarks/harness/environment.hpp"
#include "benchmarks/harness/mpi_error.hpp"
#include "core/settings/described_choices.hpp"
#include "core/settings/host_facts.hpp"
#include "core/settings/prove.hpp"

#ifdef HOCKNEY_HAVE_MPI_T

namespace hockney::benchmarks {
namespace {

/// What MPI_T_cvar_get_info tells.
struct Info {
  std::string name;
  std::string description;
  MPI_Datatype type = MPI_DATATYPE_NULL;
  MPI_T_enum values = MPI_T_ENUM_NULL;
  int bind = 0;
  int scope = 0;
};

std::optional<Info> read_info(int index) {
  std::vector<char> name(1024);
  std::vector<char> text(16384);
  int name_length = static_cast<int>(name.size());
  int text_length = static_cast<int>(text.size());
  int verbosity = 0;
  Info info;
  const int code =
      MPI_T_cvar_get_info(index, name.data(), &name_length, &verbosity, &info.type, &info.values,
                          text.data(), &text_length, &info.bind, &info.scope);
  if (code != MPI_SUCCESS) return std::nullopt;
  info.name = name.data();
  info.description = text.data();
  return info;
}

std::string scope_word(int scope) {
  // The constants need not be constant expressions.
  if (scope == MPI_T_SCOPE_CONSTANT) return "constant";
  if (scope == MPI_T_SCOPE_READONLY) return "readonly";
  if (scope == MPI_T_SCOPE_LOCAL) return "local";
  if (scope == MPI_T_SCOPE_GROUP || scope == MPI_T_SCOPE_GROUP_EQ) return "group";
  if (scope == MPI_T_SCOPE_ALL || scope == MPI_T_SCOPE_ALL_EQ) return "all";
  return "";
}

std::string type_word(MPI_Datatype type) {
  if (type == MPI_CHAR) return "text";
  if (type == MPI_INT) return "int";
  if (type == MPI_UNSIGNED) return "unsigned";
  if (type == MPI_UNSIGNED_LONG) return "unsigned long";
  if (type == MPI_UNSIGNED_LONG_LONG) return "unsigned long long";
  if (type == MPI_COUNT) return "count";
  if (type == MPI_DOUBLE) return "double";
  if (type == MPI_C_BOOL) return "bool";
  return "";
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
  if (type == MPI_C_BOOL) return read_number<bool>(handle);
  return std::nullopt;
}

/// Open MPI 5.0 keeps these in local variables of ompi_mpi_register_params(), which has returned:
/// what is read is whatever the stack holds then. Built with fault tolerance, where it can be set,
/// mpi_ft_enable has a place of its own.
bool is_dangling(const Info& info) {
  const bool is_constant = info.scope == MPI_T_SCOPE_CONSTANT;
  return info.name == "mpi_ft_verbose" || (info.name == "mpi_ft_enable" && is_constant);
}

std::optional<std::string> value_in_force(int index, const Info& info) {
  if (info.bind != MPI_T_BIND_NO_OBJECT || is_dangling(info)) return std::nullopt;
  MPI_T_cvar_handle handle = MPI_T_CVAR_HANDLE_NULL;
  int count = 0;
  if (MPI_T_cvar_handle_alloc(index, nullptr, &handle, &count) != MPI_SUCCESS) return std::nullopt;
  auto value = read_value(info.type, handle, count);
  MPI_T_cvar_handle_free(&handle);
  return value;
}

std::vector<PermittedValue> enumerated_choices(MPI_T_enum values) {
  std::array<char, 256> name{};
  int length = static_cast<int>(name.size());
  int count = 0;
  if (MPI_T_enum_get_info(values, &count, name.data(), &length) != MPI_SUCCESS) return {};
  std::vector<PermittedValue> choices;
  for (int item = 0; item < count; ++item) {
    int number = 0;
    length = static_cast<int>(name.size());
    if (MPI_T_enum_get_item(values, item, &number, name.data(), &length) != MPI_SUCCESS) continue;
    choices.push_back({name.data(), number});
  }
  return choices;
}

/// MPICH names the values of its algorithms in descriptions alone.
std::vector<PermittedValue> choices_of(const Info& info) {
  if (info.values != MPI_T_ENUM_NULL) return enumerated_choices(info.values);
  const bool named = info.name.starts_with("MPIR_CVAR_") && info.type == MPI_INT;
  return named ? described_choices(info.description) : std::vector<PermittedValue>();
}

}  // namespace

std::vector<ControlVariable> control_variables() {
  const ToolsInterface tools;
  std::vector<ControlVariable> variables;
  int count = 0;
  if (!tools.ready() || MPI_T_cvar_get_num(&count) != MPI_SUCCESS) return variables;
  for (int index = 0; index < count; ++index) {
    const auto info = read_info(index);
    if (!info) continue;
    variables.push_back({.name = info->name,
                         .aliases = described_aliases(info->description),
                         .description = info->description,
                         .type = type_word(info->type),
                         .scope = scope_word(info->scope),
                         .value = value_in_force(index, *info),
                         .choices = choices_of(*info)});
  }
  return variables;
}

}  // namespace hockney::benchmarks

#else

namespace hockney::benchmarks {

std::vector<ControlVariable> control_variables() { return {}; }

}  // namespace hockney::benchmarks

#endif

namespace hockney::benchmarks {
namespace {

std::string standard() {
  int major = 0;
  int minor = 0;
  mpi_check(MPI_Get_version(&major, &minor));
  return std::to_string(major) + "." + std::to_string(minor);
}

}  // namespace

MpiLibrary describe_mpi() {
  const std::vector<ControlVariable> variables = control_variables();
  MpiLibrary library{.library = mpi_library(), .standard = standard()};
  for (const ControlVariable& variable : variables) {
    if (variable.value) library.settings[variable.name] = *variable.value;
  }
  library.requested = prove_all(steering_environment(), variables);
  return library;
}

}  // namespace hockney::benchmarks

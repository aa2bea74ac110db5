#include "components/application/library/real.hpp"

#include <dlfcn.h>
#include <link.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace hockney::profile {
namespace {

constexpr const char* standard_library = "libmpi_abi";

bool begins(const char* path, const char* name) {
  const char* slash = std::strrchr(path, '/');
  const char* file = slash == nullptr ? path : slash + 1;
  return std::strncmp(file, name, std::strlen(name)) == 0;
}

struct Search {
  const char* name;
  void* found;
};

/// Searches one module, if its name is that of an MPI library.
int search_module(dl_phdr_info* module, std::size_t /*size*/, void* data) {
  auto* search = static_cast<Search*>(data);
  if (!begins(module->dlpi_name, "libmpi")) return 0;  // libmpi.so, libmpich.so, libmpi_abi.so
  void* handle = dlopen(module->dlpi_name, RTLD_LAZY | RTLD_NOLOAD);
  if (handle == nullptr) return 0;
  search->found = dlsym(handle, search->name);
  dlclose(handle);
  return search->found != nullptr ? 1 : 0;
}

/// A predefined object of Open MPI, whose macros name the symbol. The executable is searched first:
/// the loader may have copied the object there (copy relocation).
template <class Handle>
[[maybe_unused]] Handle object(const char* name) {
  void* found = dlsym(RTLD_DEFAULT, name);
  return static_cast<Handle>(found != nullptr ? found : find_function(name));
}

Handles look_up() {
#if defined(OPEN_MPI)
  return {.world = object<MPI_Comm>("ompi_mpi_comm_world"),
          .self = object<MPI_Comm>("ompi_mpi_comm_self"),
          .no_comm = object<MPI_Comm>("ompi_mpi_comm_null"),
          .byte = object<MPI_Datatype>("ompi_mpi_byte"),
          .no_request = object<MPI_Request>("ompi_request_null")};
#else
  return {.world = MPI_COMM_WORLD,
          .self = MPI_COMM_SELF,
          .no_comm = MPI_COMM_NULL,
          .byte = MPI_BYTE,
          .no_request = MPI_REQUEST_NULL};
#endif
}

}  // namespace

void* find_symbol(const char* name) {
  void* found = dlsym(RTLD_NEXT, name);
  if (found != nullptr) return found;
  Search search{name, nullptr};
  dl_iterate_phdr(search_module, &search);
  return search.found;
}

void* find_function(const char* name) {
  void* found = find_symbol(name);
  if (found != nullptr) return found;
  std::fprintf(stderr,
               "hockney-profile: no '%s' (the program called it, and no MPI library has it)\n",
               name);
  std::abort();
}

bool has_standard_abi() {
  Dl_info module{};
  return dladdr(find_function("PMPI_Get_library_version"), &module) != 0 &&
         module.dli_fname != nullptr && begins(module.dli_fname, standard_library);
}

const Handles& handles() {
  static const Handles found = look_up();
  return found;
}

}  // namespace hockney::profile

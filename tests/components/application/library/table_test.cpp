#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "components/application/profile/profile.hpp"
#include "core/collectives.hpp"
#include "core/text.hpp"

// components/application/profile/calls.def against mpi.h: every function that it declares is
// recorded, or is one that moves nothing and waits for nobody.
namespace hockney::profile {
namespace {

/// Questions, conversions and handles of this process alone: whatever begins so, without "MPI_".
constexpr std::array local_prefixes{
    "Abi_",      "Type_",        "Group_",    "Info_",     "T_",       "Op_",
    "Add_error", "Errhandler_",  "Error_",    "Attr_",     "Keyval_",  "Status_",
    "Get_",      "Comm_get_",    "Comm_set_", "Win_get_",  "Win_set_", "Aint_",
    "Session_",  "Remove_error", "Grequest_", "Register_", "Handler_"};

/// And these.
const std::vector<std::string> local = split(
    "Abort Aint Address Alloc_mem Buffer_flush Buffer_iflush Cart_coords Cart_get Cart_map "
    "Cart_rank Cart_shift Cartdim_get Close_port Comm_attach_buffer Comm_call_errhandler "
    "Comm_compare Comm_create_errhandler Comm_create_keyval Comm_delete_attr "
    "Comm_detach_buffer Comm_flush_buffer Comm_free_keyval Comm_group Comm_iflush_buffer "
    "Comm_rank Comm_remote_group Comm_remote_size Comm_size Comm_test_inter Dims_create "
    "Dist_graph_neighbors Dist_graph_neighbors_count File_call_errhandler "
    "File_create_errhandler File_get_amode File_get_atomicity File_get_byte_offset "
    "File_get_errhandler File_get_group File_get_info File_get_position "
    "File_get_position_shared File_get_type_extent File_get_view File_set_atomicity "
    "File_set_errhandler File_set_info Finalize Finalized Free_mem Graph_get Graph_map "
    "Graph_neighbors Graph_neighbors_count Graphdims_get Init Init_thread Initialized "
    "Is_thread_main Lookup_name Open_port Pack_external Pack_external_size Pack_size Pcontrol "
    "Publish_name Query_thread Sizeof Test_cancelled Topo_test Unpack_external Unpublish_name "
    "Win_call_errhandler Win_create_errhandler Win_create_keyval Win_delete_attr "
    "Win_free_keyval Win_shared_query Wtick Wtime",
    ' ');

bool is_local(const std::string& name) {
  return std::ranges::any_of(local_prefixes,
                             [&](const char* prefix) { return name.starts_with(prefix); }) ||
         std::ranges::find(local, name) != local.end() || name.ends_with("_c2f") ||
         name.ends_with("_f2c") || name.ends_with("_fromint") || name.ends_with("_toint") ||
         name.ends_with("_FN") || name.ends_with("_function");
}

/// The data of a rank whose bytes the function's arguments give so.
Contribution contribution_of(Volume volume) {
  switch (volume) {
    case Volume::none:
      return Contribution::none;
    case Volume::message:
    case Volume::counts:
      return Contribution::vector;
    case Volume::gather:
    case Volume::gather_list:
    case Volume::neighbours:
      return Contribution::block;
    default:
      return Contribution::blocks;
  }
}

}  // namespace

TEST_CASE("every form of every collective is recorded with its data") {
  std::map<std::string_view, int> forms;
  for (const Call& call : call_table) {
    if (call.kind != Kind::collective && call.kind != Kind::plan_collective) continue;
    CAPTURE(call.name);
    const Collective* const collective = find_collective_call(call.name);
    REQUIRE(collective != nullptr);
    CHECK(contribution_of(call.at.volume) == collective->data);
    CHECK((call.at.root >= 0) == collective->rooted);
    ++forms[collective->name];
  }
  for (const Collective& collective : all_collectives) CHECK(forms[collective.name] == 3);
}

TEST_CASE("every function of mpi.h is recorded, or moves nothing") {
  int headers = 0;
  for (const auto& entry : std::filesystem::directory_iterator(HOCKNEY_DECLARED_FOLDER)) {
    const std::string file = entry.path().filename().string();
    if (!file.starts_with("declared-")) continue;
    ++headers;
    std::ifstream in(entry.path());
    std::vector<std::string> missing;
    int known = 0;
    for (std::string name; std::getline(in, name);) {
      if (name.ends_with("_c")) name.resize(name.size() - 2);
      if (find_call("MPI_" + name)) {
        ++known;
      } else if (!is_local(name)) {
        missing.push_back(name);
      }
    }
    INFO(file);
    CHECK(missing == std::vector<std::string>{});
    CHECK(known > 170);
  }
  CHECK(headers > 0);
}

}  // namespace hockney::profile

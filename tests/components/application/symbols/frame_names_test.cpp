#include "components/application/symbols/frame_names.hpp"

#include <dlfcn.h>

#include <catch2/catch.hpp>
#include <filesystem>

#include "components/application/symbols/module_symbols.hpp"
#include "tests/support/temporary_folder.hpp"

namespace hockney::symbols {
namespace {

/// Offset in the sample code of an instruction of its inlined function.
std::int64_t inlined_offset() {
  void* const library = ::dlopen(HOCKNEY_SAMPLE_CODE, RTLD_NOW);
  REQUIRE(library != nullptr);
  const auto address = reinterpret_cast<const void* (*)()>(::dlsym(library, "address_in_inlined"));
  REQUIRE(address != nullptr);
  const auto* const place = static_cast<const char*>(address());
  Dl_info info{};
  REQUIRE(::dladdr(place, &info) != 0);
  return place - static_cast<const char*>(info.dli_fbase) - 1;
}

profile::Profile profile_of(const std::string& module, const std::string& build_id,
                            std::int64_t offset) {
  profile::Profile profile;
  profile.written_utc = "2026-01-01T00:00:00Z";
  profile.samples =
      profile::Samples{.modules = {{module, build_id}}, .frames = {{0, offset}, {std::nullopt, 0}}};
  return profile;
}

}  // namespace

TEST_CASE("symbols of C++, Fortran and GCC's copies of functions become names") {
  CHECK(readable_name("_ZN4grid5solveEi") == "grid::solve(int)");
  CHECK(readable_name("_ZN4grid5solveEi.constprop.0") == "grid::solve(int)");
  CHECK(readable_name("__grid_MOD_solve") == "grid::solve");
  CHECK(readable_name("dgemm_") == "dgemm");
  CHECK(readable_name("solve.isra.0") == "solve");
  CHECK(readable_name("main._omp_fn.0") == "main._omp_fn.0");
  CHECK(readable_name("_init") == "_init");
  CHECK(readable_name("main") == "main");
}

TEST_CASE("an address has its inlined function and the one around it, with lines") {
  if (!can_read_symbols()) {
    WARN("built without elfutils: nothing to try");
    return;
  }
  const ModuleSymbols module(HOCKNEY_SAMPLE_CODE);
  REQUIRE(module.is_read());
  const auto names = module.names_of(inlined_offset());
  REQUIRE(names.size() == 2);
  CHECK(names[0].function.name == "inlined_here");
  CHECK(names[0].function.line == 5);
  CHECK(names[0].line == 7);
  CHECK(std::filesystem::path(names[0].file).filename() == "sample_code.cpp");
  CHECK(names[1].function.name == "grid::solve(int)");
  CHECK(names[1].function.line == 14);
  CHECK(names[1].line == 15);
}

TEST_CASE("frames are named if the file is the one that ran") {
  if (!can_read_symbols()) {
    WARN("built without elfutils: nothing to try");
    return;
  }
  const std::string build_id = ModuleSymbols(HOCKNEY_SAMPLE_CODE).build_id();
  REQUIRE(build_id.size() == 40);
  const std::int64_t offset = inlined_offset();
  const NamedFrames named = name_frames(profile_of(HOCKNEY_SAMPLE_CODE, build_id, offset));
  CHECK(named.doubts.empty());
  REQUIRE(named.names.size() == 2);
  CHECK(named.names[0].size() == 2);
  CHECK(named.names[1].at(0).function.name == "[code made at run time]");

  const NamedFrames other =
      name_frames(profile_of(HOCKNEY_SAMPLE_CODE, std::string(40, '0'), offset));
  REQUIRE(other.doubts.size() == 1);
  CHECK_THAT(other.doubts[0], Catch::Contains("is not the file that ran"));
  CHECK(other.names[0].at(0).function.name ==
        "[" + std::filesystem::path(HOCKNEY_SAMPLE_CODE).filename().string() + "]");
}

TEST_CASE("a file that is gone names its frames by itself, and the library's own have none") {
  const NamedFrames gone = name_frames(profile_of("/nowhere/libgone.so", "", 16));
  CHECK(gone.names.at(0).at(0).function.name == "[libgone.so]");
  const NamedFrames own = name_frames(profile_of("/lib/libhockney-profile-openmpi.so", "", 16));
  CHECK(own.names.at(0).empty());
  CHECK(name_frames(profile::Profile()).names.empty());
}

}  // namespace hockney::symbols

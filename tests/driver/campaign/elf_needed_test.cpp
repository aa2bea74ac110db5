#include <elf.h>

#include <catch2/catch.hpp>

#include "core/error.hpp"
#include "driver/campaign/launch_command.hpp"
#include "tests/support/temporary_folder.hpp"

namespace hockney::campaign {

using Names = std::vector<std::string>;

namespace {

template <class Value>
void append(std::string& bytes, const Value& value) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof value);  // NOLINT: bytes of an ELF
}

/// The smallest 64-bit ELF with a dynamic section: header, two segments, entries, strings. The
/// strings lie at address 0x10000 + offset, as in a program loaded elsewhere than at 0.
std::string make_elf(const Names& libraries, const std::string& runpath,
                     const std::string& rpath = "") {
  constexpr std::uint64_t base = 0x10000;
  std::string strings(1, '\0');
  std::vector<Elf64_Dyn> entries;
  const auto add = [&](Elf64_Sxword tag, const std::string& text) {
    entries.push_back({tag, {strings.size()}});
    strings += text + '\0';
  };
  for (const std::string& library : libraries) add(DT_NEEDED, library);
  if (!runpath.empty()) add(DT_RUNPATH, runpath);
  if (!rpath.empty()) add(DT_RPATH, rpath);
  const std::uint64_t dynamic = sizeof(Elf64_Ehdr) + 2 * sizeof(Elf64_Phdr);
  const std::uint64_t dynamic_size = (entries.size() + 2) * sizeof(Elf64_Dyn);
  entries.push_back({DT_STRTAB, {base + dynamic + dynamic_size}});
  entries.push_back({DT_NULL, {0}});
  const std::uint64_t size = dynamic + dynamic_size + strings.size();

  Elf64_Ehdr header{};
  std::copy_n(ELFMAG, SELFMAG, header.e_ident);
  header.e_ident[EI_CLASS] = ELFCLASS64;
  header.e_phoff = sizeof header;
  header.e_phentsize = sizeof(Elf64_Phdr);
  header.e_phnum = 2;
  std::string bytes;
  append(bytes, header);
  append(bytes, Elf64_Phdr{.p_type = PT_LOAD, .p_vaddr = base, .p_filesz = size});
  append(bytes, Elf64_Phdr{.p_type = PT_DYNAMIC, .p_offset = dynamic, .p_filesz = dynamic_size});
  for (const Elf64_Dyn& entry : entries) append(bytes, entry);
  return bytes + strings;
}

std::optional<MpiFamily> family(const Names& libraries) { return mpi_family({libraries, {}}); }

}  // namespace

TEST_CASE("the libraries and folders of a program are read from its dynamic section") {
  const TemporaryFolder folder;
  const std::string file = folder.write(
      "bin/prog", make_elf({"libmpi.so.40", "libc.so.6"}, "/opt/mpi/lib:$ORIGIN/../lib"));
  const ElfNeeds needs = read_elf_needs(file);
  CHECK(needs.libraries == Names{"libmpi.so.40", "libc.so.6"});
  CHECK(needs.folders == Names{"/opt/mpi/lib", folder.path() + "/bin/../lib"});
  CHECK(mpi_library(needs) == "libmpi.so.40");
}

TEST_CASE("where a program has both kinds of folders, the linker's rule holds") {
  const TemporaryFolder folder;
  const auto folders = [&](const std::string& runpath, const std::string& rpath) {
    return read_elf_needs(folder.write("prog", make_elf({"libmpi.so.40"}, runpath, rpath))).folders;
  };
  CHECK(folders("/run", "/old") == Names{"/run"});
  CHECK(folders("", "/old") == Names{"/old"});
}

TEST_CASE("this very test program is read") {
  const ElfNeeds needs = read_elf_needs("/proc/self/exe");
  CHECK(std::find(needs.libraries.begin(), needs.libraries.end(), "libc.so.6") !=
        needs.libraries.end());
  CHECK_FALSE(mpi_family(needs).has_value());
}

TEST_CASE("an ELF cut anywhere is an input error, never a crash") {
  const TemporaryFolder folder;
  const std::string whole = make_elf({"libmpi.so.12"}, "/opt/lib");
  for (std::size_t size = 0; size < whole.size(); ++size) {
    const std::string file = folder.write("cut", whole.substr(0, size));
    CHECK_THROWS_AS(read_elf_needs(file), InputError);
  }
  CHECK_NOTHROW(read_elf_needs(folder.write("cut", whole)));
}

TEST_CASE("what is no ELF is an input error") {
  const TemporaryFolder folder;
  const std::string script = folder.write("script",
                                          "#!/bin/sh\necho this is long enough for a "
                                          "header of sixty-four bytes, is it not?\n");
  CHECK_THROWS_AS(read_elf_needs(script), InputError);
  CHECK_THROWS_AS(read_elf_needs(folder.path()), InputError);
  CHECK_THROWS_AS(read_elf_needs(folder.path() + "/none"), InputError);
  CHECK_FALSE(is_elf(script));
  CHECK(is_elf("/proc/self/exe"));
}

TEST_CASE("libraries tell the family of MPI") {
  CHECK(family({"libstdc++.so.6", "libmpi.so.40"}) == MpiFamily::openmpi);
  CHECK(family({"libmpi.so.80"}) == MpiFamily::openmpi);
  CHECK(family({"libopen-rte.so.40"}) == MpiFamily::openmpi);
  CHECK(family({"libmpi.so.12"}) == MpiFamily::mpich);
  CHECK(family({"libmpich.so.12"}) == MpiFamily::mpich);
  CHECK(family({"libmpi_abi.so.0"}) == MpiFamily::mpich);
  CHECK(family({"libsimgrid.so.3.32"}) == MpiFamily::simgrid);
  CHECK_FALSE(family({"libmpifort.so.12", "libm.so.6"}).has_value());
  CHECK_FALSE(family({}).has_value());
}

}  // namespace hockney::campaign

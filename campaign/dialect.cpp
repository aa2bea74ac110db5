#include "campaign/dialect.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "core/error.hpp"
#include "core/text.hpp"

namespace hockney::campaign {
namespace {

/// What is known of each dialect, kind of launcher and family, in the order of the enumerators.
constexpr std::array<std::string_view, 4> dialect_words{"openmpi", "hydra", "srun", "smpirun"};

constexpr std::array<Dialect, 6> dialects_of_kinds{Dialect::openmpi, Dialect::openmpi,
                                                   Dialect::hydra,   Dialect::hydra,
                                                   Dialect::srun,    Dialect::smpirun};

struct Family {
  MpiFamily family;
  Dialect dialect;
  std::string_view title;
};

constexpr std::array<Family, 3> families{{{MpiFamily::openmpi, Dialect::openmpi, "Open MPI"},
                                          {MpiFamily::mpich, Dialect::hydra, "MPICH or Intel MPI"},
                                          {MpiFamily::simgrid, Dialect::smpirun, "SimGrid"}}};

struct Library {
  std::string_view title;
  MpiFamily family;
  std::optional<LauncherKind> kind;  ///< nullopt: any of the family
};

/// In the order of the enumerators.
constexpr std::array<Library, 6> libraries{
    {{"Open MPI", MpiFamily::openmpi, std::nullopt},
     {"Open MPI 4", MpiFamily::openmpi, LauncherKind::openmpi4},
     {"Open MPI 5", MpiFamily::openmpi, LauncherKind::openmpi5},
     {"MPICH", MpiFamily::mpich, LauncherKind::mpich},
     {"Intel MPI", MpiFamily::mpich, LauncherKind::intel},
     {"SimGrid", MpiFamily::simgrid, LauncherKind::simgrid}}};

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

/// "mpirun (Open MPI) 5.0.3" is of the PRRTE generation; PRRTE counts its own versions from 1.
LauncherKind open_mpi_kind(std::string_view text) {
  if (contains(text, "PRRTE") || contains(text, "prte")) return LauncherKind::openmpi5;
  const std::size_t number = text.find_first_of("0123456789");
  if (number == std::string_view::npos) return LauncherKind::openmpi4;
  const bool two_digits = number + 1 < text.size() && text[number + 1] != '.';
  return two_digits || text[number] >= '5' ? LauncherKind::openmpi5 : LauncherKind::openmpi4;
}

}  // namespace

std::string_view word(Dialect dialect) {
  return dialect_words.at(static_cast<std::size_t>(dialect));
}

std::optional<Dialect> parse_dialect(const std::string& text) {
  if (text == "auto") return std::nullopt;
  const auto* const known = std::ranges::find(dialect_words, text);
  if (known != dialect_words.end()) return static_cast<Dialect>(known - dialect_words.begin());
  std::vector<std::string> valid{"auto"};
  valid.insert(valid.end(), dialect_words.begin(), dialect_words.end());
  throw InputError({"unknown launcher dialect '" + text + "'", "hockney has no options for it",
                    suggest(text, valid)});
}

Dialect natural_dialect(MpiFamily family) {
  return families.at(static_cast<std::size_t>(family)).dialect;
}

LauncherKind usual_kind(Dialect dialect) {
  const auto* const first = std::ranges::find(dialects_of_kinds, dialect);
  return static_cast<LauncherKind>(first - dialects_of_kinds.begin());
}

Dialect dialect_of(LauncherKind kind) {
  return dialects_of_kinds.at(static_cast<std::size_t>(kind));
}

std::optional<MpiFamily> family_of(LauncherKind kind) {
  const auto* const found = std::ranges::find(families, dialect_of(kind), &Family::dialect);
  return found == families.end() ? std::nullopt : std::optional(found->family);
}

std::string_view title(RequiredLibrary library) {
  return libraries.at(static_cast<std::size_t>(library)).title;
}

bool belongs_to(RequiredLibrary library, LauncherKind kind, std::optional<MpiFamily> programs) {
  const Library& wanted = libraries.at(static_cast<std::size_t>(library));
  const auto family = programs ? programs : family_of(kind);
  if (family && *family != wanted.family) return false;
  return kind == LauncherKind::slurm || !wanted.kind || *wanted.kind == kind;
}

std::string_view title(MpiFamily family) {
  return families.at(static_cast<std::size_t>(family)).title;
}

std::optional<LauncherKind> recognise_launcher(std::string_view version_output) {
  if (contains(version_output, "Intel(R) MPI")) return LauncherKind::intel;
  if (contains(version_output, "HYDRA")) return LauncherKind::mpich;
  for (const std::string_view name : {"Open MPI", "OpenRTE", "PRRTE", "prterun"}) {
    const std::size_t at = version_output.find(name);
    if (at != std::string_view::npos) return open_mpi_kind(version_output.substr(at));
  }
  if (contains(version_output, "SimGrid")) return LauncherKind::simgrid;
  if (version_output.starts_with("slurm")) return LauncherKind::slurm;
  return std::nullopt;
}

}  // namespace hockney::campaign

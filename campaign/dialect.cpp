#include "campaign/dialect.hpp"

#include <array>

#include "core/error.hpp"
#include "core/text.hpp"

namespace hockney {
namespace {

struct DialectWord {
  Dialect dialect;
  std::string_view text;
};

constexpr std::array<DialectWord, 4> dialect_words{{{Dialect::openmpi, "openmpi"},
                                                    {Dialect::hydra, "hydra"},
                                                    {Dialect::srun, "srun"},
                                                    {Dialect::smpirun, "smpirun"}}};

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
  return dialect_words.at(static_cast<std::size_t>(dialect)).text;
}

std::optional<Dialect> parse_dialect(const std::string& text) {
  if (text == "auto") return std::nullopt;
  std::vector<std::string> valid{"auto"};
  for (const DialectWord& known : dialect_words) {
    if (known.text == text) return known.dialect;
    valid.emplace_back(known.text);
  }
  throw InputError({"unknown launcher dialect '" + text + "'", "hockney has no options for it",
                    suggest(text, valid)});
}

Dialect natural_dialect(MpiFamily family) {
  switch (family) {
    case MpiFamily::openmpi:
      return Dialect::openmpi;
    case MpiFamily::mpich:
      return Dialect::hydra;
    case MpiFamily::simgrid:
      break;
  }
  return Dialect::smpirun;
}

LauncherKind usual_kind(Dialect dialect) {
  switch (dialect) {
    case Dialect::openmpi:
      return LauncherKind::openmpi4;
    case Dialect::hydra:
      return LauncherKind::mpich;
    case Dialect::srun:
      return LauncherKind::slurm;
    case Dialect::smpirun:
      break;
  }
  return LauncherKind::simgrid;
}

Dialect dialect_of(LauncherKind kind) {
  switch (kind) {
    case LauncherKind::openmpi4:
    case LauncherKind::openmpi5:
      return Dialect::openmpi;
    case LauncherKind::mpich:
    case LauncherKind::intel:
      return Dialect::hydra;
    case LauncherKind::slurm:
      return Dialect::srun;
    case LauncherKind::simgrid:
      break;
  }
  return Dialect::smpirun;
}

std::optional<MpiFamily> family_of(LauncherKind kind) {
  switch (dialect_of(kind)) {
    case Dialect::openmpi:
      return MpiFamily::openmpi;
    case Dialect::hydra:
      return MpiFamily::mpich;
    case Dialect::smpirun:
      return MpiFamily::simgrid;
    case Dialect::srun:
      break;
  }
  return std::nullopt;
}

std::string_view title(MpiFamily family) {
  switch (family) {
    case MpiFamily::openmpi:
      return "Open MPI";
    case MpiFamily::mpich:
      return "MPICH or Intel MPI";
    case MpiFamily::simgrid:
      break;
  }
  return "SimGrid";
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

}  // namespace hockney

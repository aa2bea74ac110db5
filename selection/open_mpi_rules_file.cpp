#include "selection/open_mpi_rules_file.hpp"

#include <sstream>

#include "selection/open_mpi_names.hpp"

namespace hockney {
namespace {

void write_sizes(std::ostream& out, const std::string& operation, const RanksRule& rule) {
  out << rule.from << "  # ranks, and on\n" << rule.sizes.size() << "  # sizes\n";
  for (const SizeRule& size : rule.sizes) {
    const Choice& choice = size.choice;
    out << size.from << ' ' << open_mpi_number(operation, choice).value_or(0) << ' '
        << choice.fanout << ' ' << choice.segment << "  # " << describe(choice) << '\n';
  }
}

}  // namespace

std::string open_mpi_rules_file(const Rules& keyed, const std::vector<std::string>& comments) {
  std::ostringstream out;
  for (const std::string& comment : comments) out << "# " << comment << '\n';
  out << "# size key [B], algorithm, fan-out, segment [B]\n";
  out << keyed.size() << "  # operations\n";
  for (const OperationRules& rules : keyed) {
    out << open_mpi_collective(rules.operation).value_or(0) << "  # " << rules.operation << '\n'
        << rules.ranks.size() << "  # numbers of ranks\n";
    for (const RanksRule& rule : rules.ranks) write_sizes(out, rules.operation, rule);
  }
  return out.str();
}

}  // namespace hockney

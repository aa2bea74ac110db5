#include "report/algorithm_table.hpp"

#include <algorithm>
#include <set>

#include "core/quantities.hpp"
#include "core/text.hpp"
#include "report/table.hpp"

namespace hockney::report {
namespace {

AlgorithmBlock& block_of(std::vector<AlgorithmBlock>& blocks, const std::string& library,
                         const AlgorithmUse& use) {
  const auto found = std::ranges::find_if(blocks, [&](const AlgorithmBlock& block) {
    return block.library == library && block.operation == use.operation &&
           block.ranks == use.ranks && block.parameters == use.parameters;
  });
  if (found != blocks.end()) return *found;
  return blocks.emplace_back(AlgorithmBlock{.library = library,
                                            .operation = use.operation,
                                            .ranks = use.ranks,
                                            .parameters = use.parameters});
}

AlgorithmLine& line_of(AlgorithmBlock& block, const std::string& setting,
                       const std::string& requested) {
  const auto found = std::ranges::find(block.lines, setting, &AlgorithmLine::setting);
  if (found != block.lines.end()) return *found;
  return block.lines.emplace_back(AlgorithmLine{.setting = setting, .requested = requested});
}

/// What ran: "=" for what was asked for, a name with "!" for another, "?" where nobody can tell.
std::string cell_text(const AlgorithmLine& line, const AlgorithmUse& use) {
  if (use.proof == Proof::ignored) return inert(use.ran.value_or("another")) + "!";
  if (!use.ran) return "?";
  return *use.ran == line.requested ? "=" : inert(*use.ran);
}

std::set<Bytes> sizes_of(const AlgorithmBlock& block) {
  std::set<Bytes> sizes;
  for (const AlgorithmLine& line : block.lines) {
    for (const auto& [bytes, use] : line.uses) sizes.insert(bytes);
  }
  return sizes;
}

std::string cell_at(const AlgorithmLine& line, Bytes bytes) {
  const auto use = line.uses.find(bytes);
  return use == line.uses.end() ? "-" : cell_text(line, use->second);
}

std::string title_of(const AlgorithmBlock& block) {
  std::string title = block.operation + " ranks=" + std::to_string(block.ranks);
  for (const auto& [key, value] : block.parameters) title += " " + key + "=" + value;
  return inert(title + ", " + block.library.substr(0, block.library.find(',')));
}

void print_block(std::ostream& out, const AlgorithmBlock& block) {
  const std::set<Bytes> sizes = sizes_of(block);
  std::vector<TableColumn> columns{{"setting"}, {"asked"}};
  for (const std::string& size : spelt_alike({sizes.begin(), sizes.end()}))
    columns.push_back({size});
  Table table(std::move(columns));
  table.text("\nalgorithms: " + title_of(block));
  table.header();
  for (const AlgorithmLine& line : block.lines) {
    std::vector<std::string> cells{inert(line.setting), inert(line.requested)};
    for (const Bytes bytes : sizes) cells.push_back(cell_at(line, bytes));
    table.row(std::move(cells));
  }
  const AlgorithmCounts counts = count_algorithms(block);
  out << table << "  " << counts.enumerated << " enumerated, " << counts.run << " run, "
      << counts.proven << " proven, " << counts.substituted << " substituted, " << counts.unproven
      << " unproven\n";
}

}  // namespace

bool AlgorithmLine::has(Proof proof) const {
  return std::ranges::any_of(uses, [&](const auto& each) { return each.second.proof == proof; });
}

AlgorithmCounts count_algorithms(const AlgorithmBlock& block) {
  AlgorithmCounts counts;
  for (const AlgorithmLine& line : block.lines) {
    ++counts.enumerated;
    ++counts.run;
    if (line.has(Proof::ignored)) {
      ++counts.substituted;
    } else if (line.has(Proof::unproven)) {
      ++counts.unproven;
    } else {
      ++counts.proven;
    }
  }
  return counts;
}

std::vector<AlgorithmBlock> algorithm_blocks(std::span<const Record> records) {
  std::vector<AlgorithmBlock> blocks;
  for (const Record& record : records) {
    if (record.status != LaunchStatus::complete) continue;
    const std::string setting = record.campaign ? record.campaign->setting : "";
    for (const AlgorithmUse& use : record.algorithms) {
      AlgorithmBlock& block = block_of(blocks, record.provenance.mpi.library, use);
      line_of(block, setting, use.requested).uses[use.bytes] = use;
    }
  }
  return blocks;
}

void print_algorithm_tables(std::ostream& out, std::span<const Record> records) {
  const std::vector<AlgorithmBlock> blocks = algorithm_blocks(records);
  for (const AlgorithmBlock& block : blocks) print_block(out, block);
  if (blocks.empty()) return;
  out << "\n  told by witness launches; =: what was asked for ran; !: something else ran; ?: it "
         "could not be told (docs/algorithms.md)\n";
}

}  // namespace hockney::report

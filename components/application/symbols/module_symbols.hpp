#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "components/application/analysis/functions.hpp"

namespace hockney::symbols {

/// Whether this build has elfutils.
bool can_read_symbols();

/// Symbols and debugging information of one file of code.
class ModuleSymbols {
 public:
  /// Without elfutils, or for a file that is no ELF file, it finds nothing.
  explicit ModuleSymbols(const std::string& path);
  ModuleSymbols(const ModuleSymbols&) = delete;
  ModuleSymbols& operator=(const ModuleSymbols&) = delete;
  ModuleSymbols(ModuleSymbols&&) noexcept;
  ModuleSymbols& operator=(ModuleSymbols&&) noexcept;
  ~ModuleSymbols();

  [[nodiscard]] bool is_read() const;
  /// Hexadecimal; empty if it has none.
  [[nodiscard]] std::string build_id() const;
  /// The functions of an address in the file, the innermost inlined one first. Without debugging
  /// information one, by the nearest symbol. Empty if there is neither.
  [[nodiscard]] std::vector<applications::CodeName> names_of(std::int64_t address) const;

 private:
  class File;

  std::string path_;
  std::unique_ptr<File> file_;
};

}  // namespace hockney::symbols

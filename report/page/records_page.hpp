#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/record.hpp"
#include "models/collectives/collective_fit.hpp"
#include "report/page/page.hpp"
#include "report/screens/answers.hpp"
#include "verdicts/compare.hpp"

namespace hockney::report {

/// Records of one folder or file.
struct NamedRecords {
  std::string name;  ///< as the user wrote it
  std::vector<Record> records;
};

/// The records of all folders: those of one as they are, those of several copied to `several`,
/// which thousands would not fit into memory twice for.
std::span<const Record> together(std::span<const NamedRecords> folders,
                                 std::vector<Record>& several);

/// The folders that measured the same points as the first one, each compared with it. Nothing of
/// one folder, and nothing where any of them holds several settings, which may be the points'
/// difference.
std::vector<verdicts::CompareSet> compare_folders(std::span<const NamedRecords> folders);

/// The screen of all records; of folders that are compared, which is faster.
Screen screen_of(std::span<const NamedRecords> folders, const ScreenStyle& style = {});

/// The page of records: their screen, and every picture that they are good for; those of models of
/// collectives where these are fitted. It has no documents but those of comparisons and guidelines.
Page page_of(std::span<const NamedRecords> folders, double level = default_level,
             const collectives::Fits& fits = {});

}  // namespace hockney::report

#pragma once

#include <string>
#include <vector>

#include "core/record_file.hpp"
#include "tests/support/temporary_folder.hpp"

namespace hockney {

/// A folder with the records of a campaign.
class SavedRecords {
 public:
  explicit SavedRecords(const std::vector<Record>& records) {
    int launch = 0;
    for (const Record& record : records) {
      save_record(record, path() + "/" + std::to_string(launch++) + ".json");
    }
  }
  [[nodiscard]] const std::string& path() const { return folder_.path(); }

 private:
  TemporaryFolder folder_;
};

}  // namespace hockney

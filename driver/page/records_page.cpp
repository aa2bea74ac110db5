#include "driver/page/records_page.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/text.hpp"
#include "driver/screens/answers.hpp"
#include "verdicts/tables/guideline_tables.hpp"
#include "verdicts/tables/verdict_tables.hpp"

namespace hockney::report {
namespace {

/// The campaigns of the records, else the names of their folders.
std::string title_of(std::span<const Record> records, const std::string& names) {
  Names campaigns;
  for (const Record& record : records) {
    if (record.campaign && !record.campaign->name.empty()) campaigns.add(record.campaign->name);
  }
  return campaigns.empty() ? names : campaigns.text();
}

}  // namespace

Page led_by(PageDocument first, Page page) {
  std::erase_if(page.documents,
                [&](const PageDocument& one) { return one.name.starts_with(first.name); });
  page.documents.insert(page.documents.begin(), std::move(first));
  return page;
}

Page page_of(Results& results) {
  const std::string names = escaped(join(results.names(), " "));
  Results& shown = results.by_folder();
  Page page{.title = title_of(shown.records(), names),
            .made_by = fmt::format("hockney report {} -o page.html", names),
            .documents = {}};
  page.documents.push_back(
      {"rows", with_summary(rows_document(shown, most_page_rows), screen_of(results))});
  for (const verdicts::CompareSet& set : results.comparisons()) {
    page.documents.push_back({fmt::format("compare-{}", page.documents.size()), to_json(set)});
  }
  if (const verdicts::GuidelineSet& set = shown.guidelines(); !set.verdicts.empty()) {
    const std::vector<verdicts::Violation> violations = find_violations(set, shown.records());
    page.documents.push_back(
        {"guidelines",
         to_json(GuidelineReport{.set = set, .violations = violations, .known = {}})});
  }
  return page;
}

}  // namespace hockney::report

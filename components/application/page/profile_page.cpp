#include "components/application/page/profile_page.hpp"

#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "components/application/screens/profile_views.hpp"
#include "components/application/screens/time_line_views.hpp"
#include "core/text.hpp"

namespace hockney::report {
namespace {

/// "WHAT of" the command line of the program without its folder.
std::string title_for(const profile::Profile& profile, const std::string& what) {
  std::vector<std::string> words = profile.provenance.command_line;
  if (words.empty()) return what;
  words.front() = std::filesystem::path(words.front()).filename().string();
  return what + " of " + escaped(join(words, " "));
}

/// The page of a document and the first screen of its command.
template <class View>
Page page_with(const std::string& title, const std::string& name, const View& view,
               const std::string& command) {
  return {.title = title,
          .made_by = command,
          .documents = {{name, with_summary(to_json(view), screen_of(view))}}};
}

/// Puts ranks in a row together where a page has no room for their pairs.
void thin_out_matrix(nlohmann::json& document, const ProfileView& view) {
  constexpr std::size_t most = 20'000;
  if (document.at("matrix").size() <= most) return;
  const int ranks = view.report.by_rank.size;
  const auto side = static_cast<int>(std::sqrt(static_cast<double>(most)));
  const int block = (ranks + side - 1) / side;
  applications::Nodes blocks;
  for (int rank = 0; rank < ranks; ++rank) {
    if (rank % block == 0) blocks.names.push_back(std::to_string(rank));
    blocks.of_rank.push_back(rank / block);
  }
  blocks.known = blocks.size();
  document["matrix"] = to_json(
      view_of_matrix(fused(view.report.by_rank, blocks), blocks.names, view.report.split.seconds));
  document["matrix_block"] = block;
}

constexpr const char* option = " --page page.html";

}  // namespace

Page page_of(const ProfileView& view, const std::string& command) {
  Page page =
      page_with(title_for(view.report.profile, "Profile"), "profile", view, command + option);
  thin_out_matrix(page.documents.front().document, view);
  if (view.report.lines && view.report.lines->levels) {
    page.binaries.push_back({"timeline", timeline_bytes(view)});
  }
  return page;
}

Page page_of(const applications::Comparison& comparison, const std::string& command) {
  return page_with("Runs of a program compared", "comparison", comparison, command + option);
}

Page page_of(const ScalingView& view, const std::string& command) {
  Page page = page_with("Scaling of " + escaped(join(view.words, " ")), "scaling", view, command);
  if (view.comparison) page.documents.push_back({"comparison", to_json(*view.comparison)});
  return page;
}

Page page_of(const ProjectionView& view, const std::string& command) {
  return page_with(title_for(view.profile, "What would change the time"), "projection", view,
                   command + option);
}

Page page_of(const where::WhereView& view, const std::string& command) {
  // The option stands before the program's command line.
  std::string made_by = command + option;
  if (const std::size_t program = command.find(" -- "); program != std::string::npos) {
    made_by = command.substr(0, program) + option + command.substr(program);
  }
  return page_with("Ranks and threads on cores", "where", view, made_by);
}

Page page_of(const MappingView& view) {
  return page_with("Ranks on nodes: " + escaped(view.source), "map", view, view.command + option);
}

}  // namespace hockney::report

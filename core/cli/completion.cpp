#include <algorithm>
#include <cctype>
#include <iterator>

#include "core/cli/cli11.hpp"
#include "core/cli/help.hpp"
#include "core/text.hpp"

namespace hockney {
namespace {

constexpr std::string_view list_mark = ",...";

/// Where on a command line the next word stands.
struct LinePlace {
  const CLI::App* app = nullptr;
  const CLI::Option* option = nullptr;  ///< whose value it is; null: of none
  std::size_t arguments = 0;            ///< before it, which are no options
  bool is_literal = false;              ///< after "--"
};

const CLI::Option* option_named(const CLI::App& app, const std::string& word) {
  return app.get_option_no_throw(word.substr(0, word.find('=')));
}

/// Steps over a word that is whole.
void step(LinePlace& place, const std::string& word) {
  if (place.is_literal || word == "=") return;  // bash makes three words of --by=hop
  if (place.option != nullptr) {
    place.option = nullptr;
  } else if (word == "--") {
    place.is_literal = true;
  } else if (word.starts_with('-')) {
    const CLI::Option* const option = option_named(*place.app, word);
    const bool has_value = word.find('=') != std::string::npos;
    if (option != nullptr && takes_value(*option) && !has_value) place.option = option;
  } else {
    const auto subcommands = subcommands_of(*place.app);
    const auto named = std::ranges::find(subcommands, word, &CLI::App::get_name);
    if (named == subcommands.end()) {
      ++place.arguments;
    } else {
      place = {.app = *named};
    }
  }
}

/// The values of an option that begin with `begun`; the last of them where it takes several.
std::vector<std::string> values_of(const CLI::Option& option, const std::string& begun) {
  std::string type = option.get_type_name();
  const bool is_kind = type.empty() || std::islower(static_cast<unsigned char>(type[0])) == 0;
  if (is_kind) return {};  // TEXT, INT, FILE
  std::string before;
  if (type.ends_with(list_mark)) {
    type.resize(type.size() - list_mark.size());
    before = begun.substr(0, begun.rfind(',') + 1);
  }
  const std::vector<std::string> given = split(before, ',');
  std::vector<std::string> values;
  for (const std::string& value : split(type, '|')) {
    const bool is_new = before.empty() || std::ranges::find(given, value) == given.end();
    if (is_new && (before + value).starts_with(begun)) values.push_back(before + value);
  }
  return values;
}

std::vector<std::string> names_of_options(const CLI::App& app, const std::string& begun) {
  const std::size_t equals = begun.find('=');
  if (equals != std::string::npos) {
    const CLI::Option* const option = option_named(app, begun);
    if (option == nullptr || !takes_value(*option)) return {};
    std::vector<std::string> words = values_of(*option, begun.substr(equals + 1));
    for (std::string& word : words) word.insert(0, begun, 0, equals + 1);
    return words;
  }
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) {
      if (("--" + name).starts_with(begun)) names.push_back("--" + name);
    }
  }
  return names;
}

/// Subcommands, and values of the argument that is next, or of the last one, which takes more.
std::vector<std::string> arguments_at(const LinePlace& place, const std::string& begun) {
  std::vector<std::string> words;
  for (const CLI::App* sub : subcommands_of(*place.app)) {
    if (sub->get_name().starts_with(begun)) words.push_back(sub->get_name());
  }
  const auto positionals =
      place.app->get_options([](const CLI::Option* option) { return option->get_positional(); });
  if (positionals.empty()) return words;
  const CLI::Option& next = *positionals[std::min(place.arguments, positionals.size() - 1)];
  const bool is_free = place.arguments < positionals.size() || next.get_items_expected_max() > 1;
  if (is_free) std::ranges::copy(values_of(next, begun), std::back_inserter(words));
  return words;
}

}  // namespace

std::optional<std::vector<std::string>> completions(const CLI::App& app,
                                                    std::span<const std::string> words) {
  LinePlace place{.app = &app};
  if (words.empty()) return std::vector<std::string>{};
  for (const std::string& word : words.first(words.size() - 1)) {
    step(place, word);
    if (place.app->get_prefix_command()) return std::nullopt;
  }
  const std::string begun = words.back() == "=" ? "" : words.back();
  if (place.is_literal) return std::vector<std::string>{};
  if (place.option != nullptr) return values_of(*place.option, begun);
  return begun.starts_with('-') ? names_of_options(*place.app, begun) : arguments_at(place, begun);
}

}  // namespace hockney

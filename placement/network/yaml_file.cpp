#include "placement/network/yaml_file.hpp"

#include <fmt/format.h>
#include <yaml.h>

#include <algorithm>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "core/text.hpp"

namespace hockney::placement {
namespace {

constexpr int most_levels = 32;  // nested values

/// The events of libyaml, which Slurm uses too. yaml-cpp 0.7 takes all memory for some damaged
/// files of a few lines.
class YamlEvents {
 public:
  explicit YamlEvents(const NetworkText& text) : name_(text.name) {
    if (yaml_parser_initialize(&parser_) == 0) throw std::bad_alloc();
    const auto* const bytes = reinterpret_cast<const unsigned char*>(text.text.data());
    yaml_parser_set_input_string(&parser_, bytes, text.text.size());
  }
  YamlEvents(const YamlEvents&) = delete;
  YamlEvents& operator=(const YamlEvents&) = delete;
  ~YamlEvents() {
    yaml_event_delete(&event_);
    yaml_parser_delete(&parser_);
  }

  yaml_event_type_t next() {
    yaml_event_delete(&event_);
    if (yaml_parser_parse(&parser_, &event_) != 0) return event_.type;
    reject(parser_.problem_mark.line, parser_.problem == nullptr ? "no memory" : parser_.problem);
  }

  /// The value that begins with the current event.
  YamlValue value(int level = 0) {  // NOLINT(misc-no-recursion): few levels
    YamlValue value{.text = {}, .members = {}, .items = {}, .line = event_.start_mark.line + 1};
    if (level > most_levels) reject(event_.start_mark.line, "too many levels");
    if (event_.type == YAML_SCALAR_EVENT) {
      const auto& scalar = event_.data.scalar;  // NOLINT(cppcoreguidelines-pro-type-union-access)
      value.text.assign(reinterpret_cast<const char*>(scalar.value), scalar.length);
    } else if (event_.type == YAML_SEQUENCE_START_EVENT) {
      while (next() != YAML_SEQUENCE_END_EVENT) value.items.push_back(this->value(level + 1));
    } else if (event_.type == YAML_MAPPING_START_EVENT) {
      while (next() != YAML_MAPPING_END_EVENT) {
        std::string key = this->value(level + 1).text;
        next();
        value.members.push_back({std::move(key), this->value(level + 1)});
      }
    } else {
      reject(event_.start_mark.line, "an alias");
    }
    return value;
  }

 private:
  [[noreturn]] void reject(std::size_t line, const std::string& why) const {
    throw InputError({fmt::format("{}:{}: cannot be read", escaped(name_), line + 1), escaped(why),
                      "is the file whole?"});
  }

  const std::string& name_;
  yaml_parser_t parser_{};
  yaml_event_t event_{};
};

}  // namespace

const YamlValue* YamlValue::find(const std::string& name) const {
  const auto found = std::ranges::find(members, name, &YamlMember::key);
  return found == members.end() ? nullptr : &found->value;
}

std::vector<YamlValue> read_yaml(const NetworkText& text) {
  YamlEvents events(text);
  std::vector<YamlValue> documents;
  for (auto event = events.next(); event != YAML_STREAM_END_EVENT; event = events.next()) {
    if (event != YAML_DOCUMENT_START_EVENT) continue;
    events.next();
    documents.push_back(events.value());
  }
  return documents;
}

}  // namespace hockney::placement

#include "report/page/chart.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

namespace hockney::report {
namespace {

using Json = nlohmann::json;

Json parsed(std::string_view name) {
  const auto found = std::ranges::find(chart_files, name, &ChartFile::name);
  if (found == chart_files.end()) throw std::logic_error("there is no such file");
  return Json::parse(found->text);
}

bool is_truthy(const Json& value) {
  return !value.is_null() && value != false && !(value.is_structured() && value.empty());
}

/// Fills in one chart.
class Filler {
 public:
  Filler(const Json& chart, const Json& bindings, const Json& optional)
      : own_parts_(chart.is_object() ? chart.value("$parts", Json::object()) : Json::object()),
        scopes_{&optional, &bindings} {}

  Json fill(const Json& part) {
    if (part.is_string()) return fill_text(part.get_ref<const std::string&>());
    if (part.is_array()) return fill_array(part);
    return part.is_object() ? fill_object(part) : part;
  }

  void check_all_used() const {
    for (const auto& [name, value] : scopes_[1]->items()) {
      if (used_.contains(name)) continue;
      throw std::logic_error(fmt::format("the binding '{}' is not used", name));
    }
  }

 private:
  Json fill_array(const Json& part) {
    Json made = Json::array();
    for (const Json& each : part) {
      Json value = fill(each);
      if (is_kept(each)) made.push_back(std::move(value));
    }
    return made;
  }

  Json fill_object(const Json& part) {
    Json made = Json::object();
    for (const auto& [key, value] : part.items()) {
      if (key == "$if" || key == "$use" || key == "$with" || key == "$parts") continue;
      Json member = fill(value);
      if (is_kept(value)) made[key] = std::move(member);
    }
    if (part.contains("$use")) made = use(fill(part["$use"]).get<std::string>(), made);
    if (part.contains("$with")) merge(made, part["$with"]);
    return made;
  }

  /// Objects of the chart are merged, values of bindings replace a member or remove it.
  void merge(Json& target, const Json& part) {
    for (const auto& [key, value] : part.items()) {
      if (value.is_object()) {
        if (!target.contains(key)) target[key] = Json::object();
        merge(target[key], value);
      } else if (Json member = fill(value); member.is_null()) {
        target.erase(key);
      } else {
        target[key] = std::move(member);
      }
    }
  }

  bool is_kept(const Json& part) {
    return !part.is_object() || !part.contains("$if") ||
           is_truthy(value_of(part["$if"].get<std::string>()));
  }

  Json use(const std::string& name, const Json& bindings) {
    const Json* const part = part_of(name);
    if (part == nullptr) throw std::logic_error(fmt::format("there is no part '{}'", name));
    scopes_.push_back(&bindings);
    Json made = fill(*part);
    scopes_.pop_back();
    return made;
  }

  Json fill_text(const std::string& text) {
    constexpr const char* letters = "abcdefghijklmnopqrstuvwxyz_.";
    std::string made;
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t begin = std::min(text.find('$', at), text.size());
      std::size_t end = std::min(text.find_first_not_of(letters, begin + 1), text.size());
      while (end > begin + 1 && text[end - 1] == '.') --end;  // the end of a sentence
      made += text.substr(at, begin - at);
      at = end;
      if (begin == text.size()) break;
      Json value = value_of(text.substr(begin + 1, end - begin - 1));
      if (begin == 0 && end == text.size()) return value;
      if (!value.is_string()) {
        throw std::logic_error(fmt::format("not a text: a value in '{}'", text));
      }
      made += value.get_ref<const std::string&>();
    }
    return made;
  }

  /// A binding or a part; for "series.color" a member of a binding.
  Json value_of(const std::string& path) {
    const std::string name = path.substr(0, path.find('.'));
    for (std::size_t i = scopes_.size(); i-- > 0;) {
      if (!scopes_[i]->contains(name)) continue;
      if (i == 1) used_.insert(name);
      std::string pointer = "/" + path;
      std::ranges::replace(pointer, '.', '/');
      const Json::json_pointer place(pointer);
      if (scopes_[i]->contains(place)) return scopes_[i]->at(place);
    }
    const Json* const part = part_of(path);
    if (part == nullptr) throw std::logic_error(fmt::format("no value for '${}'", path));
    return fill(*part);
  }

  const Json* part_of(const std::string& name) const {
    static const Json common = parsed("parts");
    for (const Json* const parts : {&own_parts_, &common}) {
      if (const auto found = parts->find(name); found != parts->end()) return &*found;
    }
    return nullptr;
  }

  Json own_parts_;
  std::vector<const Json*> scopes_;  ///< optional bindings, bindings, those of each "$use"
  std::set<std::string> used_;
};

}  // namespace

Json filled(const Json& chart, const Json& bindings, const Json& optional) {
  Filler filler(chart, bindings, optional);
  Json made = filler.fill(chart);
  filler.check_all_used();
  return made;
}

Json chart(std::string_view name, const Json& bindings, const Json& optional) {
  try {
    return filled(parsed(name), bindings, optional);
  } catch (const std::logic_error& error) {
    throw std::logic_error(fmt::format("chart {}: {}", name, error.what()));
  }
}

}  // namespace hockney::report

#include "report/page/page.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <filesystem>
#include <sstream>
#include <utility>

#include "core/atomic_file.hpp"
#include "core/error.hpp"
#include "core/json_values.hpp"
#include "core/record_file.hpp"
#include "report/exports.hpp"
#include "report/table.hpp"

namespace hockney::report {
namespace {

using Json = nlohmann::json;

constexpr std::string_view page_head = R"(<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'nonce-{0}'; style-src 'nonce-{0}'; img-src data: blob:; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{1}</title>
<style nonce="{0}">
{2}</style>
</head>
<body>
)";

constexpr std::string_view frame = R"(<a class="skip" href="#main">To the figures</a>
<header>
<h1>{0}</h1>
<div id="head"></div>
</header>
{1}<noscript><p class="missing">This page is drawn by its scripts, which are turned off. Its data are in it as JSON.</p></noscript>
<div id="choices"></div>
<main id="main">
<div id="answer"></div>
<div id="sections"></div>
</main>
<footer>
<p>Made by <code>{2}</code>. Its data, as <code>--json</code> prints them: <span id="files"></span></p>
</footer>
)";

constexpr std::size_t fewest_packed = 3;

/// The keys of the first element if all elements are objects with these keys; else none.
std::vector<std::string> common_keys(const Json& list) {
  std::vector<std::string> keys;
  if (list.size() < fewest_packed || !list.front().is_object()) return keys;
  for (const auto& [key, value] : list.front().items()) keys.push_back(key);
  const bool is_uniform = std::ranges::all_of(list, [&](const Json& one) {
    return one.is_object() && one.size() == keys.size() &&
           std::ranges::all_of(keys, [&](const std::string& key) { return one.contains(key); });
  });
  if (!is_uniform) keys.clear();
  return keys;
}

Json packed(const Json& value);

Json packed_rows(const Json& list, std::vector<std::string> keys) {
  Json same = Json::object();
  std::erase_if(keys, [&](const std::string& key) {
    const Json& first = list.front().at(key);
    const bool is_same =
        std::ranges::all_of(list, [&](const Json& one) { return one.at(key) == first; });
    if (is_same) same[key] = first;
    return is_same;
  });
  Json rows = Json::array();
  for (const Json& one : list) {
    Json row = Json::array();
    for (const std::string& key : keys) row.push_back(packed(one.at(key)));
    rows.push_back(std::move(row));
  }
  return {{"$keys", std::move(keys)}, {"$same", std::move(same)}, {"$rows", std::move(rows)}};
}

Json packed(const Json& value) {
  if (value.is_array()) {
    if (std::vector<std::string> keys = common_keys(value); !keys.empty()) {
      return packed_rows(value, std::move(keys));
    }
    Json list = Json::array();
    for (const Json& one : value) list.push_back(packed(one));
    return list;
  }
  if (!value.is_object()) return value;
  Json object = Json::object();
  for (const auto& [key, member] : value.items()) object[key] = packed(member);
  return object;
}

/// Base64 (RFC 4648).
std::string base64_of(const std::string& bytes) {
  constexpr std::string_view letters =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve(bytes.size() / 3 * 4 + 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t count = std::min<std::size_t>(3, bytes.size() - i);
    std::uint32_t bits = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      bits = bits << 8U | (k < count ? static_cast<unsigned char>(bytes[i + k]) : 0U);
    }
    for (std::size_t k = 0; k < 4; ++k) {
      text += k <= count ? letters[bits >> (18U - 6U * k) & 63U] : '=';
    }
  }
  return text;
}

std::string body_of(const Page& page, const PageScripts& scripts) {
  std::ostringstream out;
  const std::string without = scripts.missing.empty()
                                  ? ""
                                  : fmt::format("<p class=\"missing\">Without plots: {}</p>\n",
                                                markup_text(scripts.missing));
  out << fmt::format(frame, markup_text(page.title), without, markup_text(page.made_by));
  for (const PageDocument& each : page.documents) {
    out << fmt::format(
        "<script type=\"application/json\" class=\"document\" data-name=\"{}\">{}</script>\n",
        each.name, html_json(each.document));
  }
  for (const PageBinary& each : page.binaries) {
    out << fmt::format(
        "<script type=\"application/octet-stream\" class=\"binary\" data-name=\"{}\">{}</script>\n",
        each.name, base64_of(each.bytes));
  }
  return out.str();
}

namespace fs = std::filesystem;

/// In the order in which they depend on each other.
constexpr std::array<const char*, 3> script_files{"vega.min.js", "vega-lite.min.js",
                                                  "vega-embed.min.js"};

constexpr std::size_t largest_script = std::size_t{4} << 20U;  // [B]

/// Whether the script cannot end its element or hide the end (HTML, 4.12.1.3).
bool is_embeddable(const std::string& script) {
  return script.find("</script") == std::string::npos && script.find("<!--") == std::string::npos;
}

}  // namespace

Json with_summary(Json document, const Screen& screen) {
  document["summary"] = to_json(screen);
  return document;
}

std::string html_json(const Json& document) {
  std::string text;
  for (const char letter : json_text(packed(document), -1)) {
    if (letter == '<') {
      text += "\\u003c";
    } else if (letter == '>') {
      text += "\\u003e";
    } else {
      text += letter;
    }
  }
  return text;
}

void write_page(std::ostream& out, const Page& page, const PageScripts& scripts) {
  const std::string body = body_of(page, scripts);
  // Texts in the body come from elsewhere. Their authors cannot know the digest of the whole body.
  const std::string nonce = content_digest(body);
  out << fmt::format(page_head, nonce, markup_text(page.title), page_style) << body;
  for (const std::string& text : scripts.texts) {
    out << fmt::format("<script nonce=\"{}\">\n{}\n</script>\n", nonce, text);
  }
  out << fmt::format("<script nonce=\"{}\">\n{}</script>\n</body>\n</html>\n", nonce, page_script);
}

PageScripts load_page_scripts(const std::string& folder) {
  PageScripts scripts;
  for (const char* const name : script_files) {
    const std::string file = (fs::path(folder) / name).string();
    std::error_code unreachable;
    if (!fs::exists(file, unreachable)) {
      throw InputError({fmt::format("no script '{}'", file),
                        "plots need vega.min.js, vega-lite.min.js and vega-embed.min.js",
                        "docs/how-to/install-without-root.md says where they come from"});
    }
    std::string text = read_file(file, largest_script);
    if (!is_embeddable(text)) {
      throw InputError({fmt::format("'{}' cannot be put into a page", file),
                        "it has '</script' or '<!--' in it", "take the file of its npm package"});
    }
    scripts.texts.push_back(std::move(text));
  }
  return scripts;
}

PageScripts find_page_scripts(const std::vector<std::string>& folders) {
  for (const std::string& folder : folders) {
    std::error_code unreachable;
    if (fs::exists(fs::path(folder) / script_files.front(), unreachable)) {
      return load_page_scripts(folder);
    }
  }
  return {.texts = {},
          .missing =
              "this hockney was built without the scripts that draw them; build the target "
              "page-scripts, or name their folder with --scripts "
              "(docs/how-to/install-without-root.md)"};
}

}  // namespace hockney::report

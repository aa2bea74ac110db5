#include "core/provenance.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>

#include "core/text.hpp"

namespace hockney {
namespace {

constexpr std::array<std::string_view, 10> endings{
    "TOKEN", "SECRET",     "KEY",  "PASSWORD",   "PASSWD",
    "JWT",   "PASSPHRASE", "UUID", "CREDENTIAL", "CREDENTIALS"};

/// Ending of names of InfiniBand partitions (PKEY), which every administrator can read.
constexpr std::string_view partition = "PKEY";

/// Options of launchers that are followed by a name and its value; without dashes.
constexpr std::array<std::string_view, 6> naming{"genv", "env",     "mca",
                                                 "gmca", "prtemca", "pmixmca"};

/// srun's option with a list of variables.
constexpr std::string_view export_option = "--export";

constexpr std::string_view between_words = " \t\n;&|()";

bool ends_with_word(std::string_view name, std::string_view word) {
  if (name.size() < word.size()) return false;
  return std::ranges::equal(name.substr(name.size() - word.size()), word,
                            [](unsigned char a, unsigned char b) { return std::toupper(a) == b; });
}

bool is_option(std::string_view word) { return word.size() > 1 && word.front() == '-'; }

std::string_view without_dashes(std::string_view word) {
  word.remove_prefix(std::min(word.find_first_not_of('-'), word.size()));
  return word;
}

/// The end of the word that starts at `begin`: the next white space outside of quotes.
std::size_t end_of_word(std::string_view text, std::size_t begin) {
  char quote = '\0';
  for (std::size_t at = begin; at < text.size(); ++at) {
    const char letter = text[at];
    if (quote != '\0') {
      if (letter == quote) quote = '\0';
    } else if (letter == '\'' || letter == '"') {
      quote = letter;
    } else if (between_words.find(letter) != std::string_view::npos) {
      return at;
    }
  }
  return text.size();
}

/// Masks a word that is a command line itself.
std::string masked_text(std::string_view text) {
  std::vector<std::string> words;
  std::vector<std::string> gaps{""};
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = end_of_word(text, at);
    if (end == at) {
      gaps.back() += text[at++];
      continue;
    }
    words.emplace_back(text.substr(at, end - at));
    gaps.emplace_back();
    at = end;
  }
  words = without_secrets(std::move(words));
  std::string masked = gaps.front();
  for (std::size_t i = 0; i < words.size(); ++i) masked += words[i] + gaps[i + 1];
  return masked;
}

std::string masked_list(std::string_view list) {
  return join(without_secrets(split(list, ',')), ",");
}

/// The word without surrounding quotes.
std::string_view unquoted(std::string_view word) {
  const bool is_quoted = word.size() > 1 && word.front() == word.back() &&
                         (word.front() == '\'' || word.front() == '"');
  return is_quoted ? word.substr(1, word.size() - 2) : word;
}

/// Masks the secret in scheme://user:secret@host (RFC 3986, section 3.2.1), in each URL of a text.
std::string masked_urls(std::string text) {
  constexpr std::string_view scheme_end = "://";
  std::size_t at = 0;
  while ((at = text.find(scheme_end, at)) != std::string::npos) {
    at += scheme_end.size();
    const std::size_t end = std::min(text.find_first_of("/ \t\n'\"", at), text.size());
    const std::size_t host = text.substr(at, end - at).rfind('@');
    const std::size_t colon = text.find(':', at);
    if (host == std::string::npos || colon > at + host) continue;
    text.replace(colon + 1, at + host - colon - 1, kept_of_secret);
  }
  return text;
}

/// Masks a word: a quoted text, a command line, or NAME=value, whose value may be one of these.
std::string masked_word(std::string_view word) {
  const std::string_view inner = unquoted(word);
  if (inner.size() < word.size()) return word.front() + masked_text(inner) + word.back();
  const std::size_t equals = word.find('=');
  const std::string name(word.substr(0, equals));
  if (equals == std::string::npos || name.find_first_of(between_words) != std::string::npos) {
    const bool is_one_word = end_of_word(word, 0) == word.size();
    return is_one_word ? std::string(word) : masked_text(word);
  }
  const std::string_view value = word.substr(equals + 1);
  if (is_secret(name)) return name + "=" + std::string(kept_of_secret);
  return name + "=" + (name == export_option ? masked_list(value) : masked_word(value));
}

/// Masks the secret in "user:secret", also within quotes.
std::string masked_after_colon(const std::string& word) {
  const std::string_view inner = unquoted(word);
  const std::size_t colon = inner.find(':');
  if (colon == std::string_view::npos || colon + 1 == inner.size()) return word;
  const std::string quote = inner.size() < word.size() ? word.substr(0, 1) : "";
  return quote + std::string(inner.substr(0, colon + 1)) + std::string(kept_of_secret) + quote;
}

/// Masks the value of a header "X-Auth-Token:secret". Open MPI's -H has hosts "host:slots".
std::string masked_header(const std::string& word) {
  const std::string_view inner = unquoted(word);
  const std::size_t colon = inner.find(':');
  if (colon == std::string_view::npos || !is_secret(inner.substr(0, colon))) {
    return masked_word(word);
  }
  const std::string_view value = inner.substr(colon + 1);
  const std::size_t digits = std::min(value.find_first_not_of("0123456789"), value.size());
  const bool has_slots = digits > 0 && (digits == value.size() || value[digits] == ',');
  const bool is_split = value.starts_with(' ');  // into words, by masked_word
  return has_slots || is_split ? masked_word(word) : masked_after_colon(word);
}

/// Whether the next word is a secret: after "X-Auth-Token:" and "Bearer", as in headers of HTTP.
bool announces_secret(std::string_view last) {
  constexpr std::string_view scheme = "BEARER";
  if (last.ends_with(':')) return is_secret(last.substr(0, last.size() - 1));
  return last.size() == scheme.size() && ends_with_word(last, scheme);
}

/// Kind of the next word, given the words before it.
enum class Next { word, secret, name, list, header, user };

Next after(const std::string& word, Next now, bool is_curl) {
  if (now == Next::name) return is_secret(word) ? Next::secret : Next::word;
  if (announces_secret(word)) return Next::secret;
  if (!is_option(word) || word.find('=') != std::string::npos) return Next::word;
  if (word == export_option) return Next::list;
  if (word == "-H" || word == "--header") return Next::header;
  if (is_curl && (word == "-u" || word == "--user" || word == "--proxy-user")) return Next::user;
  const std::string_view name = without_dashes(word);
  if (std::ranges::find(naming, name) != naming.end()) return Next::name;
  return is_secret(name) ? Next::secret : Next::word;
}

/// The word without secrets.
std::string masked(const std::string& word, Next kind) {
  switch (kind) {
    case Next::secret:
      return std::string(kept_of_secret);
    case Next::list:
      return masked_urls(masked_list(word));
    case Next::header:
      return masked_urls(masked_header(word));
    case Next::user:
      return masked_after_colon(word);
    default:
      return masked_urls(masked_word(word));
  }
}

}  // namespace

bool is_secret(std::string_view name) {
  if (ends_with_word(name, partition)) return false;
  return std::ranges::any_of(endings,
                             [&](std::string_view ending) { return ends_with_word(name, ending); });
}

std::string without_secret(std::string_view name, const std::string& value) {
  return is_secret(name) ? std::string(kept_of_secret) : masked_urls(masked_word(value));
}

std::vector<RequestedSetting> without_secrets(std::vector<RequestedSetting> settings) {
  for (RequestedSetting& setting : settings) {
    const RequestedSetting given = setting;
    setting.requested = without_secret(setting.variable, setting.requested);
    if (setting.effective) {
      setting.effective = without_secret(setting.variable, *setting.effective);
    }
    if (setting == given && !is_secret(setting.variable)) continue;
    // The reason from prove() (core/settings.cpp) contains the value.
    const bool has_value = setting.reason.ends_with("' is effective") ||
                           setting.reason.ends_with("' is in force");  // in hockney.record/1
    if (has_value) setting.reason = "another value is effective";
  }
  return settings;
}

std::map<std::string, std::string> without_secrets(std::map<std::string, std::string> variables) {
  for (auto& [name, value] : variables) value = without_secret(name, value);
  return variables;
}

std::vector<std::string> without_secrets(std::vector<std::string> words) {
  Next next = Next::word;
  bool is_curl = false;  // of other programs -u may have "user:group"
  for (std::string& word : words) {
    const Next now = next;
    is_curl = is_curl || word == "curl" || word.ends_with("/curl");
    next = now == Next::secret ? Next::word : after(word, now, is_curl);
    word = masked(word, now);
  }
  return words;
}

}  // namespace hockney

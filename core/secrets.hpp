#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/provenance.hpp"

namespace hockney {

// Documents keep no secrets: the value of a variable or option whose name ends as those of secrets
// do is kept as "set". All that keeps variables or command lines goes through these functions.

inline constexpr std::string_view kept_of_secret = "set";

/// Whether a name ends in TOKEN, SECRET, KEY, PASSWORD, PASSWD, PASSPHRASE, JWT, UUID, CREDENTIAL
/// or CREDENTIALS, in letters of any case. Names that end in _FILE do not: a path is no secret.
bool is_secret(std::string_view name);

/// The value of a variable, or "set".
std::string without_secret(std::string_view name, const std::string& value);

/// Of variables by their names.
std::map<std::string, std::string> without_secrets(std::map<std::string, std::string> variables);

/// Of what became of variables.
std::vector<RequestedSetting> without_secrets(std::vector<RequestedSetting> settings);

/// Of the words of a command line: NAME=value and --name=value; the word after --name; -genv NAME
/// value, -env NAME value and --mca NAME value; the variables in --export=NAME=value,...; and all
/// of these within a word that is a command line itself, as that of sh -c.
std::vector<std::string> without_secrets(std::vector<std::string> words);

}  // namespace hockney

#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "core/json_fields.hpp"
#include "core/json_limits.hpp"
#include "health/history/identities.hpp"
#include "health/history/night.hpp"
#include "health/history/remarks.hpp"

// The lines of an export, document hockney.history/1: what each holds beside its key `kind`, in the
// order in which it is written. Strict: other keys are refused.

namespace hockney::health {

/// Of any figure in its unit: seconds, bytes a second, shares.
inline constexpr double most_value = 1e18;
inline constexpr double most_night_launches = 1e6;

/// Keeps the order of keys, so that every line says first what it is.
using ExportLine = nlohmann::ordered_json;

/// The key that says what a line is.
struct LineKind {
  std::string_view kind;

  template <class Owner>
  void read(const JsonNode& /*line*/, Owner& /*owner*/) const {}
  template <class Owner>
  void write(const Owner& /*owner*/, ExportLine& line) const {
    line["kind"] = kind;
  }
  void add_keys(std::vector<std::string_view>& keys) const { keys.emplace_back("kind"); }
};

/// Days since 1970 as a text like "2026-11-22".
std::int64_t read_day(const JsonNode& node);
std::string write_day(const std::int64_t& day);
inline constexpr FieldCodec<std::int64_t, std::string> as_day{read_day, write_day};

/// Text of a command line or a file system, which may be no UTF-8: then an object whose text
/// `latin1` has one character, up to U+00FF, for each byte.
std::string read_bytes(const JsonNode& node);
ExportLine write_bytes(const std::string& bytes);
inline constexpr FieldCodec<std::string, ExportLine> as_bytes{read_bytes, write_bytes};

constexpr auto fields_of(std::type_identity<Environment>) {
  return strict_object(LineKind{"environment"}, key("digest", &Environment::digest),
                       key("facts", &Environment::facts));
}

constexpr auto fields_of(std::type_identity<SeriesKind>) {
  return strict_object(LineKind{"series"}, key("series", &SeriesKind::name),
                       key("unit", &SeriesKind::unit), key("role", &SeriesKind::role),
                       key("worse", &SeriesKind::worse));
}

constexpr auto fields_of(std::type_identity<NightRecord>) {
  return strict_object(key("digest", &NightRecord::digest),
                       key("file", &NightRecord::file, as_bytes));
}

/// A night without what was found in it, which the lines behind it tell.
constexpr auto fields_of(std::type_identity<Night>) {
  return strict_object(LineKind{"night"}, key("day", &Night::day, as_day),
                       key("campaign", &Night::campaign), key("records", &Night::records));
}

/// [low, high] and its level; neither where there is no interval.
void read_interval(const JsonNode& line, NightlyValue& value);
void write_interval(const NightlyValue& value, ExportLine& line);

/// A figure, whose series a line before it describes.
constexpr auto fields_of(std::type_identity<NightFigure>) {
  return strict_object(
      LineKind{"figure"}, members_of(&NightFigure::value, key("day", &NightlyValue::day, as_day)),
      members_of(&NightFigure::series, key("series", &SeriesKind::name)),
      members_of(&NightFigure::value, key("value", &NightlyValue::value, positive_number),
                 by_hand({"ci", "ci_level"}, read_interval, write_interval),
                 key("launches", &NightlyValue::launches), at_most("launches", most_night_launches),
                 at_most("value", most_value), at_least("ci", 0), at_most("ci", most_value),
                 at_most("ci_level", 1),
                 key("environment", &NightlyValue::environment, KeyUse::left_out_if_empty)));
}

/// A pair of nodes and its night.
struct PairLine {
  std::int64_t day = 0;
  fleet::NightPair pair;
};

/// A fault of the night that the last line of kind `night` began.
struct FaultLine {
  std::int64_t day = 0;
  FaultFinding finding;
};

constexpr auto fields_of(std::type_identity<FaultLine>) {
  return strict_object(LineKind{"fault"}, key("day", &FaultLine::day, as_day),
                       members_of(&FaultLine::finding));
}

void read_hosts(const JsonNode& line, fleet::NightlyPair& pair);
void write_hosts(const fleet::NightlyPair& pair, ExportLine& line);

constexpr auto fields_of(std::type_identity<PairLine>) {
  return strict_object(LineKind{"pair"}, key("day", &PairLine::day, as_day),
                       members_of(&PairLine::pair, key("point", &fleet::NightPair::point),
                                  members_of(&fleet::NightPair::pair, key("hop", &fleet::NightlyPair::hop),
                                             by_hand({"hosts"}, read_hosts, write_hosts),
                                             key("seconds", &fleet::NightlyPair::seconds, positive_number),
                                             key("launches", &fleet::NightlyPair::launches),
                                             at_most("launches", most_night_launches),
                                             at_most("seconds", longest_seconds))));
}

constexpr auto fields_of(std::type_identity<Note>) {
  return strict_object(LineKind{"note"}, key("day", &Note::day, as_day),
                       key("text", &Note::text, as_bytes));
}

constexpr auto fields_of(std::type_identity<Acceptance>) {
  return strict_object(LineKind{"accepted"}, key("day", &Acceptance::day, as_day),
                       key("series", &Acceptance::series, as_bytes),
                       key("why", &Acceptance::why, as_bytes));
}

constexpr auto fields_of(std::type_identity<Maintenance>) {
  return strict_object(LineKind{"maintenance"}, key("from", &Maintenance::first_day, as_day),
                       key("to", &Maintenance::last_day, as_day),
                       key("why", &Maintenance::why, as_bytes));
}

constexpr auto fields_of(std::type_identity<KeptNumber>) {
  return strict_object(LineKind{"kept"}, key("name", &KeptNumber::name),
                       key("value", &KeptNumber::value, any_number), within("value", most_value));
}

}  // namespace hockney::health

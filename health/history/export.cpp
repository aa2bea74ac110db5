#include "health/history/export.hpp"

#include <sqlite3.h>

#include <fmt/format.h>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/error.hpp"
#include "core/fault_fields.hpp"
#include "core/json_fields.hpp"
#include "core/json_values.hpp"
#include "core/quantities.hpp"
#include "core/text.hpp"
#include "health/history/database.hpp"
#include "health/history/night_writer.hpp"
#include "health/history/reading.hpp"

// The lines of an export (document hockney.history/1): their members besides `kind`, in the order
// of writing. Strict: other keys are errors.

namespace hockney::health {

/// For figures in any unit: seconds, bytes per second, shares.
inline constexpr double most_value = 1e18;
inline constexpr double most_night_launches = 1e6;

/// Keeps the order of keys, so that every line begins with its kind.
using ExportLine = nlohmann::ordered_json;

/// The key `kind` of a line.
struct LineKind {
  std::string_view kind;

  template <class Owner>
  void read(const JsonNode& /*line*/, Owner& /*owner*/) const {}
  template <class Owner>
  void write(const Owner& /*owner*/, ExportLine& line) const {
    line["kind"] = kind;
  }
  static void add_keys(std::vector<std::string_view>& keys) { keys.emplace_back("kind"); }
};

/// Days since 1970 as a text like "2026-11-22".
std::int64_t read_day(const JsonNode& node);
std::string write_day(const std::int64_t& day);
inline constexpr FieldCodec<std::int64_t, std::string> as_day{read_day, write_day};

/// Text of a command line or a file system, which need not be UTF-8. If it is not, it is written as
/// an object: its text `latin1` has one character, up to U+00FF, for each byte.
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

/// A night without its findings, which are on the following lines.
constexpr auto fields_of(std::type_identity<Night>) {
  return strict_object(LineKind{"night"}, key("day", &Night::day, as_day),
                       key("campaign", &Night::campaign), key("records", &Night::records));
}

/// [low, high] and its level; both absent without an interval.
void read_interval(const JsonNode& line, NightlyValue& value);
void write_interval(const NightlyValue& value, ExportLine& line);

/// A figure; an earlier line describes its series.
constexpr auto fields_of(std::type_identity<NightFigure>) {
  return strict_object(
      LineKind{"figure"}, members_of(&NightFigure::value, key("day", &NightlyValue::day, as_day)),
      members_of(&NightFigure::series, key("series", &SeriesKind::name)),
      members_of(&NightFigure::value, key("value", &NightlyValue::value, positive_number),
                 by_hand({"ci", "ci_level"}, read_interval, write_interval),
                 key("launches", &NightlyValue::launches), at_most("launches", most_night_launches),
                 key("half_digit", &NightlyValue::half_digit, KeyUse::left_out_if_empty),
                 at_least("half_digit", 0), at_most("half_digit", most_value),
                 at_most("value", most_value), at_least("ci", 0), at_most("ci", most_value),
                 at_least("value", smallest_of("ci")), at_most("value", largest_of("ci")),
                 at_most("ci_level", 1),
                 key("environment", &NightlyValue::environment, KeyUse::left_out_if_empty)));
}

/// A pair of nodes and its night.
struct PairLine {
  std::int64_t day = 0;
  fleet::NightPair pair;
};

/// A fault of the night in the last line of kind `night`.
struct FaultLine {
  std::int64_t day = 0;
  FaultFinding finding;
};

/// A planned series without a value in that night.
struct AbsenceLine {
  std::int64_t day = 0;
  Absence absence;
};

constexpr auto fields_of(std::type_identity<AbsenceLine>) {
  return strict_object(LineKind{"absence"}, key("day", &AbsenceLine::day, as_day),
                       members_of(&AbsenceLine::absence, key("series", &Absence::series),
                                  key("reason", &Absence::reason)));
}

constexpr auto fields_of(std::type_identity<FaultLine>) {
  return strict_object(LineKind{"fault"}, key("day", &FaultLine::day, as_day),
                       members_of(&FaultLine::finding));
}

void read_hosts(const JsonNode& line, fleet::NightlyPair& pair);
void write_hosts(const fleet::NightlyPair& pair, ExportLine& line);

constexpr auto fields_of(std::type_identity<PairLine>) {
  return strict_object(
      LineKind{"pair"}, key("day", &PairLine::day, as_day),
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

std::int64_t read_day(const JsonNode& node) {
  try {
    return parse_day(node.text());
  } catch (const InputError&) {
    node.reject("is no day since 2000", fmt::format("it is '{}'", node.text()),
                "write it like 2026-11-22");
  }
}

std::string write_day(const std::int64_t& day) { return day_text(day); }

std::string read_bytes(const JsonNode& node) {
  if (!node.is_object()) return node.text();
  node.allow_only({"latin1"});
  const std::string letters = node.at("latin1").text();
  std::string bytes;
  for (std::size_t i = 0; i < letters.size(); ++i) {
    const auto first = static_cast<unsigned char>(letters[i]);
    const bool is_long = first >= 0x80U;
    if (is_long && first > 0xC3U) {
      node.at("latin1").reject("has a character beyond U+00FF", "each is one byte",
                               "is the file whole?");
    }
    const auto second = is_long ? static_cast<unsigned char>(letters[++i]) : 0U;
    bytes += static_cast<char>(is_long ? (first & 0x03U) << 6U | (second & 0x3FU) : first);
  }
  return bytes;
}

ExportLine write_bytes(const std::string& bytes) {
  if (is_utf8(bytes)) return bytes;
  std::string letters;
  for (const char letter : bytes) {
    const auto byte = static_cast<unsigned char>(letter);
    if (byte >= 0x80U) letters += static_cast<char>(0xC0U | byte >> 6U);
    letters += static_cast<char>(byte >= 0x80U ? 0x80U | (byte & 0x3FU) : byte);
  }
  return {{"latin1", letters}};
}

void read_interval(const JsonNode& line, NightlyValue& value) {
  const auto ends = line.find("ci");
  if (!ends) return;
  const std::vector<double> bounds = ends->numbers();
  if (bounds.size() != 2) ends->reject("has not two ends", "an interval has", "");
  if (bounds[0] > bounds[1]) ends->reject("ends before it begins", "it is [low, high]", "");
  value.interval =
      Interval{.low = bounds[0], .high = bounds[1], .level = line.at("ci_level").number()};
}

void write_interval(const NightlyValue& value, ExportLine& line) {
  if (!value.interval) return;
  line["ci"] = *value.interval;
  line["ci_level"] = value.interval->level;
}

void read_hosts(const JsonNode& line, fleet::NightlyPair& pair) {
  const std::vector<std::string> hosts = line.at("hosts").texts();
  if (hosts.size() != 2) line.at("hosts").reject("are not two", "a pair has two", "");
  pair.a = hosts[0];
  pair.b = hosts[1];
}

void write_hosts(const fleet::NightlyPair& pair, ExportLine& line) {
  line["hosts"] = {pair.a, pair.b};
}

namespace {

class Exporter {
 public:
  Exporter(const HistoryDatabase& database, std::ostream& out)
      : database_(database), sqlite_(database.sqlite()), out_(out) {}

  void write() {
    const ReadingMoment moment(database_);
    put({{"kind", "history"}, {"schema", history_schema}});
    write_environments();
    write_series();
    write_nights();
    put_all(read_notes(database_));
    put_all(read_acceptances(database_));
    put_all(read_maintenances(database_));
    put_all(kept_numbers(database_));
    put({{"kind", "end"}, {"lines", lines_}});
  }

 private:
  void put(const ExportLine& line) {
    out_ << json_text(line, -1) << '\n';
    ++lines_;
  }

  template <class Value>
  void put_all(const std::vector<Value>& values) {
    for (const Value& value : values) put(value);
  }

  void write_environments() {
    put_all(read_environments(database_));
    SQLite::Statement rows(sqlite_, "SELECT id, digest FROM environments");
    while (rows.executeStep()) {
      digests_[rows.getColumn(0).getInt64()] = rows.getColumn(1).getText();
    }
  }

  void write_series() {
    for (const ListedSeries& series : listed_series(database_)) {
      put(series.kind);
      names_[series.id] = series.kind.name;
    }
  }

  void write_nights() {
    SQLite::Statement nights(sqlite_, "SELECT id, day, campaign FROM nights ORDER BY 2, 3");
    // stops if the disk is full or the reader has closed the pipe
    while (out_ && nights.executeStep()) {
      const std::int64_t id = nights.getColumn(0).getInt64();
      Night night{.day = nights.getColumn(1).getInt64(), .campaign = nights.getColumn(2).getText()};
      night.records = stored_records(database_, night.day, night.campaign);
      put(night);
      write_figures(night.day, id);
      write_pairs(night.day, id);
      for (FaultFinding& finding : faults_of(database_, id)) {
        put(FaultLine{.day = night.day, .finding = std::move(finding)});
      }
      for (Absence& absence : absences_of(database_, id)) {
        put(AbsenceLine{.day = night.day, .absence = std::move(absence)});
      }
    }
  }

  void write_figures(std::int64_t day, std::int64_t night) {
    SQLite::Statement rows(
        sqlite_,
        "SELECT series, value, low, high, level, launches, environment, "
        "half_digit FROM figures JOIN series ON series.id = series WHERE day = ? AND night = ? "
        "ORDER BY name");
    rows.bind(1, day);
    rows.bind(2, night);
    while (rows.executeStep()) {
      NightFigure figure;
      figure.series.name = names_[rows.getColumn(0).getInt64()];
      figure.value.day = day;
      figure.value.value = rows.getColumn(1).getDouble();
      if (!rows.isColumnNull(2)) {
        figure.value.interval = Interval{.low = rows.getColumn(2).getDouble(),
                                         .high = rows.getColumn(3).getDouble(),
                                         .level = rows.getColumn(4).getDouble()};
      }
      figure.value.launches = static_cast<std::size_t>(rows.getColumn(5).getInt64());
      if (!rows.isColumnNull(7)) figure.value.half_digit = rows.getColumn(7).getDouble();
      if (!rows.isColumnNull(6)) {
        figure.value.environment = digests_[rows.getColumn(6).getInt64()];
      }
      put(figure);
    }
  }

  void write_pairs(std::int64_t day, std::int64_t night) {
    SQLite::Statement rows(
        sqlite_,
        "SELECT pair_points.name, hop, a.name, b.name, seconds, launches FROM pairs "
        "JOIN pair_points ON pair_points.id = point JOIN hosts a ON a.id = pairs.a "
        "JOIN hosts b ON b.id = pairs.b WHERE day = ? AND night = ? ORDER BY 1, 2, 3, 4");
    rows.bind(1, day);
    rows.bind(2, night);
    while (rows.executeStep()) {
      PairLine line{.day = day, .pair = {}};
      line.pair.point = rows.getColumn(0).getText();
      line.pair.pair = {.a = rows.getColumn(2).getText(),
                        .b = rows.getColumn(3).getText(),
                        .hop = rows.getColumn(1).getText(),
                        .seconds = rows.getColumn(4).getDouble(),
                        .launches = static_cast<std::size_t>(rows.getColumn(5).getInt64())};
      put(line);
    }
  }

  const HistoryDatabase& database_;
  SQLite::Database& sqlite_;
  std::ostream& out_;
  std::size_t lines_ = 0;
  std::unordered_map<std::int64_t, std::string> names_;
  std::unordered_map<std::int64_t, std::string> digests_;
};

}  // namespace

void export_history(const HistoryDatabase& database, std::ostream& out) {
  translated(database.file(), [&] { Exporter(database, out).write(); });
}

namespace {

/// The night of the current lines.
struct OpenNight {
  std::int64_t day = 0;
  std::int64_t id = 0;  ///< in the database, unless the night was there before
  bool there = false;
};

/// Reads the lines of one export in their order.
class Importer {
 public:
  explicit Importer(const HistoryDatabase& database)
      : database_(database),
        identities_(database.sqlite()),
        inserts_(database.sqlite(), identities_) {}

  void take(const JsonNode& line) {
    static const std::map<std::string, void (Importer::*)(const JsonNode&)> readers{
        {"history", &Importer::take_head},
        {"environment", &Importer::take_environment},
        {"series", &Importer::take_series},
        {"night", &Importer::take_night},
        {"figure", &Importer::take_figure},
        {"pair", &Importer::take_pair},
        {"fault", &Importer::take_fault},
        {"absence", &Importer::take_absence},
        {"note", &Importer::take_remark<Note, add_note>},
        {"accepted", &Importer::take_remark<Acceptance, add_acceptance>},
        {"maintenance", &Importer::take_remark<Maintenance, add_maintenance>},
        {"kept", &Importer::take_remark<KeptNumber, keep_number>},
        {"end", &Importer::take_end}};
    const std::string kind = line.at("kind").text();
    const auto reader = readers.find(kind);
    if (reader == readers.end()) {
      std::vector<std::string> known;
      known.reserve(readers.size());
      for (const auto& [name, read] : readers) known.push_back(name);
      line.at("kind").reject("is unknown", fmt::format("it is '{}'", kind), suggest(kind, known));
    }
    if ((lines_ == 0) != (kind == "history") || ended_) {
      line.at("kind").reject("is out of place", fmt::format("it is '{}'", kind),
                             "is the file whole?");
    }
    (this->*reader->second)(line);
    ++lines_;
  }

  /// Whether the end of the export has been read.
  [[nodiscard]] bool ended() const { return ended_; }
  [[nodiscard]] const Imported& imported() const { return imported_; }

 private:
  // NOLINTNEXTLINE(readability-convert-member-functions-to-static): one of the readers of lines
  void take_head(const JsonNode& line) {
    line.allow_only({"kind", "schema"});
    line.require_schema(history_schema, "export it with a hockney as old as this one");
  }

  void take_end(const JsonNode& line) {
    line.allow_only({"kind", "lines"});
    if (read_value<std::size_t>(line.at("lines")) != lines_) {
      line.at("lines").reject("is wrong",
                              fmt::format("the number of lines before it is {}", lines_),
                              "is the file whole?");
    }
    ended_ = true;
  }

  void take_environment(const JsonNode& line) {
    identities_.environment(read_value<Environment>(line));
  }

  void take_series(const JsonNode& line) {
    const auto kind = read_value<SeriesKind>(line);
    identities_.series(kind);
    kinds_[kind.name] = kind;
  }

  void take_night(const JsonNode& line) {
    const auto night = read_value<Night>(line);
    night_ = {.day = night.day, .there = is_there(line, night)};
    if (night_->there) {
      ++imported_.nights_there;
      return;
    }
    night_->id = identities_.night(night.day, night.campaign);
    for (const NightRecord& record : night.records) inserts_.record(night_->id, record);
    ++imported_.nights;
  }

  bool is_there(const JsonNode& line, const Night& night) {
    SQLite::Statement find(database_.sqlite(),
                           "SELECT count(*) FROM nights WHERE day = ? AND campaign = ?");
    find.bind(1, night.day);
    find.bind(2, night.campaign);
    find.executeStep();
    if (find.getColumn(0).getInt64() == 0) return false;
    std::set<std::string> given;
    std::set<std::string> there;
    for (const NightRecord& record : night.records) given.insert(record.digest);
    for (const NightRecord& record : stored_records(database_, night.day, night.campaign)) {
      there.insert(record.digest);
    }
    if (given == there) return true;
    line.at("day").reject("is in the history already, made of other records",
                          fmt::format("campaign '{}' has one night a day", night.campaign),
                          "import into a history of its own");
  }

  /// The night for a line of this day; nullptr if the history had that night before.
  [[nodiscard]] const OpenNight* night_of(const JsonNode& line, std::int64_t day) const {
    if (!night_ || day != night_->day) {
      line.at("day").reject("is not that of the night before it",
                            night_ ? "that is of " + day_text(night_->day) : "there is none",
                            "is the file whole?");
    }
    return night_->there ? nullptr : &*night_;
  }

  void take_figure(const JsonNode& line) {
    auto figure = read_value<NightFigure>(line);
    const OpenNight* night = night_of(line, figure.value.day);
    if (night == nullptr) return;
    const auto kind = kinds_.find(figure.series.name);
    if (kind == kinds_.end()) {
      line.at("series").reject("is unknown", "no line before it says what it is",
                               "is the file whole?");
    }
    figure.series = kind->second;
    inserts_.figure(night->id, figure);
    ++imported_.figures;
  }

  void take_pair(const JsonNode& line) {
    const auto read = read_value<PairLine>(line);
    const OpenNight* night = night_of(line, read.day);
    if (night == nullptr) return;
    inserts_.pair(night->id, night->day, read.pair);
    ++imported_.pairs;
  }

  void take_fault(const JsonNode& line) {
    const auto read = read_value<FaultLine>(line);
    const OpenNight* night = night_of(line, read.day);
    if (night != nullptr) inserts_.fault(night->id, read.finding);
  }

  void take_absence(const JsonNode& line) {
    const auto read = read_value<AbsenceLine>(line);
    const OpenNight* night = night_of(line, read.day);
    if (night != nullptr) inserts_.absence(night->id, read.absence);
  }

  template <class Remark, void (*keep)(const HistoryDatabase&, const Remark&)>
  void take_remark(const JsonNode& line) {
    keep(database_, read_value<Remark>(line));
    ++imported_.remarks;
  }

  const HistoryDatabase& database_;
  Identities identities_;
  FigureInserts inserts_;
  std::map<std::string, SeriesKind> kinds_;
  Imported imported_;
  std::size_t lines_ = 0;
  bool ended_ = false;
  std::optional<OpenNight> night_;
};

/// Reads a line; a constraint error of a table means that the history has the row already.
void take(Importer& importer, const JsonNode& line) {
  try {
    importer.take(line);
  } catch (const SQLite::Exception& error) {
    if (error.getErrorCode() != SQLITE_CONSTRAINT) throw;
    line.reject("cannot be taken", error.what(), "is the line there twice?");
  }
}

}  // namespace

Imported import_history(const HistoryDatabase& database, std::istream& in,
                        const std::string& name) {
  return translated(database.file(), [&] {
    WriteTransaction transaction(database.sqlite());
    Importer importer(database);
    std::string line;
    for (std::size_t number = 1; std::getline(in, line); ++number) {
      take(importer, parse_json(line, fmt::format("{} line {}", name, number)));
    }
    if (!importer.ended()) {
      throw InputError(
          {name + ": cannot be read", "its last line is missing", "is the file whole?"});
    }
    transaction.commit();
    return importer.imported();
  });
}

}  // namespace hockney::health

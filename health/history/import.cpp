#include <sqlite3.h>

#include <map>
#include <set>

#include "core/error.hpp"
#include "core/json_node.hpp"
#include "core/text.hpp"
#include "core/time.hpp"
#include "health/history/export.hpp"
#include "health/history/identities.hpp"
#include "health/history/import_fields.hpp"
#include "health/history/night_writer.hpp"
#include "health/history/remarks.hpp"
#include "health/history/sqlite_errors.hpp"

namespace hockney {
namespace {

/// The night whose lines are being read.
struct OpenNight {
  std::int64_t day = 0;
  std::int64_t id = 0;  ///< in the database, unless it is there already
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
        {"note", &Importer::take_note},
        {"accepted", &Importer::take_accepted},
        {"maintenance", &Importer::take_maintenance},
        {"kept", &Importer::take_kept},
        {"end", &Importer::take_end}};
    const std::string kind = line.at("kind").text();
    const auto reader = readers.find(kind);
    if (reader == readers.end()) {
      std::vector<std::string> known;
      known.reserve(readers.size());
      for (const auto& [name, read] : readers) known.push_back(name);
      line.at("kind").reject("is unknown", "it is '" + kind + "'", suggest(kind, known));
    }
    if ((lines_ == 0) != (kind == "history") || ended_) {
      line.at("kind").reject("is out of place", "it is '" + kind + "'", "is the file whole?");
    }
    (this->*reader->second)(line);
    ++lines_;
  }

  /// Whether everything that was written has been read.
  [[nodiscard]] bool ended() const { return ended_; }
  [[nodiscard]] const Imported& imported() const { return imported_; }

 private:
  // NOLINTNEXTLINE(readability-convert-member-functions-to-static): one of the readers of lines
  void take_head(const JsonNode& line) {
    line.allow_only({"kind", "schema"});
    const std::string schema = line.at("schema").text();
    if (schema != history_schema) {
      line.at("schema").reject("is unknown", "it is '" + schema + "'",
                               "this hockney reads " + std::string(history_schema));
    }
  }

  void take_end(const JsonNode& line) {
    line.allow_only({"kind", "lines"});
    if (count_at(line, "lines") != lines_) {
      line.at("lines").reject("is wrong", std::to_string(lines_) + " lines lie before it",
                              "is the file whole?");
    }
    ended_ = true;
  }

  void take_environment(const JsonNode& line) {
    line.allow_only({"kind", "digest", "facts"});
    Environment environment{.digest = line.at("digest").text(), .facts = {}};
    const JsonNode facts = line.at("facts");
    for (const std::string& key : facts.keys()) environment.facts[key] = facts.at(key).text();
    identities_.environment(environment);
  }

  void take_series(const JsonNode& line) {
    const SeriesKind kind = read_series_kind(line);
    identities_.series(kind);
    kinds_[kind.name] = kind;
  }

  void take_night(const JsonNode& line) {
    line.allow_only({"kind", "day", "campaign", "records"});
    const std::int64_t day = day_at(line, "day");
    const std::string campaign = line.at("campaign").text();
    std::vector<NightRecord> records;
    for (const JsonNode& node : line.at("records").elements()) {
      node.allow_only({"digest", "file"});
      records.push_back({.digest = node.at("digest").text(), .file = node.at("file").text()});
    }
    night_ = {.day = day, .there = is_there(line, day, campaign, records)};
    if (night_->there) {
      ++imported_.nights_there;
      return;
    }
    night_->id = identities_.night(day, campaign);
    for (const NightRecord& record : records) inserts_.record(night_->id, record);
    ++imported_.nights;
  }

  bool is_there(const JsonNode& line, std::int64_t day, const std::string& campaign,
                const std::vector<NightRecord>& records) {
    SQLite::Statement find(database_.sqlite(),
                           "SELECT count(*) FROM nights WHERE day = ? AND campaign = ?");
    find.bind(1, day);
    find.bind(2, campaign);
    find.executeStep();
    if (find.getColumn(0).getInt64() == 0) return false;
    std::set<std::string> given;
    std::set<std::string> there;
    for (const NightRecord& record : records) given.insert(record.digest);
    for (const NightRecord& record : stored_records(database_, day, campaign)) {
      there.insert(record.digest);
    }
    if (given == there) return true;
    line.at("day").reject("is in the history already, made of other records",
                          "campaign '" + campaign + "' has one night a day",
                          "import into a history of its own");
  }

  /// The night the line belongs to; nullptr when that is there already.
  [[nodiscard]] const OpenNight* night_of(const JsonNode& line) const {
    if (!night_ || day_at(line, "day") != night_->day) {
      line.at("day").reject("is not that of the night before it",
                            night_ ? "that is of " + day_text(night_->day) : "there is none",
                            "is the file whole?");
    }
    return night_->there ? nullptr : &*night_;
  }

  void take_figure(const JsonNode& line) {
    line.allow_only(
        {"kind", "day", "series", "value", "ci", "ci_level", "launches", "environment"});
    const OpenNight* night = night_of(line);
    if (night == nullptr) return;
    const auto kind = kinds_.find(line.at("series").text());
    if (kind == kinds_.end()) {
      line.at("series").reject("is unknown", "no line before it says what it is",
                               "is the file whole?");
    }
    NightlyValue value{.day = night->day,
                       .value = positive_at(line, "value"),
                       .interval = {},
                       .launches = count_at(line, "launches"),
                       .environment = {}};
    if (const auto ends = line.find("ci")) {
      const std::vector<double> bounds = ends->numbers();
      if (bounds.size() != 2) ends->reject("has not two ends", "an interval has", "");
      value.interval =
          Interval{.low = bounds[0], .high = bounds[1], .level = line.at("ci_level").number()};
    }
    if (const auto digest = line.find("environment")) value.environment = digest->text();
    inserts_.figure(night->id, {.series = kind->second, .value = value});
    ++imported_.figures;
  }

  void take_pair(const JsonNode& line) {
    line.allow_only({"kind", "day", "point", "hop", "hosts", "seconds", "launches"});
    const OpenNight* night = night_of(line);
    if (night == nullptr) return;
    const std::vector<std::string> hosts = line.at("hosts").texts();
    if (hosts.size() != 2) line.at("hosts").reject("are not two", "a pair has two", "");
    inserts_.pair(night->id, night->day,
                  {.point = line.at("point").text(),
                   .pair = {.a = hosts[0],
                            .b = hosts[1],
                            .hop = line.at("hop").text(),
                            .seconds = positive_at(line, "seconds"),
                            .launches = count_at(line, "launches")}});
    ++imported_.pairs;
  }

  void take_note(const JsonNode& line) {
    line.allow_only({"kind", "day", "text"});
    add_note(database_, {.day = day_at(line, "day"), .text = line.at("text").text()});
    ++imported_.remarks;
  }

  void take_accepted(const JsonNode& line) {
    line.allow_only({"kind", "day", "series", "why"});
    add_acceptance(database_, {.day = day_at(line, "day"),
                               .series = line.at("series").text(),
                               .why = line.at("why").text()});
    ++imported_.remarks;
  }

  void take_maintenance(const JsonNode& line) {
    line.allow_only({"kind", "from", "to", "why"});
    add_maintenance(database_, {.first_day = day_at(line, "from"),
                                .last_day = day_at(line, "to"),
                                .why = line.at("why").text()});
    ++imported_.remarks;
  }

  void take_kept(const JsonNode& line) {
    line.allow_only({"kind", "name", "value"});
    keep_number(database_, {.name = line.at("name").text(), .value = line.at("value").number()});
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

/// What a table refuses was there before.
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
      take(importer, parse_json(line, name + " line " + std::to_string(number)));
    }
    if (!importer.ended()) {
      throw InputError(
          {name + ": cannot be read", "its last line is missing", "is the file whole?"});
    }
    transaction.commit();
    return importer.imported();
  });
}

}  // namespace hockney

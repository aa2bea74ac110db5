#include <sqlite3.h>

#include <map>
#include <set>

#include "core/error.hpp"
#include "core/text.hpp"
#include "core/time.hpp"
#include "health/history/export.hpp"
#include "health/history/export_lines.hpp"
#include "health/history/night_writer.hpp"
#include "health/history/sqlite_errors.hpp"

namespace hockney::health {
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
        {"fault", &Importer::take_fault},
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
    line.require_schema(history_schema, "export it with a hockney as old as this one");
  }

  void take_end(const JsonNode& line) {
    line.allow_only({"kind", "lines"});
    if (read_value<std::size_t>(line.at("lines")) != lines_) {
      line.at("lines").reject("is wrong", std::to_string(lines_) + " lines lie before it",
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
                          "campaign '" + night.campaign + "' has one night a day",
                          "import into a history of its own");
  }

  /// The night that a line of this day belongs to; nullptr when that is there already.
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

}  // namespace hockney::health

#include "history/night_writer.hpp"

#include <sqlite3.h>

#include <algorithm>
#include <set>

#include "core/days.hpp"
#include "core/error.hpp"
#include "history/figure_inserts.hpp"
#include "history/identities.hpp"
#include "history/translated.hpp"

namespace hockney {
namespace {

std::set<std::string> digests_of(const std::vector<NightRecord>& records) {
  std::set<std::string> digests;
  for (const NightRecord& record : records) digests.insert(record.digest);
  return digests;
}

std::vector<NightRecord> records_of(SQLite::Database& database, std::int64_t day,
                                    const std::string& campaign) {
  SQLite::Statement rows(database,
                         "SELECT digest, file FROM records JOIN nights ON nights.id = night "
                         "WHERE day = ? AND campaign = ? ORDER BY file, digest");
  rows.bind(1, day);
  rows.bind(2, campaign);
  std::vector<NightRecord> records;
  while (rows.executeStep()) {
    records.push_back({.digest = rows.getColumn(0).getText(), .file = rows.getColumn(1).getText()});
  }
  return records;
}

/// InputError for what PRIMARY KEY forbids.
[[noreturn]] void reject_collision(const Night& night) {
  throw InputError({"two values of one series on " + day_text(night.day),
                    "the history has one a night of each campaign '" + night.campaign + "'",
                    "give campaigns names of their own, or another --day"});
}

}  // namespace

class NightWriter::Statements {
 public:
  explicit Statements(SQLite::Database& database)
      : database_(database), identities_(database), inserts_(database, identities_) {}

  Stored store(const Night& night) {
    WriteTransaction transaction(database_);
    const std::set<std::string> there =
        digests_of(records_of(database_, night.day, night.campaign));
    const std::set<std::string> given = digests_of(night.records);
    if (!given.empty() && there == given) return Stored::unchanged;
    if (!std::ranges::includes(given, there)) {
      throw RunError({"the night " + day_text(night.day) + " has changed meanwhile",
                      "another program ingested records of it", "repeat"});
    }
    try {
      insert(night);
      transaction.commit();
    } catch (...) {
      identities_.forget();
      throw;
    }
    return there.empty() ? Stored::added : Stored::replaced;
  }

 private:
  void insert(const Night& night) {
    const std::int64_t id = identities_.night(night.day, night.campaign);
    for (const char* table : {"figures WHERE day = ? AND", "pairs WHERE day = ? AND"}) {
      SQLite::Statement remove(database_, std::string("DELETE FROM ") + table + " night = ?");
      remove.bind(1, night.day);
      remove.bind(2, id);
      remove.exec();
    }
    SQLite::Statement forget(database_, "DELETE FROM records WHERE night = ?");
    forget.bind(1, id);
    forget.exec();
    for (const Environment& environment : night.environments) identities_.environment(environment);
    for (const NightRecord& record : night.records) inserts_.record(id, record);
    for (const NightFigure& figure : night.figures) inserts_.figure(id, figure);
    for (const NightPair& pair : night.pairs) inserts_.pair(id, night.day, pair);
  }

  SQLite::Database& database_;
  Identities identities_;
  FigureInserts inserts_;
};

NightWriter::NightWriter(const HistoryDatabase& database) : file_(database.file()) {
  translated(file_, [&] { statements_ = std::make_unique<Statements>(database.sqlite()); });
}

NightWriter::NightWriter(NightWriter&&) noexcept = default;
NightWriter& NightWriter::operator=(NightWriter&&) noexcept = default;
NightWriter::~NightWriter() = default;

Stored NightWriter::store(const Night& night) {
  return translated(file_, [&] {
    try {
      return statements_->store(night);
    } catch (const SQLite::Exception& error) {
      if (error.getErrorCode() == SQLITE_CONSTRAINT) reject_collision(night);
      throw;
    }
  });
}

std::vector<NightRecord> stored_records(const HistoryDatabase& database, std::int64_t day,
                                        const std::string& campaign) {
  return translated(database.file(), [&] { return records_of(database.sqlite(), day, campaign); });
}

std::optional<NightPlace> night_of_record(const HistoryDatabase& database,
                                          const std::string& digest) {
  return translated(database.file(), [&]() -> std::optional<NightPlace> {
    SQLite::Statement find(database.sqlite(),
                           "SELECT day, campaign FROM records JOIN nights ON nights.id = night "
                           "WHERE digest = ?");
    find.bind(1, digest);
    if (!find.executeStep()) return std::nullopt;
    return NightPlace{.day = find.getColumn(0).getInt64(), .campaign = find.getColumn(1).getText()};
  });
}

}  // namespace hockney

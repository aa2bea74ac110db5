#include "health/history/sqlite_errors.hpp"

#include <sqlite3.h>

#include "core/error.hpp"

namespace hockney::health {

void rethrow(const SQLite::Exception& error, const std::string& file) {
  const std::string name = "'" + file + "'";
  switch (error.getErrorCode()) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      throw RunError({"the history " + name + " is locked", "another program is writing to it",
                      "repeat when it is done, or give more --wait"});
    case SQLITE_NOTADB:
      throw InputError({name + " is no history", "it is not a file of SQLite", "check the name"});
    case SQLITE_CORRUPT:
      throw InputError({"the history " + name + " is damaged", error.what(),
                        "import the last export, or ingest the records again"});
    case SQLITE_CANTOPEN:
      throw InputError({"cannot open the history " + name, error.what(),
                        "check the name and the permissions of the folder"});
    case SQLITE_READONLY:
      throw InputError({"the history " + name + " cannot be written", error.what(),
                        "check the permissions of file and folder"});
    default:
      throw RunError(
          {"the history " + name + " failed", error.what(), "check the disk and its free space"});
  }
}

}  // namespace hockney::health

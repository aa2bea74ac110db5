#!/bin/bash
# docs/picture.sh BUILD: makes the pictures of pages in these documents, page.png of a campaign (results/reference/hops.tar.xz),
# profile-page.png and fleet-page.png, from pages that tests/page/pictures.mjs compares.
#   BUILD    a build folder after tests/page/check, with bin/hockney and page/node
# Needs chromium.
set -euo pipefail
source=$(cd "$(dirname "$0")/.." && pwd)
build=$(cd "${1:?usage: docs/picture.sh BUILD}" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
python3 "$source/tests/page/pages.py" "$build" "$scratch" campaign log fleet
HOCKNEY_NODE_FOLDER=$build/page/node node "$source/tests/page/pictures.mjs" "$scratch" --documents

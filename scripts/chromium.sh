#!/usr/bin/env bash
# Chromium for the tests of the inspector: the machine's own, or Debian's if it may be installed. Without it those are skipped.
set -euo pipefail
for name in chromium chromium-browser google-chrome; do
    command -v "$name" >/dev/null && exit 0
done
root=""
[ "$(id -u)" = 0 ] || { root="sudo -n"; sudo -n true 2>/dev/null || root=none; }
if [ "$root" != none ] && command -v apt-get >/dev/null; then
    echo "Installing Chromium, for the tests of the inspector"
    { $root apt-get update -qq && DEBIAN_FRONTEND=noninteractive $root apt-get install -y -qq --no-install-recommends chromium; } >/dev/null 2>&1 && exit 0
fi
echo "There is no Chromium, and it could not be installed: the tests of the inspector's pages are skipped."

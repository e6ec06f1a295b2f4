#!/usr/bin/env bash
# Chromium for the tests of the inspector: Debian's without a window, which takes half of what a whole one does, if it may be
# installed; or the machine's own. Without either those are skipped.
set -euo pipefail
command -v chromium-headless-shell >/dev/null && exit 0
root=""
[ "$(id -u)" = 0 ] || { root="sudo -n"; sudo -n true 2>/dev/null || root=none; }
if [ "$root" != none ] && command -v apt-get >/dev/null; then
    echo "Installing Chromium, for the tests of the inspector"
    { $root apt-get update -qq && DEBIAN_FRONTEND=noninteractive $root apt-get install -y -qq --no-install-recommends chromium-headless-shell; } >/dev/null 2>&1 && exit 0
fi
for name in chromium chromium-browser google-chrome; do
    command -v "$name" >/dev/null && exit 0
done
echo "There is no Chromium, and it could not be installed: the tests of the inspector's pages are skipped."

# The programs in .ci/steps source this file, and run at the root of the checkout.
set -eu -o pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# For the servers of this run. With DATABASE_URL there is no data folder.
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
port=$((20000 + RANDOM % 10000))
data=$scratch/data
[ -z "${DATABASE_URL:-}" ] || data=

# Runs a command as root, by sudo where that is needed.
as_root() {
  if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi
}

# Runs apt-get as root. Two steps at a time would refuse each other: one waits for the other.
apt_get() {
  as_root env DEBIAN_FRONTEND=noninteractive \
    flock "${TMPDIR:-/tmp}/edge-contract-apt-get.lock" apt-get -qq "$@" >/dev/null
}

# Fetches the lists of Debian packages.
package_lists() { apt_get update; }

# Installs Debian packages.
debian() {
  package_lists
  apt_get install -y --no-install-recommends "$@"
}

# Installs the programs of PostgreSQL, with which tests start their own servers. REQUIRE_POSTGRES makes these tests fail if
# the programs are missing; otherwise, they are skipped.
postgresql() {
  compgen -G '/usr/lib/postgresql/*/bin/initdb' >/dev/null || debian postgresql
  export REQUIRE_POSTGRES=1
}

# Makes a virtual environment of Python with these packages, once for each folder: python_environment FOLDER PACKAGE...
python_environment() {
  [ ! -e "$1/.complete" ] || return 0
  python3 -m venv --clear "$1"
  "$1/bin/pip" install --quiet "${@:2}"
  touch "$1/.complete"
}

# Waits until a server can respond: ready URL.
ready() { curl -fsS -o /dev/null --retry 60 --retry-delay 1 --retry-all-errors "$1/readyz" 2>/dev/null; }

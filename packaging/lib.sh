# shellcheck shell=bash
# Shared by the scripts of this folder: where the checkout is, what must be installed, and how to
# say so. Source it; it runs nothing but a few assignments.
set -euo pipefail

ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
# Decimal points, sort order and messages that are parsed must not depend on the caller's language.
export LC_ALL=C.UTF-8
unset LANGUAGE

say() { printf '%s\n' "$*"; }
heading() { printf '\n== %s\n' "$*"; }
die() {
  printf '%s: %s\n' "${0##*/}" "$*" >&2
  exit 1
}

# Every script of this folder explains itself: its head, without the marks of a comment.
case ${1:-} in
  --help | -h)
    sed -n '2,/^[^#]/{/^#/s/^# \{0,1\}//p}' "$0"
    exit 0
    ;;
esac

# What a build needs, and what the agent is talked to with. One line each: package, then the
# command that succeeds when it is there. Testing for the thing, not for the package, lets a
# machine without dpkg, or with its own builds, pass.
build_needs() {
  cat <<'LIST'
pkg-config        command -v pkg-config
libdbus-1-dev     pkg-config --exists dbus-1
libsqlite3-dev    pkg-config --exists sqlite3
libcurl4-openssl-dev pkg-config --exists libcurl
libexpat1-dev     pkg-config --exists expat
dbus-daemon       command -v dbus-daemon
dbus-bin          command -v dbus-send
systemd           command -v busctl
libglib2.0-bin    command -v gdbus
python3           command -v python3
gettext           command -v msgfmt
tzdata            test -e /usr/share/zoneinfo/Europe/Berlin
LIST
}

# What the desktop tests need besides: real bars, real notifications, and eyes to read them.
desktop_needs() {
  cat <<'LIST'
sway              command -v sway
waybar            command -v waybar
grim              command -v grim
polybar           command -v polybar
i3-wm             command -v i3bar
i3blocks          command -v i3blocks
xdotool           command -v xdotool
xfce4-panel       command -v xfce4-panel
xfce4-genmon-plugin test -n "$(find /usr/lib -name libgenmon.so -print -quit)"
tint2             command -v tint2
conky-std         command -v conky
tmux              command -v tmux
librsvg2-bin      command -v rsvg-convert
chromium          command -v chromium
dunst             command -v dunst
mako-notifier     command -v mako
xfce4-notifyd     test -n "$(find /usr/lib /usr/libexec -name xfce4-notifyd -type f -print -quit)"
notification-daemon test -n "$(find /usr/lib /usr/libexec -name notification-daemon -type f -print -quit)"
python3-dbusmock  /usr/bin/python3 -c 'import dbusmock'
desktop-file-utils command -v desktop-file-validate
notify-osd        test -n "$(find /usr/lib /usr/libexec -name notify-osd -type f -print -quit)"
xvfb              command -v Xvfb
scrot             command -v scrot
tesseract-ocr     command -v tesseract
tesseract-ocr-eng test -n "$(find /usr/share/tesseract-ocr /usr/share/tessdata -name eng.traineddata -print -quit 2>/dev/null)"
fonts-dejavu-core test -n "$(find /usr/share/fonts -name DejaVuSans.ttf -print -quit 2>/dev/null)"
LIST
}

# What tests ask besides: other engines and readers, whose answers ours are held against.
oracle_needs() {
  cat <<'LIST'
libical-dev       pkg-config --exists libical
python3-dateutil  python3 -c 'import dateutil.rrule'
python3-jsonschema python3 -c 'import jsonschema'
python3-venv       python3 -c 'import ensurepip'
openssl           command -v openssl
radicale          command -v radicale
xandikos          command -v xandikos
khal              command -v khal
vdirsyncer        command -v vdirsyncer
jq                command -v jq
zsh               command -v zsh
fish              command -v fish
LIST
}

# Readers and servers of calendars that are on PyPI, and in Debian not at all or of long ago.
ORACLE_PACKAGES=(icalendar==7.3.0 ical==14.3.1 radicale==3.9.0 xandikos==0.4.10)

# install_oracle_packages: puts them into a folder below BUILD, for the tests alone, and tells the tests.
install_oracle_packages() {
  [ -z "${DATEBOOK_PYTHON:-}" ] || return 0
  local folder=$BUILD/oracles wanted="${ORACLE_PACKAGES[*]}"
  if [ "$(cat "$folder/packages" 2>/dev/null)" != "$wanted" ]; then
    say "Installing from PyPI into $folder: $wanted"
    {
      python3 -m venv --clear "$folder" &&
        "$folder/bin/pip" install --quiet --disable-pip-version-check "${ORACLE_PACKAGES[@]}"
    } || die "$wanted cannot be installed; DATEBOOK_PYTHON=python3 runs the tests with what that has."
    printf '%s\n' "$wanted" >"$folder/packages"
  fi
  export DATEBOOK_PYTHON=$folder/bin/python3
}

# Reads lines of build_needs and the like on stdin and prints the packages that are missing.
missing_packages() {
  local package check
  while read -r package check; do
    eval "$check" >/dev/null 2>&1 || printf '%s ' "$package"
  done
}

# install_missing LIST...: runs apt-get for what the named lists lack; silent when they lack nothing.
install_missing() {
  local missing as_root=()
  missing=$(for list in "$@"; do "$list"; done | missing_packages)
  [ -n "$missing" ] || return 0
  # shellcheck disable=SC2086 # $missing is a list of words
  set -- $missing

  command -v apt-get >/dev/null ||
    die "missing: $* (the names Debian gives them). Install them with your package manager, then run this again."
  if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null ||
      die "missing: $*. Run as root: apt-get install --no-install-recommends $*"
    as_root=(sudo)
  fi
  say "Installing with ${as_root[*]:+${as_root[*]} }apt-get, from your distribution: $*"
  "${as_root[@]}" apt-get update -qq
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
    apt-get install -y -qq --no-install-recommends "$@" >/dev/null
}

# Stops with a sentence unless Swift 6.2 or newer can be run.
require_swift() {
  local line version
  command -v swift >/dev/null ||
    die "Swift is not on the PATH. Datebook needs Swift 6.2 or newer: https://www.swift.org/install/linux/"
  line=$(swift --version 2>/dev/null | sed -n '/Swift version/{p;q;}')
  version=$(sed -n 's/.*Swift version \([0-9]*\.[0-9]*\).*/\1/p' <<<"$line")
  [ -n "$version" ] || die "cannot tell the version of Swift from \"$line\"; 6.2 or newer is needed."
  [ "$(printf '6.2\n%s\n' "$version" | sort -V | head -n 1)" = 6.2 ] ||
    die "Swift $version is too old: Datebook needs 6.2 or newer (https://www.swift.org/install/linux/)."
}

# Sets BUILD, the folder for all that is built: .build of the checkout, or one in the user's
# cache when the checkout, or what another user built in it, cannot be written.
choose_build_folder() {
  BUILD=$ROOT/.build
  if mkdir -p "$BUILD" 2>/dev/null &&
    [ -z "$(find "$BUILD" -maxdepth 3 ! -type l ! -writable -print -quit)" ]; then
    return
  fi
  BUILD=${XDG_CACHE_HOME:-${HOME:?is not set}/.cache}/datebook/build
  mkdir -p "$BUILD"
  say "$ROOT/.build cannot be written by $(id -un); building in $BUILD"
}

# swift_build ARGUMENT...: swift build. The compiler keeps what macros make in one folder below TMPDIR for
# all users, and where another user made that folder it writes into the current one, under garbled names.
swift_build() {
  local shared=${TMPDIR:-/tmp}/swift-generated-sources
  if [ -e "$shared" ] && [ ! -w "$shared" ]; then
    mkdir -p "$BUILD/tmp"
    TMPDIR=$BUILD/tmp swift build "$@"
  else
    swift build "$@"
  fi
}

# agent_pid: prints the process id of the agent on the bus; nothing when there is none.
agent_pid() {
  busctl --user call org.freedesktop.DBus /org/freedesktop/DBus org.freedesktop.DBus \
    GetConnectionUnixProcessID s org.datebook.Calendar1 2>/dev/null | sed -n 's/^u //p'
}

# agent_stop: asks the agent to end and returns when it has; fails when it had to be killed.
agent_stop() {
  local pid
  pid=$(agent_pid) || true
  [ -n "$pid" ] || return 0
  kill -TERM "$pid" 2>/dev/null || true
  timeout 10 tail -s 0.05 --pid="$pid" -f /dev/null && return 0
  kill -KILL "$pid" 2>/dev/null || true
  return 1
}

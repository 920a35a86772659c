# shellcheck shell=bash
# Common to the desktop tests; source it first. It finds the programs under test (DATEBOOK_BIN, or
# what packaging/build made), opens a session of their own, and has eyes for the screen.
#
# usage of each test: Tests/DesktopTests/NAME.sh     exit code 0: passed; the last line says what was seen
. "$(dirname "${BASH_SOURCE[0]}")/../../packaging/lib.sh"
. "$ROOT/packaging/session.sh"

BIN=${DATEBOOK_BIN:-$ROOT/.build/bin}
[ -x "$BIN/datebookd" ] && [ -x "$BIN/calctl" ] ||
  die "no programs in $BIN: run packaging/build, or set DATEBOOK_BIN"
BIN=$(cd "$BIN" && pwd -P)

desktop_open() {
  session_open
  session_serve "$BIN"
}

# openings_follow: what a click opens comes line by line from the descriptor that is left in OPENED, and no browser
# starts. Programs of SESSION/bin are found first. What lets it take the focus is in SESSION/token by then.
openings_follow() {
  mkdir -p "$SESSION/bin"
  export PATH=$SESSION/bin:$PATH
  mkfifo "$SESSION/opened"
  exec {OPENED}<>"$SESSION/opened"
  printf '#!/bin/sh\necho "$XDG_ACTIVATION_TOKEN" >%s\necho "$1" >%s\n' "$SESSION/token" "$SESSION/opened" \
    >"$SESSION/bin/xdg-open"
  # The user's terminal, of which the command is seen.
  printf '#!/bin/sh\necho "terminal $*" >%s\n' "$SESSION/opened" >"$SESSION/bin/xdg-terminal-exec"
  chmod +x "$SESSION/bin/xdg-open" "$SESSION/bin/xdg-terminal-exec"
}

# as_somebody_else: runs this script again as the user nobody, from copies that nobody can read, when
# it runs as root; returns when it does not. sway refuses to be root.
as_somebody_else() { # ARGUMENT...
  local folder script code=0
  [ "$(id -u)" -eq 0 ] || return 0
  script=$(realpath "$0")
  folder=$(mktemp -d /tmp/datebook-XXXXXX)
  # shellcheck disable=SC2064 # the folder of now is meant
  trap "rm -rf '$folder'" EXIT
  mkdir -p "$folder/Tests" "$folder/bin"
  cp -r "$ROOT/packaging" "$folder/"
  cp -r "$ROOT/Tests/DesktopTests" "$ROOT/Tests/Benchmarks" "$folder/Tests/"
  cp "$BIN"/{datebookd,calctl} "$folder/bin/"
  chmod -R a+rX "$folder"
  setpriv --reuid=nobody --regid=nogroup --clear-groups \
    env -i PATH=/usr/local/bin:/usr/bin:/bin LC_ALL="$LC_ALL" DATEBOOK_BIN="$folder/bin" PATIENCE="$PATIENCE" \
    CHANGES="${CHANGES:-}" bash "$folder${script#"$ROOT"}" "$@" || code=$?
  exit "$code"
}

# A system bus with logind on it, without which GNOME Shell dies.
system_bus_start() {
  export DBUS_SYSTEM_BUS_ADDRESS=unix:path=$XDG_RUNTIME_DIR/system
  spawn_reading system dbus-daemon --config-file="$SESSION/bus.conf" --address="$DBUS_SYSTEM_BUS_ADDRESS" \
    --nofork --nopidfile --nosyslog --print-address=1
  next_line "$READING" '^unix:' || die "the system bus does not start"
  # The system's Python, whose packages dbusmock is one of.
  spawn logind.log /usr/bin/python3 -m dbusmock --system --template logind
  gdbus wait --system --timeout "$PATIENCE" org.freedesktop.login1 || die "no logind"
}

# shell_prepare: what a GNOME Shell is started with: a system bus with logind, the variables of its sessions, and its own
# script for the input method, but without the start of ibus-daemon. Where no systemd has started it GNOME Shell 43 forks
# for that, and runs JavaScript in the child before it is another program: where another of its threads holds a lock of
# GLib's types just then, the child stands still for ever, and the shell with it.
shell_prepare() {
  local script=/org/gnome/shell/misc/ibusManager.js
  system_bus_start
  # Another version has the script elsewhere, and is taken as it is.
  if gresource extract /usr/lib/gnome-shell/libgnome-shell.so "$script" >"$SESSION/ibus.js" 2>/dev/null; then
    sed -i 's/^ *this\._queueSpawn();$//' "$SESSION/ibus.js"
    export G_RESOURCE_OVERLAYS=$script=$SESSION/ibus.js
  fi
  export XDG_CURRENT_DESKTOP=GNOME XDG_SESSION_TYPE=wayland GSETTINGS_BACKEND=memory
}

# gnome_shell_start: a headless GNOME Shell, with its drop-down open.
gnome_shell_start() {
  local end=$((SECONDS + PATIENCE))
  shell_prepare
  spawn shell.log gnome-shell --headless --wayland --no-x11 --unsafe-mode --virtual-monitor 1280x720
  gdbus wait --session --timeout "$PATIENCE" org.gnome.Shell ||
    die "GNOME Shell does not start: $(tail -n 5 "$SESSION/shell.log")"
  # It takes its name before it answers there.
  until shell_eval 'Main.panel.statusArea.dateMenu ? 1 : 0' 2>/dev/null | grep -q "'1'"; do
    [ "$SECONDS" -lt "$end" ] || die "GNOME Shell does not answer: $(tail -n 5 "$SESSION/shell.log")"
  done
  shell_eval 'Main.overview.hide(); Main.panel.statusArea.dateMenu.menu.open(); 1' >/dev/null
}

# wait_for_label PATTERN: asks the shell until the list of its drop-down has it, and leaves the list in LABELS; a drop-down
# tells nobody that it has changed.
wait_for_label() {
  local end=$((SECONDS + PATIENCE))
  until LABELS=$(shell_eval '[...Main.panel.statusArea.dateMenu._eventsItem._eventsList].map(b=>b.get_children().map(c=>c.text))') &&
    grep -Eq -- "$1" <<<"$LABELS"; do
    [ "$SECONDS" -lt "$end" ] || die "the drop-down has: $LABELS"
  done
}

# shell_eval SCRIPT: has a GNOME Shell that was started with --unsafe-mode run it.
shell_eval() { gdbus call --session -d org.gnome.Shell -o /org/gnome/Shell -m org.gnome.Shell.Eval "$1"; }

# AddSimple over the bus, by a client that is not Datebook's own.
add_over_the_bus() { # SUMMARY START END LOCATION
  busctl --user call org.datebook.Calendar1 /org/datebook/Calendar1 org.datebook.Calendar1.Events \
    AddSimple sssss "" "$1" "$2" "$3" "$4"
}

# dunst_picture FILE: what dunst shows, once it is awake. That its window is to be drawn it may have read along with an
# answer of the X server, and it looks at what it has read when it is woken next: on a desktop that is at once, but where
# nothing else moves the window stays empty.
dunst_picture() {
  dunstctl count displayed >/dev/null
  scrot -o "$1"
}

# wait_for_text COMMAND PATTERN: takes pictures with COMMAND, which writes the PNG that it is given, until
# tesseract reads the extended regular expression on one; fails after PATIENCE seconds.
# A screen tells nobody when it has changed: looking again is the only event there is.
wait_for_text() {
  local end=$((SECONDS + PATIENCE)) picture=$SESSION/screen.png
  TEXT=
  until grep -Eq -- "$2" <<<"$TEXT"; do
    [ "$SECONDS" -lt "$end" ] || {
      say "the last picture reads: $TEXT"
      return 1
    }
    "$1" "$picture" || continue
    TEXT=$(OMP_THREAD_LIMIT=1 tesseract "$picture" - --psm 6 -l eng 2>/dev/null) || TEXT=
  done
}

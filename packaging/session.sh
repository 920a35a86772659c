# shellcheck shell=bash
# A desktop session of one's own for scripts: a temporary home, a private bus that starts the agent
# on first use, and an end that leaves neither process nor file behind. Source it after lib.sh.
#
#   session_open; session_serve BIN; bus_start
#   ... calctl, busctl --user, dbus-send --session ...
#   (session_close runs by itself at exit)

# Each wait below ends on an event; this is the bound after which it counts as failed, in seconds.
: "${PATIENCE:=60}"

# Makes the folders and points HOME and each XDG variable into them, so that nothing of the real
# user's is read or written. Sets SESSION, the folder of it all.
session_open() {
  local base=${TMPDIR:-/tmp}
  # A socket's path holds 107 octets, and the longest one here needs about 40 of them.
  [ ${#base} -le 60 ] || base=/tmp
  SESSION=$(mktemp -d "$base/datebook-XXXXXX")
  spawned=()
  trap session_close EXIT
  # What a signal ends still runs the EXIT trap.
  trap 'exit 129' HUP
  trap 'exit 130' INT
  trap 'exit 143' TERM

  mkdir -p -m 0700 "$SESSION"/{home,run,data,config,cache,state,services}
  export HOME=$SESSION/home
  export XDG_RUNTIME_DIR=$SESSION/run XDG_DATA_HOME=$SESSION/data XDG_CONFIG_HOME=$SESSION/config
  export XDG_CACHE_HOME=$SESSION/cache XDG_STATE_HOME=$SESSION/state
  export XDG_DATA_DIRS=/usr/local/share:/usr/share XDG_CONFIG_DIRS=/etc/xdg
  # Nor may the real session be found: its bus, its displays, GTK's accessibility bus.
  export NO_AT_BRIDGE=1 GTK_A11Y=none
  unset DBUS_SESSION_BUS_ADDRESS DBUS_STARTER_ADDRESS DBUS_STARTER_BUS_TYPE
  unset DISPLAY WAYLAND_DISPLAY XAUTHORITY SWAYSOCK NOTIFY_SOCKET JOURNAL_STREAM
}

# spawn LOG COMMAND...: runs COMMAND in the background until session_close, its output in the file
# LOG of the session. timeout(1) gives it a process group of its own, hands signals on to the whole
# group, kills what does not heed them, and bounds its life (LIFETIME seconds) should this script be killed.
spawn() {
  local log=$SESSION/$1
  shift
  timeout -k 5 "${LIFETIME:-900}" "$@" >"$log" 2>&1 </dev/null &
  spawned+=($!)
}

# spawn_reading NAME COMMAND...: as spawn, but what COMMAND prints comes line by line from the
# descriptor that is left in READING. It ends when COMMAND does.
spawn_reading() {
  local fifo=$SESSION/$1.fifo log=$SESSION/$1.log
  shift
  mkfifo "$fifo"
  timeout -k 5 "${LIFETIME:-900}" "$@" >"$fifo" 2>"$log" </dev/null &
  spawned+=($!)
  exec {READING}<"$fifo"
}

# session_serve BIN: lets the bus start BIN/datebookd, and puts BIN first on the PATH.
session_serve() {
  export PATH=$1:$PATH
  printf '[D-BUS Service]\nName=org.datebook.Calendar1\nExec=%s/datebookd\n' "$1" \
    >"$SESSION/services/org.datebook.Calendar1.service"
}

# bus_start [standard]: starts the session bus and returns when it takes connections. With
# "standard" it reads the folders that a desktop's bus reads, instead of the session's own.
bus_start() {
  local services="<servicedir>$SESSION/services</servicedir>"
  [ "${1:-}" != standard ] || services='<standard_session_servicedirs/>'
  cat >"$SESSION/bus.conf" <<CONF
<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
  "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <type>session</type>
  <keep_umask/>
  <listen>unix:path=$XDG_RUNTIME_DIR/bus</listen>
  <auth>EXTERNAL</auth>
  $services
  <policy context="default">
    <allow send_destination="*" eavesdrop="true"/>
    <allow eavesdrop="true"/>
    <allow own="*"/>
  </policy>
</busconfig>
CONF
  export DBUS_SESSION_BUS_ADDRESS=unix:path=$XDG_RUNTIME_DIR/bus
  spawn_reading bus dbus-daemon --config-file="$SESSION/bus.conf" --nofork --nopidfile --nosyslog \
    --print-address=1
  next_line "$READING" '^unix:' || die "dbus-daemon does not start: $(cat "$SESSION/bus.log")"
}

# next_line FD PATTERN: reads lines from FD until one matches the extended regular expression, and
# leaves it in LINE. Fails when none comes within PATIENCE seconds, or the writer has ended.
next_line() {
  local end=$((SECONDS + PATIENCE)) left
  while left=$((end - SECONDS)) && [ "$left" -gt 0 ]; do
    IFS= read -r -t "$left" -u "$1" LINE || return 1
    [[ ! $LINE =~ $2 ]] || return 0
  done
  return 1
}

# signals_follow: the agent's signals, one JSON object a line, from the descriptor left in SIGNALS.
signals_follow() {
  spawn_reading watch calctl watch
  SIGNALS=$READING
}

# Ends what was started, newest first, and removes the folder. Keeps the exit code.
session_close() {
  local code=$? i
  trap - EXIT
  set +e
  if [ "$code" -ne 0 ]; then
    for log in "$SESSION"/*.log; do
      [ -s "$log" ] && printf -- '--- %s\n%s\n' "${log##*/}" "$(tail -n 40 "$log")" >&2
    done
  fi
  if [ -n "${DBUS_SESSION_BUS_ADDRESS:-}" ] && ! agent_stop; then
    printf 'datebookd did not end within 10 s of SIGTERM\n' >&2
    code=1
  fi
  for ((i = ${#spawned[@]} - 1; i >= 0; i--)); do
    kill -TERM "${spawned[i]}" 2>/dev/null
    wait "${spawned[i]}" 2>/dev/null
  done
  # The folder may hold what a program of the session wrote while it ended.
  rm -rf "$SESSION"
  exit "$code"
}

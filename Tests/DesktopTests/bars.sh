#!/usr/bin/env bash
# The configurations of packaging/examples, as they are, in real bars: polybar, i3bar, i3blocks, tint2, conky and Xfce's
# panel under Xvfb, and tmux in a tmux. Each shows an event whose title is meant to run, click and recolour something
# in every one of them, as text; and what it would run is not run.
#
# usage: bars.sh [BAR...]     all of them, unless some are named
. "$(dirname "${BASH_SOURCE[0]}")/desktop.sh"
BARS=${*:-${BARS:-polybar i3bar i3blocks tint2 conky genmon tmux}}
desktop_open
openings_follow
bus_start
examples=$ROOT/packaging/examples/bars

# What a bar that runs any of it would run. The first word of a title is looked for on the screen.
owned=$SESSION/owned
printf '#!/bin/sh\ntouch %s\n' "$owned" >"$SESSION/bin/own"
chmod +x "$SESSION/bin/own"
add_next() { # TITLE MINUTES [OPTION...]
  calctl add "$1" --start "$(date -d "+$2 minutes" +%FT%T%:z)" --end 30m --reminder none "${@:3}"
}

spawn_reading xvfb Xvfb -noreset -displayfd 1 -screen 0 1200x300x24 -nolisten tcp
next_line "$READING" '^[0-9]+$' || die "Xvfb does not start"
export DISPLAY=:$LINE

# Letters of bars are small: tesseract gets them three times as large, and nothing of the empty screen below.
screenshot() {
  scrot -o "$SESSION/small.png" && python3 - "$SESSION/small.png" "$TOP" >"$SESSION/large.svg" <<'PY'
import base64, sys
data = base64.b64encode(open(sys.argv[1], "rb").read()).decode()
print('<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="3600" height="72"'
      ' viewBox="0 %s 1200 24"><image width="1200" height="300" xlink:href="data:image/png;base64,%s"/></svg>' % (sys.argv[2], data))
PY
  rsvg-convert --unlimited -o "$1" "$SESSION/large.svg"
}

# window_manager CONFIG: i3, with what the file has in it after what a configuration begins with.
window_manager() {
  mkdir -p "$XDG_CONFIG_HOME/i3"
  printf '# i3 config file (v4)\nfont pango:sans-serif 11\n' | cat - "$1" >"$XDG_CONFIG_HOME/i3/config"
  spawn i3.log i3
}
# tint2 shows nothing where nobody manages windows when it comes: i3 says that it is there.
mkfifo "$SESSION/managed"
exec {MANAGED}<>"$SESSION/managed"
printf 'exec --no-startup-id echo up >%s\n' "$SESSION/managed" >"$SESSION/i3.conf"
bar_polybar() { spawn polybar.log polybar -c "$examples/polybar.ini" datebook; }
bar_tint2() {
  window_manager "$SESSION/i3.conf"
  next_line "$MANAGED" '^up' || die "i3 does not start"
  spawn tint2.log tint2 -c "$examples/tint2rc"
}
bar_conky() { spawn conky.log conky -c "$examples/conky.conf"; }
bar_i3blocks() {
  printf 'bar {\nposition top\nfont pango:sans-serif 11\nstatus_command i3blocks -c %s\n}\n' \
    "$examples/i3blocks.conf" >"$SESSION/i3blocks.i3"
  window_manager "$SESSION/i3blocks.i3"
}
# Xfce's panel keeps what it has in xfconf, and what its first generic monitor runs in a file.
bar_genmon() {
  local folder=$XDG_CONFIG_HOME/xfce4
  mkdir -p "$folder/panel" "$folder/xfconf/xfce-perchannel-xml"
  cp "$examples/genmon.rc" "$folder/panel/genmon-1.rc"
  cat >"$folder/xfconf/xfce-perchannel-xml/xfce4-panel.xml" <<'XML'
<?xml version="1.0" encoding="UTF-8"?>
<channel name="xfce4-panel" version="1.0">
  <property name="configver" type="int" value="2"/>
  <property name="panels" type="array">
    <value type="int" value="1"/>
    <property name="panel-1" type="empty">
      <property name="position" type="string" value="p=6;x=0;y=0"/>
      <property name="length" type="uint" value="100"/>
      <property name="position-locked" type="bool" value="true"/>
      <property name="size" type="uint" value="24"/>
      <property name="plugin-ids" type="array"><value type="int" value="1"/></property>
    </property>
  </property>
  <property name="plugins" type="empty"><property name="plugin-1" type="string" value="genmon"/></property>
</channel>
XML
  spawn xfconfd.log "$(find /usr/lib -name xfconfd -print -quit)"
  spawn panel.log xfce4-panel --disable-wm-check
}
bar_i3bar() { window_manager "$examples/i3bar.conf"; }

show_in() { # BAR PATTERN [THEN]
  local bar=$1 word=$2 end before
  if [ "$bar" = tmux ]; then
    TMUX_TMPDIR=$SESSION
    export TMUX_TMPDIR
    tmux -L outer -f /dev/null new -d -x 140 -y 12 "tmux -L inner -f '$examples/tmux.conf' new"
    end=$((SECONDS + PATIENCE))
    until TEXT=$(tmux -L outer capture-pane -p) && grep -Eq "$word" <<<"$TEXT"; do
      [ "$SECONDS" -lt "$end" ] || die "tmux shows: $TEXT"
    done
    [ -z "${3:-}" ] || "$3" "$bar"
    tmux -L inner kill-server
    tmux -L outer kill-server 2>/dev/null || true
  else
    # conky leaves room for a panel above it.
    if [ "$bar" = conky ]; then TOP=62; else TOP=0; fi
    before=${#spawned[@]}
    "bar_$bar"
    wait_for_text screenshot "$word" || die "$bar does not show the event"
    [ -z "${3:-}" ] || "$3" "$bar"
    while [ "${#spawned[@]}" -gt "$before" ]; do
      kill -TERM "${spawned[-1]}"
      wait "${spawned[-1]}" 2>/dev/null || true
      unset 'spawned[-1]'
    done
  fi
  [ ! -e "$owned" ] || die "$bar has run what stands in a title"
  say "$bar: $(grep -Em1 "$word" <<<"$TEXT")"
}

add_next 'Quartz %{A1:own:}x #[bg=red]' 50
for bar in $BARS; do show_in "$bar" 'Quartz.*bg.?red.* min'; done
# Sooner, so that it is the one that is shown.
add_next 'Zircon #(own)$(own)${exec own}' 40 --location https://meet.jit.si/zircon
for bar in $BARS; do show_in "$bar" 'Zircon.*own.*own.*own.* min'; done

add_next 'Basalt' 30 --location https://meet.jit.si/Basalt --url https://example.org/basalt
click() { # BAR
  local x=1130
  # tint2 writes from the left.
  [ "$1" != tint2 ] || x=40
  xdotool mousemove "$x" 10 click 3
  next_line "$OPENED" '^https://meet.jit.si/Basalt$' || die "$1: a click does not join the meeting"
  xdotool click 1
  next_line "$OPENED" '^terminal .*calctl week' || die "$1: a click does not list the week"
  if [ "$1" = i3bar ]; then
    xdotool click 2
    next_line "$OPENED" '^https://example.org/basalt$' || die "$1: a click does not open the page"
  fi
  xdotool click 5
  wait_for_text screenshot 'Zircon' || die "$1: the wheel does not turn to the next event"
  xdotool click 3
  next_line "$OPENED" '^https://meet.jit.si/zircon$' || die "$1: a click opens another event than is shown"
  xdotool click 4
  wait_for_text screenshot 'Basalt' || die "$1: the wheel does not turn back"
}
# The outer tmux is the terminal of the inner one: it sends what a terminal does for a press and a release of the
# left button, as xterm writes them (SGR, mode 1006).
click_tmux() {
  local row end=$((SECONDS + PATIENCE)) column=125
  tmux -L inner set -g mouse on
  row=$(tmux -L outer capture-pane -p | grep -n Basalt | cut -d: -f1)
  until tmux -L outer send-keys -l $'\e[<0;'"$column;${row}M"$'\e[<0;'"$column;${row}m" &&
    PATIENCE=1 next_line "$OPENED" '^https://meet.jit.si/Basalt$'; do
    [ "$SECONDS" -lt "$end" ] || die "tmux: a click does not join the meeting"
  done
}
for bar in $BARS; do
  case $bar in
    tmux) show_in tmux 'Basalt.* min' click_tmux ;;
    polybar | i3bar | tint2) show_in "$bar" 'Basalt.* min' click ;;
  esac
done

#!/usr/bin/env bash
# Makes the pictures of the README, of real programs with a made-up day: waybar.png on a headless sway, by the examples as
# they are, and gnome.png of GNOME Shell's drop-down.
#
# usage: Tests/DesktopTests/pictures.sh FOLDER [waybar|gnome]...     the folder, which anybody may write to
. "$(dirname "${BASH_SOURCE[0]}")/desktop.sh"
as_somebody_else "$@"
folder=${1:?which folder?}
shift
[ $# -gt 0 ] || set -- waybar gnome
# Whenever it is made, it is between nine and ten in the morning.
east=$((9 - $(date -u +%-H)))
[ "$east" -ge -12 ] || east=$((east + 24))
TZ=Etc/GMT$([ "$east" -gt 0 ] && echo "-$east" || echo "+$((-east))")
export TZ
quarter() { date -d "@$(((($(date +%s) + 300) / 900 + 1) * 900 + $1 * 60))" +%FT%T%:z; } # MINUTES after the next quarter
event() { calctl add "$1" --reminder none "${@:2}" >/dev/null; }

picture_of_waybar() {
  event "Inbox and tea" --start "$(quarter -75)" --end 30m
  event "Team standup" --start "$(quarter 0)" --end 15m --location https://meet.jit.si/standup
  event "Lunch with Kim & Ana" --start "$(quarter 165)" --end 1h --location "Sal's"
  event "1:1 with Dana" --start "$(quarter 300)" --end 45m
  event "Choir rehearsal" --start "$(quarter 570)" --end 2h --location "Town hall"
  event "Ben's birthday" --start "$(date +%F)"
  printf '%s\n' 'output HEADLESS-1 resolution 1200x480 scale 2 bg #45475a solid_color' 'seat * hide_cursor 0' \
    'exec echo "display $WAYLAND_DISPLAY"' >"$SESSION/sway.conf"
  WLR_BACKENDS=headless WLR_RENDERER=pixman WLR_LIBINPUT_NO_DEVICES=1 spawn_reading sway sway -c "$SESSION/sway.conf"
  next_line "$READING" '^display ' || die "sway does not start"
  export WAYLAND_DISPLAY=${LINE#display }
  local examples=$ROOT/packaging/examples/bars
  spawn waybar.log waybar -c "$examples/waybar.jsonc" -s "$examples/waybar.css"
  wait_for_text grim 'standup' || die "waybar does not show the event"
  coproc POINTER { exec timeout -k 5 900 /usr/bin/python3 "$(dirname "${BASH_SOURCE[0]}")/pointer.py" 600 240; }
  spawned+=("$POINTER_PID")
  exec {MOUSE}>&"${POINTER[1]}"
  # The tooltip comes when the mouse rests on the bar.
  local end=$((SECONDS + PATIENCE)) x=480
  until grep -q Choir <<<"${TEXT:-}"; do
    [ "$SECONDS" -lt "$end" ] || die "no tooltip: $TEXT"
    echo "move $x 8" >&"$MOUSE"
    x=$((x == 480 ? 482 : 480))
    PATIENCE=3 wait_for_text grim Choir || true
  done
  grim -c -g "150,0 450x180" "$folder/waybar.png"
}

picture_of_gnome() {
  mkdir -p "$XDG_CONFIG_HOME/datebook"
  printf '[gnome-shell]\ncalendar-server = yes\n' >"$XDG_CONFIG_HOME/datebook/datebook.conf"
  local day
  day=$(date -d "next tuesday" +%F)
  event "Team standup" --start "$(date -d "$day -15 days" +%F)T09:30" --end 15m --repeat weekdays
  event "1:1 with Dana" --start "${day}T14:00" --end 45m --repeat weekly
  event "Choir rehearsal" --start "${day}T19:00" --end 2h
  event "Ben's birthday" --start "$day"
  gnome_shell_start
  shell_eval "Main.panel.statusArea.dateMenu._calendar.setDate(new Date('${day}T12:00:00')); 1" >/dev/null
  wait_for_label 'Choir rehearsal'
  # The right half of the drop-down, with a margin.
  local area
  area=$(shell_eval 'const [x, y] = Main.panel.statusArea.dateMenu._calendar.get_transformed_position();
    const [w] = Main.panel.statusArea.dateMenu._calendar.get_transformed_size(); `${Math.round(x) - 12} ${Math.round(w) + 24}`' |
    sed "s/.*[\"']\([0-9]* [0-9]*\)[\"'].*/\1/")
  gdbus call --session -d org.gnome.Shell.Screenshot -o /org/gnome/Shell/Screenshot \
    -m org.gnome.Shell.Screenshot.ScreenshotArea "${area% *}" 0 "${area#* }" 660 false "$folder/gnome.png"
}

for what in "$@"; do
  # Each in a session of its own, which ends with it.
  (
    desktop_open
    [ "$what" = waybar ] || [ "$what" = gnome ] || die "there is no picture of $what"
    bus_start
    "picture_of_$what"
  )
done

#!/usr/bin/env bash
# Takes pictures of real programs with a made-up day, by the examples as they are: waybar.png with the tooltip and
# bar-STATE.png on a headless sway, notification.png of dunst, month.png and year.png, and gnome.png of GNOME Shell's
# drop-down. waybar.png and gnome.png are in the README. Fails where a picture does not show what it is of.
#
# usage: Tests/DesktopTests/pictures.sh FOLDER [waybar|bar|notification|month|gnome]...
#        the folder, which anybody may write to
. "$(dirname "${BASH_SOURCE[0]}")/desktop.sh"
as_somebody_else "$@"
folder=${1:?which folder?}
shift
[ $# -gt 0 ] || set -- waybar bar notification month gnome
# Whenever it is made, it is between nine and ten in the morning.
east=$((9 - $(date -u +%-H)))
[ "$east" -ge -12 ] || east=$((east + 24))
TZ=Etc/GMT$([ "$east" -gt 0 ] && echo "-$east" || echo "+$((-east))")
export TZ
quarter() { date -d "@$(((($(date +%s) + 300) / 900 + 1) * 900 + $1 * 60))" +%FT%T%:z; } # MINUTES after the next quarter
event() { calctl add "$1" --reminder none "${@:2}" >/dev/null; }

# waybar_start HEIGHT: waybar with its example on a headless sway.
waybar_start() {
  local examples=$ROOT/packaging/examples/bars
  printf '%s\n' "output HEADLESS-1 resolution 1200x$1 scale 2 bg #45475a solid_color" 'seat * hide_cursor 0' \
    'exec echo "display $WAYLAND_DISPLAY"' >"$SESSION/sway.conf"
  WLR_BACKENDS=headless WLR_RENDERER=pixman WLR_LIBINPUT_NO_DEVICES=1 spawn_reading sway sway -c "$SESSION/sway.conf"
  next_line "$READING" '^display ' || die "sway does not start"
  export WAYLAND_DISPLAY=${LINE#display }
  spawn waybar.log waybar -c "$examples/waybar.jsonc" -s "$examples/waybar.css"
}

picture_of_waybar() {
  event "Inbox and tea" --start "$(quarter -75)" --end 30m
  event "Team standup" --start "$(quarter 0)" --end 15m --location https://meet.jit.si/standup
  event "Lunch with Kim & Ana" --start "$(quarter 165)" --end 1h --location "Sal's"
  event "1:1 with Dana" --start "$(quarter 300)" --end 45m
  event "Choir rehearsal" --start "$(quarter 570)" --end 2h --location "Town hall"
  event "Ben's birthday" --start "$(date +%F)"
  event "Dentist" --start "$(date -d tomorrow +%F)T08:30" --end 45m
  waybar_start 560
  wait_for_text grim 'standup' || die "waybar does not show the event"
  coproc POINTER { exec timeout -k 5 900 /usr/bin/python3 "$(dirname "${BASH_SOURCE[0]}")/pointer.py" 600 240; }
  spawned+=("$POINTER_PID")
  exec {MOUSE}>&"${POINTER[1]}"
  # The tooltip comes when the mouse rests on the bar.
  local end=$((SECONDS + PATIENCE)) x=480
  until grep -q Choir <<<"${TEXT:-}" && grep -q Tomorrow <<<"$TEXT"; do
    [ "$SECONDS" -lt "$end" ] || die "no tooltip: $TEXT"
    echo "move $x 8" >&"$MOUSE"
    x=$((x == 480 ? 482 : 480))
    PATIENCE=3 wait_for_text grim Choir || true
  done
  grim -c -g "150,0 450x240" "$folder/waybar.png"
}

picture_of_bar() {
  local shown=$SESSION/shown.png picture=$SESSION/picture.png
  # bar STATE PATTERN: takes its picture, once calctl says what matches and waybar shows another picture than before.
  bar() {
    local end=$((SECONDS + PATIENCE)) text
    until text=$(calctl bar --format waybar | jq -r .text) && grep -Eq "$2" <<<"$text" &&
      grim -g "200,0 400x25" "$picture" && ! cmp -s "$picture" "$shown"; do
      [ "$SECONDS" -lt "$end" ] || die "waybar does not show the state $1, but \"$text\""
    done
    cp "$picture" "$shown"
    cp "$picture" "$folder/bar-$1.png"
    say "$1: $text"
  }
  event "Ben's birthday" --start "$(date +%F)"
  waybar_start 120
  wait_for_text grim birthday || die "waybar does not show the day"
  bar idle birthday
  event "Board prep" --start "$(date -d '+5 minutes' +%FT%T%:z)" --end 45m
  bar soon 'Board prep in [345] min'
  event "Client call" --start "$(date -d '-35 minutes' +%FT%T%:z)" --end 1h
  bar running-next 'Client call.* left .*Board prep in [2345] min'
  calctl rm "Board prep" --yes >/dev/null
  event "Lunch" --start "$(date -d '+3 hours' +%FT%T%:z)" --end 1h
  bar running 'Client call.* left$'
  calctl quiet 2h >/dev/null
  bar quiet 'Client call'
  calctl quiet off >/dev/null
  calctl add "Dentist" --start "$(date -d '+20 minutes +3 seconds' +%FT%T%:z)" --end 30m --reminder 20m >/dev/null
  bar reminder 'Reminder: Dentist'
}

picture_of_notification() {
  spawn_reading xvfb Xvfb -noreset -displayfd 1 -screen 0 420x110x24 -nolisten tcp
  next_line "$READING" '^[0-9]+$' || die "Xvfb does not start"
  export DISPLAY=:$LINE
  spawn dunst.log dunst -conf "$ROOT/packaging/examples/notifications/dunstrc"
  gdbus wait --session --timeout "$PATIENCE" org.freedesktop.Notifications || die "dunst does not start"
  calctl add "Client call" --start "$(date -d '+15 minutes +3 seconds' +%FT%T%:z)" --end 1h --reminder 15m \
    --location https://meet.jit.si/call >/dev/null
  wait_for_text dunst_picture 'Client call' || die "dunst does not show the reminder"
  cp "$SESSION/screen.png" "$folder/notification.png"
  ! grep -q WARNING.*Setting "$SESSION/dunst.log" || die "dunst does not understand its example: $(cat "$SESSION/dunst.log")"
}

picture_of_month() {
  calctl calendars add Family --color '#c01c28' >/dev/null
  calctl import "$ROOT/packaging/examples/sample.ics" >/dev/null
  local day
  day=$(date -d "next tuesday" +%F)
  event "Winter holiday" --start "$day" --end "$(date -d "$day +5 days" +%F)" --all-day --calendar Family
  calctl month "$day" --png -o "$folder/month.png"
  calctl month "$day" --mode two-weeks --theme dark --png -o "$folder/two-weeks.png"
  calctl month "$day" --mode year --png -o "$folder/year.png"
  calctl month "$day" --pdf -o "$folder/month.pdf"
  local name
  for name in month two-weeks year; do
    [ "$(head -c 4 "$folder/$name.png" | tail -c 3)" = PNG ] || die "there is no picture of $name"
  done
  [ "$(head -c 5 "$folder/month.pdf")" = %PDF- ] || die "there is no PDF"
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
    declare -F "picture_of_$what" >/dev/null || die "there is no picture of $what"
    bus_start
    "picture_of_$what"
  )
done

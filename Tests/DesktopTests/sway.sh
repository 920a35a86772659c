#!/usr/bin/env bash
# The configurations of packaging/examples for swaybar and waybar, as they are, on a headless sway: both show an event whose
# title would be markup in them, as text.
. "$(dirname "${BASH_SOURCE[0]}")/desktop.sh"
as_somebody_else
desktop_open
openings_follow
bus_start
examples=$ROOT/packaging/examples/bars
calctl add "Quartz <span color='red'>&amp;</b> x" --start "$(date -d '+50 minutes' +%FT%T%:z)" --end 30m --reminder none

# Twice as large, so that tesseract can read what people can.
printf '%s\n' "include $examples/sway.conf" 'output HEADLESS-1 resolution 2800x120 scale 2 bg #334455 solid_color' \
  'exec echo "display $WAYLAND_DISPLAY"' >"$SESSION/sway.conf"
WLR_BACKENDS=headless WLR_RENDERER=pixman WLR_LIBINPUT_NO_DEVICES=1 \
  spawn_reading sway sway -c "$SESSION/sway.conf"
next_line "$READING" '^display ' || die "sway does not start"
export WAYLAND_DISPLAY=${LINE#display }
wait_for_text grim 'Quartz.*span.*&amp;.*min' || die "swaybar does not show the event"
say "swaybar: $(grep -m1 Quartz <<<"$TEXT")"

spawn waybar.log waybar -c "$examples/waybar.jsonc" -s "$examples/waybar.css"
twice() {
  wait_for_text grim Quartz && [ "$(grep -Ec 'Quartz.*span.*&amp;.*min' <<<"$TEXT")" -ge 2 ]
}
end=$((SECONDS + PATIENCE))
until twice; do [ "$SECONDS" -lt "$end" ] || die "waybar does not show the event: $TEXT"; done
say "both:    ${TEXT//$'\n'/ | }"


# A sway without devices has no mouse: a program plays one.
coproc POINTER { exec timeout -k 5 900 /usr/bin/python3 "$(dirname "${BASH_SOURCE[0]}")/pointer.py" 1400 60 2>"$SESSION/pointer.log"; }
spawned+=("$POINTER_PID")
exec {MOUSE}>&"${POINTER[1]}" {MOUSED}<&"${POINTER[0]}"
mouse() {
  echo "$*" >&"$MOUSE"
  next_line "$MOUSED" '^done$' || die "the mouse is gone"
}
add_next() { # TITLE MINUTES [OPTION...]
  calctl add "$1" --start "$(date -d "+$2 minutes" +%FT%T%:z)" --end 30m --reminder none "${@:3}"
}
add_next Granite 40 --location https://meet.jit.si/Granite
add_next Basalt 30 --location https://meet.jit.si/Basalt --url https://example.org/basalt
shown() { # WORD BARS: in so many bars
  local end=$((SECONDS + PATIENCE))
  until wait_for_text grim "$1" && [ "$(grep -c "$1" <<<"$TEXT")" -ge "$2" ]; do
    [ "$SECONDS" -lt "$end" ] || die "not $2 bars show $1: $TEXT"
  done
}
opens() { PATIENCE=$1 next_line "$OPENED" "$2"; }
clicks_work() { # BAR Y WEEK JOIN TURNED: the buttons of its example, and how many bars its wheel turns
  local end=$((SECONDS + PATIENCE))
  shown Basalt 2
  # A bar looks for a mouse when one comes, which takes it a moment.
  until mouse move 1300 "$2" && mouse click "$4" && opens 1 '^https://meet.jit.si/Basalt$'; do
    [ "$SECONDS" -lt "$end" ] || die "$1: a click does not join the meeting"
  done
  mouse click "$3"
  opens "$PATIENCE" '^terminal .*calctl week' || die "$1: a click does not list the week"
  mouse wheel 1
  mouse move 100 55 # a tooltip covers the other bar
  shown Granite "$5"
  mouse move 1300 "$2"
  mouse click "$4"
  opens "$PATIENCE" '^https://meet.jit.si/Granite$' || die "$1: a click opens another event than is shown"
  mouse wheel -1
  mouse move 100 55
  shown Basalt 2
  say "$1: clicks and the wheel do what its example says"
}
# waybar came later, and lies above.
clicks_work waybar 8 1 3 2
# swaybar tells its own calctl of the wheel, and nobody else.
clicks_work swaybar 30 1 3 1
mouse move 1300 30
mouse click 2
opens "$PATIENCE" '^https://example.org/basalt$' || die "swaybar: the middle button does not open the page"

signals_follow
# On a machine that does much else the moment must not have passed before the event is there.
calctl add Flint --start "$(date -d '+20 minutes +5 seconds' +%FT%T%:z)" --reminder 20m
next_line "$SIGNALS" '"signal" *: *"ReminderDue"' || die "no reminder falls due"
mouse move 1300 8
mouse click 2
next_line "$SIGNALS" '"signal" *: *"ReminderSnoozed"' || die "waybar: the middle button does not snooze"
say "waybar: the middle button snoozes"

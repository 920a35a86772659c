#!/usr/bin/env bash
# A real waybar on a headless sway shows what `calctl bar --follow` prints: an event that is added
# over the bus appears in a screenshot, and its markup characters survive.
. "$(dirname "${BASH_SOURCE[0]}")/desktop.sh"
as_somebody_else
desktop_open
bus_start

# sway says by itself when it is up: its child inherits standard output.
printf '%s\n' 'output HEADLESS-1 resolution 1400x200 bg #334455 solid_color' \
  'exec echo "display $WAYLAND_DISPLAY"' >"$SESSION/sway.conf"
WLR_BACKENDS=headless WLR_RENDERER=pixman WLR_LIBINPUT_NO_DEVICES=1 \
  spawn_reading sway sway -c "$SESSION/sway.conf"
next_line "$READING" '^display ' || die "sway does not start"
export WAYLAND_DISPLAY=${LINE#display }

cat >"$SESSION/waybar.json" <<'CONF'
{"layer": "top", "position": "top", "height": 60, "modules-left": ["custom/datebook"],
 "custom/datebook": {"exec": "calctl bar --format waybar --follow", "return-type": "json"}}
CONF
cat >"$SESSION/waybar.css" <<'CONF'
* { font-family: "DejaVu Sans"; font-size: 32px; }
window#waybar { background: #000000; color: #ffffff; }
CONF
spawn waybar.log waybar -c "$SESSION/waybar.json" -s "$SESSION/waybar.css"

add_over_the_bus "Standup & tea" "$(date -d '+12 minutes' +%Y-%m-%dT%H:%M:%S%:z)" PT45M "Room 4"
wait_for_text grim 'Standup & tea' || die "the event does not appear in the bar"
say "waybar shows: $TEXT"
add_over_the_bus "Call Dana" "$(date -d '+5 minutes' +%Y-%m-%dT%H:%M:%S%:z)" PT15M ""
wait_for_text grim 'Call Dana' || die "the bar does not follow"
say "and then:     $TEXT"

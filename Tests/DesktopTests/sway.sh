#!/usr/bin/env bash
# The configurations of packaging/examples for swaybar and waybar, as they are, on a headless sway: both show an event whose
# title would be markup in them, as text.
. "$(dirname "${BASH_SOURCE[0]}")/desktop.sh"
as_somebody_else
desktop_open
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
if [ -n "${DATEBOOK_PICTURES:-}" ]; then grim "$DATEBOOK_PICTURES/waybar.png"; fi

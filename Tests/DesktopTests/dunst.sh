#!/usr/bin/env bash
# A real dunst under Xvfb shows a reminder; its Snooze action brings the reminder back after the time
# that the settings give, and its Dismiss action takes it out of the pending ones.
. "$(dirname "${BASH_SOURCE[0]}")/desktop.sh"
desktop_open

mkdir -p "$XDG_CONFIG_HOME/datebook"
printf '[reminders]\nsnooze = 3s\n' >"$XDG_CONFIG_HOME/datebook/datebook.conf"
bus_start

spawn_reading xvfb Xvfb -noreset -displayfd 1 -screen 0 1000x300x24 -nolisten tcp
next_line "$READING" '^[0-9]+$' || die "Xvfb does not start"
export DISPLAY=:$LINE

# dunst asks a dmenu program which action is meant: this one takes the line that has the word in it.
printf '#!/bin/sh\ngrep -m1 -F -- "$(cat %s/pick)"\n' "$SESSION" >"$SESSION/dmenu"
chmod +x "$SESSION/dmenu"
cat >"$SESSION/dunstrc" <<CONF
[global]
dmenu = $SESSION/dmenu
markup = full
font = DejaVu Sans 22
width = 800
offset = 20x20
CONF
spawn dunst.log dunst -conf "$SESSION/dunstrc"
gdbus wait --session --timeout "$PATIENCE" org.freedesktop.Notifications || die "dunst does not start"

# choose WORD SIGNAL: picks the action as a user would, until the agent has heard it. The first pick may come
# before dunst has put the notification up.
choose() {
  local end=$((SECONDS + PATIENCE))
  printf '%s' "$1" >"$SESSION/pick"
  while [ "$SECONDS" -lt "$end" ]; do
    dunstctl context
    PATIENCE=2 next_line "$SIGNALS" "\"signal\" *: *\"$2\"" && return
  done
  return 1
}
pending() {
  busctl --user call org.datebook.Calendar1 /org/datebook/Calendar1 org.datebook.Calendar1.Reminders Pending us 0 ""
}

signals_follow
calctl add "Tea with Ana" --start "$(date -d '+15 minutes +3 seconds' +%Y-%m-%dT%H:%M:%S%:z)" --reminder 15m
next_line "$SIGNALS" '"signal" *: *"ReminderDue"' || die "no ReminderDue"
say "due:       $LINE"
wait_for_text dunst_picture 'Tea with Ana' || die "dunst does not show the reminder"
say "on screen: ${TEXT//$'\n'/ | }"

choose Snooze ReminderSnoozed || die "the Snooze action is not heard"
say "snoozed:   $LINE"
next_line "$SIGNALS" '"signal" *: *"ReminderDue"' || die "the snoozed reminder does not come back"
say "again:     $LINE"
[[ $(pending) =~ ^aa\{sv\}s\ 1\  ]] || die "not pending after it came back: $(pending)"

choose Dismiss ReminderDismissed || die "the Dismiss action is not heard"
say "dismissed: $LINE"
[ "$(pending)" = 'aa{sv}s 0 ""' ] || die "still pending after Dismiss: $(pending)"
say "pending:   none"

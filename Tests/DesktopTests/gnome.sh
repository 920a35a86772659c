#!/usr/bin/env bash
# A real GNOME Shell without a screen shows the events of the agent in its drop-down, where the setting
# wants it: those that are there, one that is added, and another month when it is turned to.
. "$(dirname "${BASH_SOURCE[0]}")/desktop.sh"
as_somebody_else
desktop_open
mkdir -p "$XDG_CONFIG_HOME/datebook"
printf '[gnome-shell]\ncalendar-server = yes\n' >"$XDG_CONFIG_HOME/datebook/datebook.conf"
bus_start
calctl add "Standup with the team" --start "$(date +%F)T09:30" --end "$(date +%F)T09:45" --reminder none
calctl add "Fair" --start "$(date +%F)" --reminder none

gnome_shell_start
wait_for_label 'Standup with the team'
grep -q Fair <<<"$LABELS" || die "the event of the whole day is not there: $LABELS"
say "the drop-down has: $LABELS"
calctl add "Call <b>Dana</b> & Kim" --start "$(date +%F)T17:00" --end "$(date +%F)T17:15" --reminder none
wait_for_label 'Call <b>Dana</b> & Kim'
say "and then:          $LABELS"

# Another month: the shell asks for its weeks, and has what is in them.
next=$(date -d "$(date +%Y-%m-15) +1 month" +%F)
calctl add "Choir" --start "${next}T19:00" --end "${next}T21:00" --reminder none
shell_eval "Main.panel.statusArea.dateMenu._calendar.setDate(new Date('${next}T12:00:00')); 1" >/dev/null
wait_for_label 'Choir'
say "the next month:    $LABELS"

# When the agent leaves, its events go with it, and the shell goes on.
agent_stop || die "the agent does not end when asked to"
shell_eval '1' | grep -q true || die "the shell has died"
say "the agent is gone, the shell is not"

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

system_bus_start
export XDG_CURRENT_DESKTOP=GNOME XDG_SESSION_TYPE=wayland GSETTINGS_BACKEND=memory
spawn shell.log gnome-shell --headless --wayland --no-x11 --unsafe-mode --virtual-monitor 1280x720
gdbus wait --session --timeout "$PATIENCE" org.gnome.Shell || die "GNOME Shell does not start: $(tail -n 5 "$SESSION/shell.log")"

labels() { shell_eval '[...Main.panel.statusArea.dateMenu._eventsItem._eventsList].map(b=>b.get_children().map(c=>c.text))'; }
# wait_for_label PATTERN: asks the shell until its list has it; a drop-down tells nobody that it has changed.
wait_for_label() {
  local end=$((SECONDS + PATIENCE))
  until LABELS=$(labels) && grep -Eq -- "$1" <<<"$LABELS"; do
    [ "$SECONDS" -lt "$end" ] || die "the drop-down has: $LABELS"
  done
}
# It takes its name before it answers there.
end=$((SECONDS + PATIENCE))
until shell_eval 'Main.panel.statusArea.dateMenu ? 1 : 0' 2>/dev/null | grep -q "'1'"; do
  [ "$SECONDS" -lt "$end" ] || die "GNOME Shell does not answer: $(tail -n 5 "$SESSION/shell.log")"
done
shell_eval 'Main.overview.hide(); Main.panel.statusArea.dateMenu.menu.open(); 1' >/dev/null
wait_for_label 'Standup with the team'
grep -q Fair <<<"$LABELS" || die "the event of the whole day is not there: $LABELS"
say "the drop-down has: $LABELS"
calctl add "Call <b>Dana</b> & Kim" --start "$(date +%F)T17:00" --end "$(date +%F)T17:15" --reminder none
wait_for_label 'Call <b>Dana</b> & Kim'
say "and then:          $LABELS"
if [ -n "${DATEBOOK_PICTURES:-}" ]; then
  gdbus call --session -d org.gnome.Shell.Screenshot -o /org/gnome/Shell/Screenshot \
    -m org.gnome.Shell.Screenshot.Screenshot true false "$DATEBOOK_PICTURES/gnome.png"
fi

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

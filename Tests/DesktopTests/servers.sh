#!/usr/bin/env bash
# One reminder's life on a real notification server: what the server can do is asked for and kept to;
# markup in a title and a place stays text; a server that starts again shows what nobody has
# acknowledged; what expires or is closed by others is still pending; actions, a close by hand and a
# dismissal elsewhere do what they say; the agent that follows one that was killed takes over what stands on the
# screen; two alarms of one event are both shown; the end of quiet time shows in one notification what it held back; a
# server that is told not to disturb is sent a reminder once, and shows it afterwards; Join opens the address of the
# meeting; of two that look the same Plasma refuses the second at first, and shows both.
#
# usage: Tests/DesktopTests/servers.sh mako|dunst|xfce4-notifyd|notification-daemon|notify-osd|gnome-shell|plasmashell
. "$(dirname "${BASH_SOURCE[0]}")/desktop.sh"
. "$(dirname "${BASH_SOURCE[0]}")/plasma.sh"
server=${1:?which server?}
case $server in
  mako | gnome-shell) as_somebody_else "$@" ;; # sway, which mako needs, refuses to be root
esac
desktop_open
openings_follow
if [ "$server" = gnome-shell ]; then
  # What owns the name is a program beside the shell, which the bus starts.
  cp /usr/share/dbus-1/services/org.gnome.Shell.Notifications.service "$SESSION/services"
fi
if [ "$server" = plasmashell ]; then
  # What the shell does not start without, what holds its shortcuts, and what lets callers wait for it.
  cp /usr/share/dbus-1/services/org.kde.{ActivityManager,kglobalaccel,plasma.Notifications}.service "$SESSION/services"
  # As it comes it shows what is critical even to those who are not to be disturbed.
  printf '[Notifications]\nCriticalInDndMode=false\n' >"$XDG_CONFIG_HOME/plasmanotifyrc"
  export XDG_CURRENT_DESKTOP=KDE KDE_FULL_SESSION=true KDE_SESSION_VERSION=5 QT_QUICK_BACKEND=software
  export QT_FONT_DPI=168 # letters that can be read from a picture
fi
mkdir -p "$XDG_CONFIG_HOME/datebook"
# Plasma refuses what looks like the one before it for a second.
snooze=1s
[ "$server" != plasmashell ] || snooze=2s
printf '[reminders]\nsnooze = %s\n' "$snooze" >"$XDG_CONFIG_HOME/datebook/datebook.conf"
bus_start

# --- what differs between servers

display_x11() {
  spawn_reading xvfb Xvfb -noreset -displayfd 1 -screen 0 "${1:-1000x300}x24" -nolisten tcp
  next_line "$READING" '^[0-9]+$' || die "Xvfb does not start"
  export DISPLAY=:$LINE
}
display_plasma() {
  display_x11 1280x1440 # room for two: one that has not been laid out yet is tall
  dbus-update-activation-environment DISPLAY XDG_CURRENT_DESKTOP QT_QUICK_BACKEND QT_FONT_DPI
}
display_wayland() {
  printf '%s\n' 'output HEADLESS-1 resolution 1000x300' 'exec echo "display $WAYLAND_DISPLAY"' >"$SESSION/sway.conf"
  WLR_BACKENDS=headless WLR_RENDERER=pixman WLR_LIBINPUT_NO_DEVICES=1 \
    spawn_reading sway sway -c "$SESSION/sway.conf"
  next_line "$READING" '^display ' || die "sway does not start"
  export WAYLAND_DISPLAY=${LINE#display }
}
library() { find /usr/lib /usr/libexec -path "*/$1" -type f -perm -1 -print -quit; }

# server_start [expiring]: a mako that expires closes each notification after half a second.
server_start() {
  local expires=${1:-}
  case $server in
    mako)
      printf '%s\n' 'font=DejaVu Sans 22' 'width=800' 'height=300' \
        ${expires:+ignore-timeout=1 default-timeout=500} '[mode=quiet]' 'invisible=1' >"$SESSION/mako.conf"
      spawn mako.log mako --config "$SESSION/mako.conf"
      ;;
    dunst)
      # dunst asks a dmenu program which action is meant: this one takes the line of the word.
      printf '#!/bin/sh\ngrep -m1 -F -- "$(cat %s/pick)"\n' "$SESSION" >"$SESSION/dmenu"
      chmod +x "$SESSION/dmenu"
      printf '[global]\nmarkup = full\ndmenu = %s/dmenu\nfont = DejaVu Sans 22\nwidth = 800\n' "$SESSION" >"$SESSION/dunstrc"
      spawn dunst.log dunst -conf "$SESSION/dunstrc"
      ;;
    xfce4-notifyd) spawn server.log "$(library xfce4/notifyd/xfce4-notifyd)" ;;
    notification-daemon) spawn server.log "$(library notification-daemon/notification-daemon)" ;;
    notify-osd) spawn server.log "$(library notify-osd)" ;;
    gnome-shell)
      spawn server.log gnome-shell --headless --wayland --no-x11 --unsafe-mode --virtual-monitor 1280x720
      ;;
    plasmashell) spawn server.log plasmashell --no-respawn ;;
    *) die "no server is called $server" ;;
  esac
  server_process=${spawned[-1]}
  gdbus wait --session --timeout "$PATIENCE" org.freedesktop.Notifications || die "$server does not start"
}
server_stop() {
  kill -TERM "$server_process"
  wait "$server_process" 2>/dev/null || true
  if [ "$server" = gnome-shell ]; then kill -TERM "$(owner)" 2>/dev/null || true; fi
  name_gone
}
owner() {
  busctl --user call org.freedesktop.DBus /org/freedesktop/DBus org.freedesktop.DBus \
    GetConnectionUnixProcessID s org.freedesktop.Notifications 2>/dev/null | sed -n 's/^u //p' || true
}
# The next server must not find the name of the one before.
name_gone() {
  local process
  process=$(owner)
  [ -z "$process" ] || timeout 10 tail -s 0.05 --pid="$process" -f /dev/null
}
can_expire() { [ "$server" = mako ] || [ "$server" = gnome-shell ]; }
# What is on the screen after the program that sent it has died: for the servers that leave it there, and say
# how much it is.
can_count() { [ "$server" = mako ] || [ "$server" = dunst ] || [ "$server" = plasmashell ]; }
count_shown() {
  case $server in
    mako) makoctl list | grep -c '"app-name"' || true ;;
    dunst) echo $(($(dunstctl count displayed) + $(dunstctl count waiting))) ;;
    plasmashell) plasma_popups | wc -l ;;
  esac
}
# Somebody clicks: for the servers that have a program for it.
has_hands() { can_count || [ "$server" = gnome-shell ]; }
shell_hand() {
  shell_eval "const all = Main.messageTray.getSources().flatMap(s => s.notifications); $1" >/dev/null
}
snooze_by_hand() {
  case $server in
    mako) makoctl invoke snooze ;;
    dunst)
      printf 'Snooze' >"$SESSION/pick"
      dunstctl context
      ;;
    plasmashell) plasma_hand Snooze ;;
    *) shell_hand 'all[0].actions.find(a => a.label.startsWith("Snooze")).callback()' ;;
  esac
}
join_by_hand() {
  case $server in
    mako) makoctl invoke join ;;
    dunst)
      printf 'Join' >"$SESSION/pick"
      dunstctl context
      ;;
    plasmashell) plasma_hand Join ;;
    *) shell_hand 'all[0].actions.find(a => a.label === "Join").callback()' ;;
  esac
}
close_by_hand() {
  case $server in
    mako) makoctl dismiss ;;
    dunst) dunstctl close ;;
    plasmashell) plasma_hand Datebook close ;;
    *) shell_hand 'all[0].destroy(2)' ;;
  esac
}

# The server's own do-not-disturb: for the servers that can be told so from outside.
can_pause() { can_count; }
pause() { # on|off
  case $server-$1 in
    mako-on) makoctl mode -s quiet >/dev/null ;;
    mako-off) makoctl mode -s default >/dev/null ;;
    dunst-on) dunstctl set-paused true ;;
    dunst-off) dunstctl set-paused false ;;
    plasmashell-on) plasma_pause true ;;
    plasmashell-off) plasma_pause false ;;
  esac
}
screenshot() {
  case $server in
    mako) grim -g '194,14 790x76' "$1" ;; # the border is no letter
    dunst) dunst_picture "$1" ;;
    plasmashell)
      # Where there is no popup there is no picture.
      local window
      rm -f "$1"
      window=$(plasma_popups | sed -n 1p)
      [ -n "$window" ] && plasma_picture "$window" "$1"
      ;;
  esac
}
# reads PATTERN: whether the screen has it now.
reads() {
  screenshot "$SESSION/now.png"
  OMP_THREAD_LIMIT=1 tesseract "$SESSION/now.png" - --psm 6 -l eng 2>/dev/null | grep -Eq -- "$1"
}

# is_known ID: whether the agent has the number of the notification of a reminder, a moment after the server has told it.
# What a hand does before that GNOME's helper does not hand on: it does not know yet whose notification that is.
is_known() { grep -q " $1" "$XDG_RUNTIME_DIR/datebook/notifications"; }
hand_waits() { again is_known "$1" || die "the agent does not know the number of $1 with $server"; }

# --- what is seen on the bus

# next_message MEMBER [PATTERN]: the next such message between the agent and the server, in LINE. GNOME's
# helper hands calls on to the shell: those are not meant.
next_message() {
  local to='"destination":"org.freedesktop.Notifications".*'
  [ "$1" != NotificationClosed ] || to=
  next_line "$MESSAGES" "$to\"member\":\"$1\".*${2:-}" || die "no $1 ${2:-} on the bus of $server"
}
# again COMMAND...: until it succeeds: a server puts a notification up a moment after it was told.
again() {
  local end=$((SECONDS + PATIENCE))
  until "$@"; do [ "$SECONDS" -lt "$end" ] || return 1; done
}
shell_expires() {
  shell_hand 'all[0].destroy(1)'
  PATIENCE=1 next_line "$MESSAGES" '"member":"NotificationClosed".*,1\]'
}
# next_signal NAME: the next such signal of the agent, in LINE.
next_signal() { next_line "$SIGNALS" "\"signal\" *: *\"$1\"" || die "no $1 with $server"; }
ask() { busctl --user call org.datebook.Calendar1 /org/datebook/Calendar1 org.datebook.Calendar1.Reminders "$@"; }
notifications() {
  busctl --user --json=short call org.freedesktop.Notifications /org/freedesktop/Notifications \
    org.freedesktop.Notifications "$@"
}
expect_pending() { # NUMBER WHEN
  [[ $(ask Pending us 0 "") =~ ^aa\{sv\}s\ $1( |$) ]] || die "$server, $2: not $1 pending: $(ask Pending us 0 "")"
}
has() { [[ $CAPABILITIES == *"\"$1\""* ]]; }

case $server in
  mako) display_wayland ;;
  gnome-shell) shell_prepare ;; # it brings a display of its own
  plasmashell) display_plasma ;;
  *) display_x11 ;;
esac
spawn_reading monitor busctl --user --json=short \
  --match="interface='org.freedesktop.Notifications'" monitor
MESSAGES=$READING
server_start
signals_follow
CAPABILITIES=$(notifications GetCapabilities)
say "$server can: $CAPABILITIES"

# --- one reminder

title='Tea & <b>Ana</b>' place='Corner <café> & bar'
# On a machine that does much else the moment must not have passed before the event is there.
calctl add "$title" --start "$(date -d '+15 minutes +10 seconds' +%Y-%m-%dT%H:%M:%S%:z)" --reminder 15m \
  --location "$place" >/dev/null
next_signal ReminderDue
[[ $LINE =~ \"id\"\ *:\ *\"([0-9a-f]{16})\" ]] || die "no identifier in $LINE"
id=${BASH_REMATCH[1]}
next_message Notify
say "shown:     $LINE"
[[ $LINE == *"\"$title\""* ]] || die "the title is not plain: $LINE"
if has body-markup; then
  [[ $LINE == *'Corner &lt;café&gt; &amp; bar'* ]] || die "the body is not escaped: $LINE"
else
  [[ $LINE == *"$place"* ]] || die "the body is escaped for a server without markup: $LINE"
fi
# Icon, then the hints, each with its type.
for part in '["Datebook",0,"appointment-soon",' '"urgency":{"type":"y","data":2}' \
  '"category":{"type":"s","data":"x-datebook.reminder"}' '"desktop-entry":{"type":"s","data":"org.datebook.Calendar"}' \
  '"sound-name":{"type":"s","data":"alarm-clock-elapsed"}'; do
  [[ $LINE == *"$part"* ]] || die "no $part: $LINE"
done
[[ $LINE != *suppress-sound* ]] || die "the first one is silent: $LINE"
if has actions; then
  [[ $LINE == *'"snooze"'*'"dismiss"'* ]] || die "no actions: $LINE"
else
  [[ $LINE != *'"snooze"'* && $LINE != *'"dismiss"'* ]] || die "actions for a server that has none: $LINE"
fi
if [ "$server" = plasmashell ]; then
  # It draws rich text, and takes what looks like it for it.
  wait_for_text screenshot '& <b>Ana</b>' || die "Plasma does not show the title as text"
  wait_for_text screenshot '<caf.{1,2}> & bar' || die "Plasma does not show the body as text"
  say "on screen: ${TEXT//$'\n'/ | }"
fi

server_stop
server_start expiring
next_message Notify "\"Tea & <b>"
expect_pending 1 "after it started again"
if can_expire; then
  # The shell has put it up, or will in a moment.
  [ "$server" != gnome-shell ] || hand_waits "$id"
  [ "$server" != gnome-shell ] || again shell_expires || die "the notification does not expire"
  [ "$server" = gnome-shell ] || next_message NotificationClosed ',1\]'
  expect_pending 1 "after the notification expired"
else
  # The number is the server's secret: all that it can have given so far.
  for number in 1 2 3 4 5; do notifications CloseNotification u "$number" >/dev/null 2>&1 || true; done
  next_message NotificationClosed
  expect_pending 1 "after another program closed the notification"
fi
server_stop
server_start
next_message Notify "\"Tea & <b>"

if has_hands; then
  snooze_heard() {
    snooze_by_hand
    PATIENCE=1 next_line "$SIGNALS" '"signal" *: *"ReminderSnoozed"'
  }
  hand_waits "$id"
  again snooze_heard || die "the Snooze action of $server is not heard"
  next_signal ReminderDue
  next_message Notify "\"Tea & <b>"
  closed_heard() {
    close_by_hand
    PATIENCE=1 next_line "$SIGNALS" '"signal" *: *"ReminderDismissed"'
  }
  hand_waits "$id"
  again closed_heard || die "closing by hand is not heard with $server"
  expect_pending 0 "after it was closed by hand"
  ask Snooze ss "$id" "$snooze" >/dev/null
  next_signal ReminderDue
  next_message Notify "\"Tea & <b>"
fi

expect_pending 1 "before it is dismissed elsewhere"
number='[0-9]+'
if can_count; then
  stands() { is_known "$id" && [ "$(count_shown)" = 1 ]; }
  again stands || die "$server does not show it, or its number is not kept"
  number=$(sed -n "s/^\([0-9]*\) .* $id.*/\1/p" "$XDG_RUNTIME_DIR/datebook/notifications")
  agent=$(agent_pid)
  kill -KILL "$agent"
  timeout 10 tail -s 0.05 --pid="$agent" -f /dev/null || die "the agent does not die"
  expect_pending 1 "after the agent was killed"
  next_message Notify "\"Tea & <b>"
  say "next agent: $LINE"
  [[ $LINE == *"[\"Datebook\",$number,"* && $LINE == *suppress-sound* ]] ||
    die "the next agent does not take notification $number over: $LINE"
  # The server is asked after it was sent that.
  [ "$(count_shown)" = 1 ] || die "$server shows $(count_shown) after the agent was killed"
fi
calctl dismiss "$id" >/dev/null
next_message CloseNotification "\\[$number\\]"
next_message NotificationClosed "\\[$number,3\\]"
if can_count; then
  closed() { [ "$(count_shown)" = 0 ]; }
  again closed || die "$server shows it still after it was dismissed"
fi
expect_pending 0 "after it was dismissed elsewhere"

# --- two alarms of one event: the second is shown, and heard, although the first is on the screen

calctl add 'Cake' --start "$(date -d '+15 minutes +10 seconds' +%Y-%m-%dT%H:%M:%S%:z)" --reminder 15m \
  --reminder 14m56s >/dev/null
for count in 1 2; do
  next_signal ReminderDue
  next_message Notify Cake
  say "alarm $count:   $LINE"
  [[ $LINE == *'"sound-name"'* ]] || die "alarm $count of one event is silent: $LINE"
  expect_pending "$count" "after alarm $count of one event"
done
calctl dismiss --all >/dev/null
expect_pending 0 "after both alarms of one event were dismissed"
next_message CloseNotification

# --- quiet time: nothing is shown in it, and one notification of all at its end

calctl quiet 1h >/dev/null
start=$(date -d '+15 minutes +10 seconds' +%Y-%m-%dT%H:%M:%S%:z)
for title in Bread Milk Salt; do calctl add "$title" --start "$start" --reminder 15m >/dev/null; done
for _ in 1 2 3; do next_signal ReminderDue; done
expect_pending 3 "in quiet time"
calctl quiet off >/dev/null
# The next of any title.
next_message Notify
say "not quiet: $LINE"
[[ $LINE == *Bread*Milk*Salt* ]] || die "the end of quiet time does not show all three at once: $LINE"
calctl dismiss --all >/dev/null
expect_pending 0 "after what quiet time held back was dismissed"
next_message '(Notify|CloseNotification)' && [[ $LINE == *CloseNotification* ]] ||
  die "more than one notification at the end of quiet time: $LINE"

# --- a meeting

if has_hands; then
  meeting='https://meet.jit.si/Tea?with=Ana&cups=2'
  calctl add 'Call with Ana' --start "$(date -d '+15 minutes +10 seconds' +%Y-%m-%dT%H:%M:%S%:z)" --reminder 15m \
    --url "$meeting" >/dev/null
  next_signal ReminderDue
  [[ $LINE =~ \"id\"\ *:\ *\"([0-9a-f]{16})\" ]] || die "no identifier in $LINE"
  call=${BASH_REMATCH[1]}
  next_message Notify 'Call with Ana'
  [[ $LINE == *'"join","Join"'* ]] || die "no Join: $LINE"
  join_heard() {
    join_by_hand
    PATIENCE=1 next_line "$OPENED" .
  }
  hand_waits "$call"
  again join_heard || die "the Join action of $server opens nothing"
  say "opened:    $LINE"
  [ "$LINE" = "$meeting" ] || die "Join opens $LINE"
  if [ "$server" = plasmashell ]; then
    token=$(<"$SESSION/token")
    next_line "$MESSAGES" '"member":"ActivationToken".*,"([^"]+)"' && [ "$token" = "${BASH_REMATCH[1]}" ] ||
      die "what is opened cannot take the focus: it has \"$token\", and was given $LINE"
  fi
  next_signal ReminderDismissed
  expect_pending 0 "after Join"
fi

# --- two that look the same

if [ "$server" = plasmashell ]; then
  start=$(date -d '+15 minutes +10 seconds' +%Y-%m-%dT%H:%M:%S%:z)
  calctl add 'Choir' --start "$start" --reminder 15m >/dev/null
  calctl add 'Choir' --start "$start" --reminder 15m >/dev/null
  next_signal ReminderDue
  next_signal ReminderDue
  next_message Notify Choir
  next_message Notify Choir
  # The second, which is refused.
  PATIENCE=30 next_message Notify Choir
  both_stand() { [ "$(count_shown)" = 2 ]; }
  again both_stand || die "$server shows $(count_shown) of two that look the same"
  calctl dismiss --all >/dev/null
  none_stands() { [ "$(count_shown)" = 0 ]; }
  again none_stands || die "$server shows $(count_shown) after both were dismissed"
  expect_pending 0 "after both were dismissed"
  # The last of what was told.
  next_signal ReminderDismissed
  next_signal ReminderDismissed
  next_message NotificationClosed
  next_message NotificationClosed
fi

# --- do not disturb

if can_pause; then
  pause on
  calctl add 'Quiet walk' --start "$(date -d '+44 seconds' +%Y-%m-%dT%H:%M:%S%:z)" --reminder 34s >/dev/null
  next_signal ReminderDue
  next_message Notify 'Quiet walk'
  say "paused:    $LINE"
  [[ $LINE == *'["Datebook",0,'* ]] || die "not a notification of its own: $LINE"
  # The start has come: new words in the same place, and no sound.
  PATIENCE=90 next_message Notify 'Quiet walk'
  [[ $LINE != *'["Datebook",0,'* && $LINE == *suppress-sound* ]] || die "it nags while $server is paused: $LINE"
  expect_pending 1 "while it is paused"
  ! reads 'Quiet walk' || die "$server shows it although it is paused"
  pause off
  wait_for_text screenshot 'Quiet walk' || die "$server does not show it when it is not paused any more"
  say "after it:  ${TEXT//$'\n'/ | }"
  # Nothing more was sent since then: what comes next is the end.
  close_by_hand
  next_line "$SIGNALS" '"signal" *: *"Reminder(Due|Dismissed)"' && [[ $LINE == *ReminderDismissed* ]] ||
    die "closing it by hand after the pause is not heard: $LINE"
  next_line "$MESSAGES" '"member":"(Notify|NotificationClosed)"' && [[ $LINE == *NotificationClosed* ]] ||
    die "it was sent once more: $LINE"
  expect_pending 0 "after it was closed"
fi
say "$server: shown, kept, shown again, closed, dismissed"

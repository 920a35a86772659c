# shellcheck shell=bash
# What servers.sh does to KDE Plasma, which has no program for it: looking at its popups, pressing what they have, its
# do-not-disturb. Sourced by it.

# plasma_popups: the windows of the notifications on the screen, urgent or not. A display of the shell's own, as of its
# do-not-disturb, is such a window, too.
plasma_popups() {
  local window kinds
  for window in $(xdotool search --onlyvisible --class plasmashell 2>/dev/null); do
    # The window may have gone.
    kinds=$(xprop -id "$window" _NET_WM_WINDOW_TYPE 2>/dev/null) || continue
    if [[ $kinds == *_NOTIFICATION* && $kinds != *_ON_SCREEN_DISPLAY* ]]; then echo "$window"; fi
  done
}
# plasma_hand WORD [close]: presses a word of the first popup, where it can be read, or the cross at the right
# end of its line.
plasma_hand() {
  local window place
  window=$(plasma_popups | sed -n 1p)
  [ -n "$window" ] && plasma_picture "$window" "$SESSION/hand.png" || return 1
  place=$(OMP_THREAD_LIMIT=1 tesseract "$SESSION/hand.png" - --psm 6 -l eng tsv 2>/dev/null |
    awk -F '\t' -v word="$1" -v cross="${2:-}" '
      $1 == 1 { width = $9 }
      $12 == word { y = int($8 + $10 / 2); print cross ? width - y : int($7 + $9 / 2), y; exit }')
  # shellcheck disable=SC2086 # two numbers
  [ -z "$place" ] || xdotool mousemove --window "$window" $place click 1 2>/dev/null
}
plasma_picture() { # WINDOW FILE
  local place
  place=$(xdotool getwindowgeometry --shell "$1" 2>/dev/null | sed -n 's/^\(X\|Y\|WIDTH\|HEIGHT\)=//p' | paste -sd ,)
  [ -n "$place" ] && scrot -o -a "$place" "$2"
}
plasma_pause() { # true|false
  gdbus call --session -d org.kde.kglobalaccel -o /component/plasmashell \
    -m org.kde.kglobalaccel.Component.invokeShortcut 'toggle do not disturb' >/dev/null
  plasma_says() {
    [ "$(busctl --user get-property org.freedesktop.Notifications /org/freedesktop/Notifications \
      org.freedesktop.Notifications Inhibited)" = "b $1" ]
  }
  again plasma_says "$1" || die "Plasma's do-not-disturb is not $1"
}

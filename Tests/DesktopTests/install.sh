#!/usr/bin/env bash
# After packaging/install a bus that reads the folders of a desktop's bus starts the agent for the
# first `calctl`; twice is as good as once; packaging/uninstall leaves nothing, and nothing of others' goes.
. "$(dirname "${BASH_SOURCE[0]}")/desktop.sh"
session_open
export DATEBOOK_BIN=$BIN
prefix=$SESSION/prefix

mkdir -p "$prefix/share/applications"
printf '[Desktop Entry]\n' >"$prefix/share/applications/other.desktop"
before=$(find "$prefix" | sort)

"$ROOT/packaging/install" --prefix "$prefix" >"$SESSION/first"
first=$(find "$prefix" -type f -exec sha256sum {} + | sort)
"$ROOT/packaging/install" --prefix="$prefix" >"$SESSION/second"
[ "$first" = "$(find "$prefix" -type f -exec sha256sum {} + | sort)" ] || die "installing again changed something"
for interface in "$ROOT"/dbus/*.xml; do
  cmp "$interface" "$prefix/share/dbus-1/interfaces/${interface##*/}"
done
# What notification servers take the name and the icon of the agent from.
desktop=$prefix/share/applications/org.datebook.Calendar.desktop
grep -qx "Exec=$prefix/bin/calctl today" "$desktop" || die "the desktop file runs something else: $(cat "$desktop")"
grep -qx 'X-GNOME-UsesNotifications=true' "$desktop"
# What a browser asks for a link to a web calendar.
links=$prefix/share/applications/org.datebook.Calendar.Links.desktop
grep -qx "Exec=$prefix/bin/calctl subscribe %u" "$links" || die "the links go elsewhere: $(cat "$links")"
if command -v desktop-file-validate >/dev/null; then desktop-file-validate "$desktop" "$links"; fi
if command -v update-desktop-database >/dev/null; then
  grep -qx 'x-scheme-handler/webcal=org.datebook.Calendar.Links.desktop;' "${links%/*}/mimeinfo.cache" ||
    die "nobody opens webcal links"
fi
# It warns of a bad setting with exit code 0, and may speak of other units, too.
complaints=$(systemd-analyze --user verify "$prefix/share/systemd/user/datebookd.service" 2>&1) ||
  die "the unit cannot be checked: $complaints"
[[ $complaints != *datebookd* ]] || die "systemd does not like the unit: $complaints"

export PATH=$prefix/bin:$PATH XDG_DATA_DIRS=$prefix/share:$XDG_DATA_DIRS
bus_start standard
calctl today
[ "$(readlink "/proc/$(agent_pid)/exe")" = "$(readlink -f "$prefix/bin/datebookd")" ] ||
  die "the bus started something else: $(readlink "/proc/$(agent_pid)/exe")"
LC_ALL=zh_CN.UTF-8 calctl --help | grep -q '^用法：' || die "calctl does not speak Chinese in a Chinese locale"
agent_stop || die "the agent does not end when asked to"

"$ROOT/packaging/uninstall" --prefix "$prefix" >"$SESSION/third"
[ "$before" = "$(find "$prefix" | sort)" ] || die "left behind, or gone too far: $(find "$prefix" | sort | diff <(printf '%s\n' "$before") -)"
! "$ROOT/packaging/uninstall" --prefix "$prefix" 2>/dev/null || die "uninstalling what is not there succeeds"

# As packagers do it: all below DESTDIR, while the files name the prefix.
"$ROOT/packaging/install" --prefix /usr --destdir "$SESSION/package" >"$SESSION/fourth"
grep -qx 'Exec=/usr/bin/datebookd' "$SESSION/package/usr/share/dbus-1/services/org.datebook.Calendar1.service"
grep -qx 'ExecStart=/usr/bin/datebookd' "$SESSION/package/usr/lib/systemd/user/datebookd.service"
"$ROOT/packaging/uninstall" --prefix /usr --destdir "$SESSION/package" >"$SESSION/fifth"
[ -z "$(find "$SESSION/package" -mindepth 1)" ] || die "left behind: $(find "$SESSION/package" -mindepth 1)"
say "installed, activated, uninstalled"

# shellcheck shell=bash
# Common to install and uninstall: their options, and where the list of what was installed is kept.
# Source it after lib.sh, with the arguments of the script.
#
# Sets PREFIX (as the programs will see it), DESTDIR (put before each path that is written, for
# packagers) and LIST (the list, with both).
if [ "$(id -u)" -eq 0 ]; then PREFIX=/usr/local; else PREFIX=${HOME:?is not set}/.local; fi
DESTDIR=${DESTDIR:-} DESTDIR=${DESTDIR%/}
while [ $# -gt 0 ]; do
  case $1 in
    --prefix=* | --destdir=*) set -- "${1%%=*}" "${1#*=}" "${@:2}" ;;
    --prefix | --destdir)
      [ $# -ge 2 ] || die "$1 needs a folder"
      case $2 in
        # These files name the programs in three syntaxes with three ways to quote; none is needed for
        # such a path.
        *[!A-Za-z0-9/._+-]*) die "$1 $2: only letters, digits and / . _ + - can be in that path" ;;
        /* | '') ;;
        *) die "$1 $2: must be an absolute path" ;;
      esac
      if [ "$1" = --prefix ]; then PREFIX=${2%/}; else DESTDIR=${2%/}; fi
      shift 2
      ;;
    -h | --help)
      sed -n '2,/^[^#]/{/^#/s/^# \{0,1\}//p}' "$0"
      exit 0
      ;;
    *) die "unknown option $1 (there are --prefix DIR and --destdir DIR)" ;;
  esac
done
[ -n "$PREFIX" ] || die "--prefix / would put bin, lib and share into the root folder; choose another"
[[ ! $PREFIX =~ [^A-Za-z0-9/._+-] ]] || die "$PREFIX: choose another folder with --prefix; only letters, digits and / . _ + - can be in it"
LIST=$DESTDIR$PREFIX/lib/datebook/installed

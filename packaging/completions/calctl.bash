# Printed by "calctl --completions" from the table of commands: change that, not this.
_calctl() {
  local current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} words=
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    words="today agenda week month next free conflicts find todos add quick show edit move rm undo redo history trash restore import export calendars sources subscribe reminders upcoming snooze dismiss quiet why snapshot bar watch status doctor backups recover pause resume expand --help --version"
  else
    case ${COMP_WORDS[1]}$before in
      today--calendar) words="" ;;
      today--state) words="available partly missing future unmonitored" ;;
      today--quality) words="" ;;
      agenda--days) words="" ;;
      agenda--calendar) words="" ;;
      agenda--state) words="available partly missing future unmonitored" ;;
      agenda--quality) words="" ;;
      week--calendar) words="" ;;
      week--state) words="available partly missing future unmonitored" ;;
      week--quality) words="" ;;
      month--mode) words="collapsed two-weeks normal expanded" ;;
      month--select) words="" ;;
      month--privacy) words="titles busy nothing" ;;
      month--output) words="" ;;
      month--theme) words="auto light dark" ;;
      month--paper) words="a4 letter" ;;
      next--count) words="" ;;
      next--calendar) words="" ;;
      next--state) words="available partly missing future unmonitored" ;;
      next--quality) words="" ;;
      free--days) words="" ;;
      free--length) words="" ;;
      conflicts--days) words="" ;;
      find--from) words="" ;;
      find--to) words="" ;;
      find--calendar) words="" ;;
      find--state) words="available partly missing future unmonitored" ;;
      find--quality) words="" ;;
      find--limit) words="" ;;
      todos--calendar) words="" ;;
      add--start) words="" ;;
      add--end) words="" ;;
      add--repeat) words="daily weekdays weekly monthly yearly" ;;
      add--reminder) words="none" ;;
      add--location) words="" ;;
      add--description) words="" ;;
      add--url) words="" ;;
      add--time-zone) words="" ;;
      add--color) words="blue green orange purple red yellow teal gray" ;;
      add--calendar) words="" ;;
      quick--calendar) words="" ;;
      edit--title) words="" ;;
      edit--start) words="" ;;
      edit--end) words="" ;;
      edit--location) words="" ;;
      edit--description) words="" ;;
      edit--url) words="" ;;
      edit--repeat) words="daily weekdays weekly monthly yearly none" ;;
      edit--reminder) words="none default" ;;
      edit--time-zone) words="" ;;
      edit--color) words="blue green orange purple red yellow teal gray" ;;
      edit--calendar) words="" ;;
      edit--scope) words="this this-and-future all" ;;
      rm--scope) words="this this-and-future all" ;;
      history--limit) words="" ;;
      trash--limit) words="" ;;
      restore--calendar) words="" ;;
      import--calendar) words="" ;;
      import--mode) words="merge replace skip-existing copy" ;;
      import--format) words="ics csv" ;;
      export--calendar) words="" ;;
      export--from) words="" ;;
      export--to) words="" ;;
      export--id) words="" ;;
      export--format) words="ics json csv" ;;
      export--output) words="" ;;
      calendars--color) words="blue green orange purple red yellow teal gray" ;;
      calendars--source) words="" ;;
      calendars--reminder) words="none" ;;
      calendars--all-day-reminder) words="none" ;;
      calendars--time-zone) words="" ;;
      sources--name) words="" ;;
      sources--user) words="" ;;
      sources--password-command) words="" ;;
      sources--token-command) words="" ;;
      sources--client-id) words="" ;;
      sources--client-secret-command) words="" ;;
      sources--calendar) words="" ;;
      sources--guests) words="send keep" ;;
      sources--every) words="" ;;
      sources--days-back) words="" ;;
      sources--days-ahead) words="" ;;
      sources--ca) words="" ;;
      sources--pin) words="" ;;
      upcoming--hours) words="" ;;
      snapshot--hours) words="" ;;
      snapshot--privacy) words="titles busy nothing" ;;
      snapshot--theme) words="auto light dark" ;;
      bar--format) words="plain text template json waybar polybar i3bar swaybar i3blocks eww genmon tint2 conky tmux xbar argos" ;;
      bar--max-width) words="" ;;
      bar--count) words="" ;;
      bar--template) words="" ;;
      bar--calendar) words="" ;;
      bar--hours) words="" ;;
      bar--ahead) words="" ;;
      bar--privacy) words="titles busy nothing" ;;
      bar--theme) words="auto light dark" ;;
      bar--do) words="open join snooze next previous first" ;;
      expand--dtstart) words="" ;;
      expand--tzid) words="" ;;
      expand--rrule) words="" ;;
      expand--exrule) words="" ;;
      expand--rdate) words="" ;;
      expand--exdate) words="" ;;
      expand--limit) words="" ;;
      expand--from) words="" ;;
      expand--to) words="" ;;
      *)
        case ${COMP_WORDS[1]} in
          today) words="--calendar --state --quality --ids --json --help" ;;
          agenda) words="--days --calendar --state --quality --ids --json --help" ;;
          week) words="--calendar --state --quality --ids --json --help" ;;
          month) words="--mode --select --weeks --json --privacy --svg --png --html --output --theme --paper --help" ;;
          next) words="--count --calendar --state --quality --ids --json --help" ;;
          free) words="--days --length --json --help" ;;
          conflicts) words="--days --ids --json --help" ;;
          find) words="--from --to --calendar --state --quality --limit --ids --json --help" ;;
          todos) words="--all --calendar --ids --json --help" ;;
          add) words="--start --end --all-day --repeat --reminder --location --description --url --time-zone --busy --free --color --calendar --json --help" ;;
          quick) words="--calendar --dry-run --json --help" ;;
          show) words="--json --help" ;;
          edit) words="--title --start --end --all-day --location --description --url --repeat --reminder --time-zone --busy --free --color --calendar --this --following --all --scope --json --help" ;;
          move) words="--json --help" ;;
          rm) words="--this --following --all --scope --yes --json --help" ;;
          undo) words="--json --help" ;;
          redo) words="--json --help" ;;
          history) words="--limit --json --help" ;;
          trash) words="--limit --json --help" ;;
          restore) words="--calendar --json --help" ;;
          import) [[ $current != -* ]] || words="--calendar --mode --format --own-calendars --skip-bad --dry-run --json --help" ;;
          export) [[ $current != -* ]] || words="--calendar --from --to --id --omit-private --format --output --help" ;;
          calendars) words="--color --source --reminder --all-day-reminder --time-zone --reminders --with-events --json --help" ;;
          sources) words="--name --user --password --password-command --token-command --client-id --client-secret-command --paste --calendar --all-calendars --guests --every --days-back --days-ahead --read-only --ca --pin --check --keep --json --help" ;;
          subscribe) words="--json --help" ;;
          reminders) words="--missed --test --json --help" ;;
          upcoming) words="--hours --json --help" ;;
          snooze) words="--all --json --help" ;;
          dismiss) words="--all --snoozed --json --help" ;;
          quiet) words="--json --help" ;;
          why) words="--json --help" ;;
          snapshot) words="--declined --hours --privacy --theme --help" ;;
          bar) words="--format --max-width --count --template --calendar --no-all-day --declined --hours --ahead --privacy --theme --follow --do --help" ;;
          watch) words="--help" ;;
          status) words="--json --help" ;;
          doctor) words="--json --help" ;;
          backups) words="--json --help" ;;
          recover) words="--json --help" ;;
          pause) words="--json --help" ;;
          resume) words="--json --help" ;;
          expand) words="--dtstart --tzid --all-day --rrule --exrule --rdate --exdate --limit --from --to --explain --batch --json --help" ;;
          help) words="today agenda week month next free conflicts find todos add quick show edit move rm undo redo history trash restore import export calendars sources subscribe reminders upcoming snooze dismiss quiet why snapshot bar watch status doctor backups recover pause resume expand" ;;
        esac
        ;;
    esac
  fi
  [ -z "$words" ] || mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
}
complete -o bashdefault -o default -F _calctl calctl

/// The calls of calctl that are made in the generated language: every command with its actions, in
/// its usual successes and its main refusals, in this order.
///
/// `_` is a blank in a word, `~` the home folder, `$1` to `$3` are the IDs of events, `$r` is that
/// of a reminder that is due, `''` is an empty word. After `<` comes the standard input.
enum PseudoCalls {
  static let lookingAround = """
    --version
    --help
    colour
    toda
    --x
    today
    today --ids
    today --state x
    today x
    tomorrow
    week 2030-01-08
    week +2
    week soon
    agenda 2030-01-07
    agenda 2030-01-08 --ids
    agenda 2030-01-08 --format {x}
    agenda --days 999
    agenda --calendar nowhere
    month 2030-01
    month 2030-01 --weeks --select 2030-01-02..2030-01-09
    month 2030-01 --mode two-weeks
    month 2030-01 --mode collapsed
    month 2030-01 --mode year
    month 2030-01 --svg
    month 2030-01 --svg --privacy busy
    month 2030 --mode year --svg
    month 2030-01 --html
    month 2030-01 --pdf
    month 2030-01 --select x..y
    month 2030-13
    next
    next --count 3
    next --count 0
    free 2030-01-09
    free 2030-01-09 --length 20h
    free --length x
    conflicts 2030-01-08
    conflicts 2032-01-08
    find T1
    find T --limit 1
    find
    find zz
    find T1 --limit 0
    show $1
    show $2
    show T2@2030-01-09
    show a1@x
    show a2@x
    show t1@x
    show j1@x
    show zz
    show next
    show 99
    show
    snapshot --privacy busy
    snapshot --hours x
    expand --dtstart 20261124T190000 --rrule FREQ=DAILY;COUNT=2;UNTIL=20270101
    expand --dtstart x --rrule FREQ=DAILY
    expand --dtstart 20261124T190000 --rrule FREQ=X
    expand --dtstart 20261124 --rrule FREQ=DAILY;BYMONTHDAY=30;BYMONTH=2
    expand --batch < {"id":1}
    expand
    """

  static let changing = """
    add T3 --start 2020-01-01_09:00 --reminder 15m
    add T3 --start 2030-01-08_09:30
    add T4 --start 2030-03-31_02:30
    add T4_2030-01-02_12:30
    add T4 --start soon
    add T4 --start 9:60
    add T4 --start 2030-02-30
    add T4 --start at_7
    add T4 --start 2030-01-01 --end 2029-01-01
    add T4 --start 2030-01-01 --color x
    add T4 --start 2030-01-01 --time-zone Mars/X
    add T4 --start 2030-01-01_10:00 --reminder x
    add T4 --start 2030-01-01_10:00 --reminder +15m
    add T4 --start 2030-01-01_10:00 --repeat x
    add T4 --start 2030-01-01_10:00 --repeat FREQ=WEEKLY;X=1
    add T4 --start 2030-01-01 --busy --free
    add T4
    add T4 --start
    add T4 --foo
    add
    add '' --start 2030-01-01
    quick T5_2030-01-09_10:00
    quick --dry-run T5_2030-01-09_10:00_at_P1_!15m_#personal
    quick T5_2030-01-09_10:00_#nowhere
    quick T6
    quick
    edit $1 --start 10:00
    edit $1 --title T7 --location P2 --color red --reminder 9:00,end
    edit T2@2030-01-09 --title T8
    edit $2 --scope x --title T9
    edit $1 --end 2020-01-01
    edit $1 --due tomorrow
    edit $1 --time-zone Asia/Tokyo
    edit $1
    edit j1@x --title T9
    edit zz --title T9
    copy $1 --start +1d
    copy t1@x
    copy zz
    todos add Q5 --due 2030-01-01_17:00 --priority high
    todos add Q6
    todos add Q7 --priority 42
    todos add
    todos edit Q5 --due none
    todos edit Q5
    todos rm x
    todos --all --ids
    done Q5
    done Q5
    done t1@x
    done zz
    done
    todos --all
    undo
    redo
    redo
    rm T2@2030-01-10
    rm $3
    rm t1@x
    rm j1@x
    rm zz
    rm $2 --scope x
    rm T2@2030-01-20 --following
    undo
    history
    history --limit x
    trash
    restore T2@2030-01-10
    restore $3
    restore zz
    restore
    """
}

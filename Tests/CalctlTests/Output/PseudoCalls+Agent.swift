/// The calls of commands for files, calendars, sources, reminders, bars and the agent.
extension PseudoCalls {
  static let files = """
    import ~/a.ics --dry-run
    import ~/a.ics --verbose --mode copy
    import ~/a.ics --preview < n
    import ~/a.ics --own-calendars --mode replace
    import ~/a.ics ~/bad.txt --skip-bad
    import ~/a.csv
    import ~/bad.txt
    import ~/folder
    import ~/none.ics
    import ~/a.ics --mode x
    import ~/a.ics --calendar nowhere
    import
    export ~/x.ics
    export ~/x.csv
    export ~/x.txt
    export ~/none/x.ics
    export --id zz
    export --from soon
    calendars
    calendars --reminders
    calendars add W1 --color teal
    calendars add W1
    calendars add W2 --color x
    calendars add W2 --source x
    calendars add
    calendars rename W1 W3
    calendars color W3 red
    calendars edit W3 --reminder 10m --all-day-reminder 9:00 --time-zone Asia/Tokyo
    calendars edit W3 --reminder x
    calendars edit W3
    calendars late W3 2h
    calendars late W3 always
    calendars late W3 usual
    calendars late W3 x
    calendars hide W3
    calendars show W3
    calendars default W3
    calendars --reminders
    move $1 W3
    move $1 nowhere
    move zz W3
    move
    calendars rm W3
    calendars default personal
    calendars rm W3 --with-events
    calendars rm personal
    calendars rm nowhere
    calendars foo
    history
    trash
    sources
    sources add vdir ~/folder --check
    sources add vdir ~/folder --name V1
    sources add vdir ~/none
    sources add webcal http://127.0.0.1:9/x.ics
    sources add caldav http://127.0.0.1:9/ --user a --password-command echo_x
    sources add caldav https://x.invalid --pin x
    sources add webcal ftp://x
    sources add webcal https://x.invalid/a.ics --every 1s
    sources add google
    sources add gnome
    sources add foo
    sources add
    sources
    sources sync
    sources sync nowhere
    sources edit v1 --name V2
    sources edit v1 --guests x
    sources sign-in v1
    sources pause v1
    sources
    sources sync v1
    sources resume v1
    sources accept v1
    doctor
    sources rm v1
    sources rm
    sources foo
    subscribe http://127.0.0.1:9/x.ics
    subscribe x
    subscribe
    """

  static let reminding = """
    reminders
    bar
    bar --format text
    bar --format template --template {summary}_{countdown}
    bar --format template --template {x}
    bar --format template
    bar --format waybar
    bar --format json
    bar --format polybar
    bar --format i3bar
    bar --format swaybar
    bar --format i3blocks
    bar --format eww
    bar --format genmon
    bar --format tint2
    bar --format conky
    bar --format tmux
    bar --format xbar
    bar --format argos
    bar --format x
    bar --format xbar --follow
    bar --privacy busy
    bar --ahead 0
    bar --hours x
    bar --do next
    bar --do previous
    bar --do first
    bar --do open
    bar --do join
    bar --do x
    why Z1
    snooze $r 5m
    reminders
    snooze $r start
    snooze $r x
    snooze 100d
    snooze zz
    snooze
    bar --do snooze
    dismiss $r
    dismiss zz
    dismiss
    dismiss --all
    snooze $r 5m
    dismiss --all --snoozed
    why Z1
    why $1
    why zz
    why
    reminders --missed
    reminders --test
    snooze --all
    dismiss --all --snoozed
    upcoming
    upcoming --hours 744
    upcoming --hours 0
    quiet
    quiet 2h
    quiet
    bar --format genmon
    quiet forever
    quiet until tomorrow_9:00
    quiet until 20:61
    quiet off
    watch x
    on X -- true
    on ReminderDue --match x -- true
    on ReminderDue
    on
    """

  static let agent = """
    status
    doctor
    reload
    reload x
    recover
    backups
    backups restore nowhere
    backups restore
    backups foo
    pause
    status
    today
    doctor
    resume
    backups restore 2026-11-26
    backups
    """
}

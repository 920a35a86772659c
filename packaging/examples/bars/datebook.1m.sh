#!/bin/sh
# A plugin that runs once a minute: in ~/.config/argos/ with "--format argos" for Argos in GNOME Shell, in xbar's folder
# of plugins with "--format xbar".
exec calctl bar --format argos --max-width 40

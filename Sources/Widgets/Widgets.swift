// The first file of Widgets.

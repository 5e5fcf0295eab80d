"""The page and the widget in real browsers."""

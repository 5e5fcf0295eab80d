project = "Serving a model"
extensions = ["myst_parser"]
myst_enable_extensions = ["colon_fence"]
html_theme = "alabaster"
html_static_path = ["_static"]
html_js_files = ["poolroom.js"]
html_extra_path = ["extra"]
epub_exclude_files = ["poolroom.html", "_static/poolroom.js"]

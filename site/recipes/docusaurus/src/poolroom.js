// Loads the widget once for the whole site. With another baseUrl, write it before poolroom.js.
if (typeof document !== "undefined") {
  const script = document.createElement("script");
  script.src = "/poolroom.js";
  document.head.append(script);
}

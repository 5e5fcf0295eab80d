export default {
  title: "Serving a model",
  url: "https://example.org",
  baseUrl: "/",
  presets: ["classic"],
  clientModules: ["./src/poolroom.js"],
};

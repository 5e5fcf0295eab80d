/**
 * The host's side of WordPress's embeds, in our own words: a message counts when it comes from a frame that has its
 * secret; it shows the frame and hides the quotation; a height is kept between 200 and 1000 px.
 * See WordPress/wordpress-develop src/js/_enqueues/wp/embed.js and src/wp-includes/embed.php.
 */
window.heard = [];

const [LEAST, MOST] = [200, 1000];
const all = (tag, secret) => document.querySelectorAll(`${tag}[data-secret="${secret}"]`);

window.addEventListener("message", ({ data, source }) => {
  if (!data?.secret || /[^a-zA-Z0-9]/.test(data.secret)) return;
  window.heard.push(data);
  for (const quotation of all("blockquote", data.secret)) quotation.style.display = "none";
  for (const frame of all("iframe", data.secret)) {
    if (frame.contentWindow !== source) continue;
    frame.removeAttribute("style");
    if (data.message === "height") frame.height = String(Math.min(MOST, Math.max(LEAST, parseInt(data.value, 10) || 0)));
  }
});

document.addEventListener("DOMContentLoaded", () => {
  for (const frame of document.querySelectorAll("iframe.wp-embedded-content")) {
    frame.contentWindow.postMessage({ message: "ready", secret: frame.dataset.secret }, "*");
  }
});

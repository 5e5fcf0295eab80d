// A slide as wide as this shows the whole widget; a narrower one stacks its parts.
window.Reveal.initialize({ hash: true, width: 1280, height: 800 });

// A deck of its own, such as the one that comes with reveal.js.
window.Reveal.initialize({ hash: true });

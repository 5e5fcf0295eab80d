// The first script of every page under test: keep what goes wrong. WebKitGTK's driver cannot listen by itself.

window.troubles = [];
window.addEventListener('error', (event) => window.troubles.push(`error: ${event.message ?? event.target.src}`), true);
window.addEventListener('unhandledrejection', (event) => window.troubles.push(`rejected: ${event.reason}`));
document.addEventListener('securitypolicyviolation', (event) => {
  window.troubles.push(`policy ${event.violatedDirective} refused ${event.blockedURI}`);
});
for (const name of ['debug', 'error', 'info', 'log', 'warn']) {
  const say = console[name];
  console[name] = (...words) => {
    window.troubles.push(`console: ${words.join(' ')}`);
    say.apply(console, words);
  };
}

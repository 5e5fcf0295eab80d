// The task of this page: on half a card, let at least 40 chats run at once and turn nobody away.
const goal = ({ numbers: { run } }) => (run !== null && run.refused === 0 ? Math.min(1, run.running / 40) : 0);

globalThis.report(window.parent.lms, goal);

// What a learner does in Poolroom, as xAPI statements and as a score. Load it before the widget or its frame.
const VERBS = { "poolroom-ready": "initialized", "poolroom-change": "interacted", "poolroom-reset": "attempted" };
const PAUSE_MS = 1000; // one statement a move, not one a step of the slider

/**
 * Report from the page's <pool-room>, or from its frame with poolroom.html.
 * @param {{actor: object, send: (statement: object) => void, setScore: (scaled: number) => void}} lms
 * @param {(result: any) => number} goal how well a result does, from 0 to 1; the best one counts
 */
globalThis.report = (lms, goal) => {
  let [best, timer] = [0, 0];
  const tell = (verb, { settings, result }) => {
    best = Math.max(best, goal(result));
    lms.send({
      actor: lms.actor,
      verb: { id: `http://adlnet.gov/expapi/verbs/${verb}`, display: { en: verb } },
      object: { id: location.href.split(/[?#]/)[0], definition: { type: "http://adlnet.gov/expapi/activities/simulation" } },
      result: { score: { scaled: goal(result) }, extensions: { "https://example.org/poolroom/settings": settings } },
      timestamp: new Date().toISOString(),
    });
    lms.setScore(best);
  };
  const hear = (type, detail) => {
    if (!(type in VERBS)) return; // poolroom-error is the author's to mend, not the learner's
    clearTimeout(timer);
    timer = setTimeout(() => tell(VERBS[type], detail), PAUSE_MS);
  };
  for (const type in VERBS) document.addEventListener(type, (event) => hear(type, event.detail));
  addEventListener("message", ({ source, data }) => {
    const frames = [...document.querySelectorAll("iframe")];
    if (frames.some((frame) => frame.contentWindow === source)) hear(data?.type, data);
  });
};

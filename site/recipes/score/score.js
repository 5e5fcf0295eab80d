// What a learner does in Poolroom, as xAPI statements and as a score.
const VERBS = { "poolroom-ready": "initialized", "poolroom-change": "interacted", "poolroom-reset": "attempted" };
const PAUSE_MS = 1000; // one statement a move, not one a step of the slider

/**
 * Report from a <pool-room> or from a frame with poolroom.html.
 * @param {Element} room
 * @param {{actor: object, send: (statement: object) => void, setScore: (scaled: number) => void}} lms
 * @param {(result: any) => number} goal how well a result does, from 0 to 1; the best one counts
 */
export function report(room, lms, goal) {
  let [best, timer] = [0, 0];
  const hear = (type, { settings, result }) => {
    if (!(type in VERBS)) return; // poolroom-error is the author's to mend, not the learner's
    clearTimeout(timer);
    timer = setTimeout(() => {
      best = Math.max(best, goal(result));
      lms.send({
        actor: lms.actor,
        verb: { id: `http://adlnet.gov/expapi/verbs/${VERBS[type]}`, display: { en: VERBS[type] } },
        object: { id: location.href.split(/[?#]/)[0], definition: { type: "http://adlnet.gov/expapi/activities/simulation" } },
        result: { score: { scaled: goal(result) }, extensions: { "https://example.org/poolroom/settings": settings } },
        timestamp: new Date().toISOString(),
      });
      lms.setScore(best);
    }, PAUSE_MS);
  };
  for (const type in VERBS) room.addEventListener(type, (event) => hear(type, event.detail));
  addEventListener("message", ({ source, data }) => source === room.contentWindow && hear(data?.type, data));
}

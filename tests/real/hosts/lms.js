/** The receiver: a learner, statements in the order in which they came, and the last score. */
const statements = [];
const actor = { objectType: "Agent", account: { homePage: "https://example.org", name: "learner" } };

window.lms = {
  actor,
  statements,
  score: null,
  send(statement) {
    statements.push(structuredClone(statement));
  },
  setScore(scaled) {
    if (!(scaled >= 0 && scaled <= 1)) throw new RangeError(`${scaled} is no scaled score`);
    this.score = scaled;
  },
};

/** Two signals of one kind closer than this are one: quicker than a person, slower than npm. */
const ONE_KEYSTROKE_MS = 150;

/**
 * Ctrl-C in a terminal goes to npm and to us, and npm hands its own on to us: one keystroke, two signals. Listeners that are
 * added later see one. A second Ctrl-C still is a second signal, and `kill` of npm or of us alone comes through as it is.
 */
export function mergeSignalsFromNpm() {
  const last = new Map();
  const emit = process.emit;
  process.emit = function (event, ...args) {
    if (event === 'SIGINT' || event === 'SIGTERM') {
      const now = performance.now();
      if (now - (last.get(event) ?? -Infinity) < ONE_KEYSTROKE_MS) return true;
      last.set(event, now);
    }
    return emit.call(this, event, ...args);
  };
}

/** Which runs wait for a worker and which one has; `runs_queue` and `runs_taken` are their indexes. */
export const RUN_QUEUE = {
  table: 'runs',
  waits: `phase = 'queued'`,
  taken: `phase IN ('starting', 'executing')`,
};

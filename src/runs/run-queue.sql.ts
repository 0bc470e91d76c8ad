/** Which runs wait for a worker and which one has; `runs_turns` and `runs_taken` are their indexes. */
export const RUN_QUEUE = {
  table: 'runs',
  rank: 'rank',
  waits: `phase = 'queued'`,
  taken: `phase IN ('starting', 'executing')`,
};

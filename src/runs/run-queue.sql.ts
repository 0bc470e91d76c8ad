/** Which runs wait for a worker and which one has; `runs_turns` and `runs_taken` are their indexes. */
export const RUN_QUEUE = {
  table: 'runs',
  rank: 'rank',
  waits: `phase = 'queued'`,
  taken: `phase IN ('starting', 'executing')`,
};

/** What a worker without tags takes, however much waits for others; `runs_untagged` is its index. */
export const UNTAGGED_QUEUE = { ...RUN_QUEUE, waits: `phase = 'queued' AND runs_on IS NULL` };

/** What a worker with these tags takes. */
export const queueFor = (tags: string) => ({
  ...RUN_QUEUE,
  waits: `phase = 'queued' AND (runs_on IS NULL OR runs_on <@ ${tags})`,
});

/** A process that was not seen for as long is taken for dead. */
export const ALIVE_SECONDS = 60;

/** Whether a worker that lives and takes runs carries all of these tags. */
export const isCarried = (tags: string): string =>
  `EXISTS (SELECT FROM instances i WHERE i.tags @> ${tags} AND i.seen_at > now() - interval '${ALIVE_SECONDS} seconds')`;

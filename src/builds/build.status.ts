/** `queued` waits for a worker; a build that succeeded is used again, one that failed is not. */
export type BuildStatus = 'queued' | 'running' | 'succeeded' | 'failed';

/** What notifications about a build are called. */
export const BUILD_TOPIC = 'build';
/** A build whose worker was lost is begun anew, so often at most: it may be what ends workers. */
export const MOST_CLAIMS = 3;

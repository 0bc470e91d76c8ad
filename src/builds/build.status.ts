/** `queued` waits for a worker; a build that succeeded is used again, one that failed is not. */
export const BUILD_STATUSES = ['queued', 'running', 'succeeded', 'failed'] as const;
export type BuildStatus = (typeof BUILD_STATUSES)[number];

/** Wakes workers that build; its queue has the same name. */
export const BUILDS_QUEUE = 'builds';
/** What notifications about a build are called. */
export const BUILD_TOPIC = 'build';
/** A build that failed through no fault of its own is begun anew, so often at most. */
export const MOST_CLAIMS = 3;
/** A build that as many workers were lost with fails: it may be what ends them. */
export const MOST_LOSSES = 2;

/** Wakes workers that send, with the ids of endpoints for which something is due; the queue has the same name. */
export const DELIVERIES_QUEUE = 'deliveries';

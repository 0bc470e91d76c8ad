/**
 * What notifications are called that say, by a workspace's id: which scripts somebody there may run, or what is said of
 * one, has changed. Sent in the transaction of the change.
 */
export const OFFERS_TOPIC = 'offers';

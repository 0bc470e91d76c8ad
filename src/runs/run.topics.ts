/** What notifications about a run are called: something about it has changed. */
export const RUN_TOPIC = 'run';

/** Somebody has decided about a request that a worker holds. */
export const QUESTION_TOPIC = 'question';

/** A worker that carries it out is to cancel it. */
export const CANCEL_TOPIC = 'cancel';

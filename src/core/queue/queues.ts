/** The queue that wakes workers for runs. A job in it says nothing but «look into the database». */
export const RUNS_QUEUE = 'runs';

/** Wakes whoever reads the words of runs. */
export const RUN_WORDS = 'run-words';

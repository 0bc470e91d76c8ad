/** Woken when somebody has asked for an operation. */
export const RUN_OPERATIONS = 'run-operations';

/** What a run of a trial has in the place of the number that a trial has not. Versions are counted from 1. */
export const TRIAL_VERSION = 0;

/** Whether a run is one of a trial. */
export const isTrial = ({ version }: { version: number }): boolean => version === TRIAL_VERSION;

/** A run whose version may take longer is a long one: nobody waits for its end. */
export const SHORT_RUN_SECONDS = 30;

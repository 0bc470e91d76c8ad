/** What a run of a trial has in the place of the number that a trial has not. Versions are counted from 1. */
export const TRIAL_VERSION = 0;

/** Whether a run is one of a trial. */
export const isTrial = ({ version }: { version: number }): boolean => version === TRIAL_VERSION;

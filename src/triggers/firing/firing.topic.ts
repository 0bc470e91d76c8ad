/** Wakes whoever fires triggers. */
export const FIRINGS = 'firings';

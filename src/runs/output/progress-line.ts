import { cutText } from '../../../libs/cut-text/index.js';

const PROGRESS = /^::progress[ \t]+(\d+(?:\.\d*)?|\.\d+)(?:[ \t]+(.*))?$/s;
const MAX_MESSAGE_LENGTH = 500;

export interface Progress {
  /** From 0 to 1. */
  progress: number;
  message: string | null;
}

/** What a line begins with that may report progress. */
export const PROGRESS_PREFIX = '::progress';

/**
 * Reads `::progress <0..1> [message]`. Returns null for an ordinary line of the log, such as one with a number out of range.
 * A message over 500 characters is cut, with `…` at its end.
 */
export function parseProgress(line: string): Progress | null {
  const match = PROGRESS.exec(line);
  if (!match) return null;
  const progress = Number(match[1]);
  if (!(progress >= 0 && progress <= 1)) return null;
  return { progress, message: cutText(match[2]?.trim() ?? '', MAX_MESSAGE_LENGTH, '…') || null };
}

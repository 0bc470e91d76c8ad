import { constants } from 'node:os';
import type { BoxExit } from './box.js';

/** Other names for SIGABRT and SIGIO. */
const SYNONYMS = ['SIGIOT', 'SIGPOLL'];
const SIGNAL_NAMES = new Map(
  Object.entries(constants.signals)
    .filter(([name]) => !SYNONYMS.includes(name))
    .map(([name, number]) => [number, name]),
);

/**
 * bubblewrap reports a death by signal as shells do: 128 and the signal's number. The same code given on purpose is
 * taken for a signal, too, which is what a shell means by it.
 */
export function readExitCode(code: number): Pick<BoxExit, 'code' | 'signal'> {
  const signal = code > 128 ? SIGNAL_NAMES.get(code - 128) : undefined;
  return signal === undefined ? { code, signal: null } : { code: null, signal };
}

import { HANDLER_DIRECTORY } from './runtimes.js';

/** From `/app`: an interpreter that waits for a run knows its script by a relative path. */
const programOf = (ending: string): string => `..${HANDLER_DIRECTORY}/handler.${ending}`;

const PYTHON = programOf('py');
const NODE = programOf('cjs');
export const HANDLER_PROGRAMS: readonly string[] = [PYTHON, NODE];

/** What a function is told besides its inputs: any names and values, and where in the box the inputs are, as a JSON file. */
export type HandlerNote = Readonly<Record<string, unknown>> & { inputs: string };

/**
 * The command that calls the function that a file exports as its default or, of Python, as `main`. It returns once: that is standard
 * output, as JSON. All that is printed meanwhile is standard error. Nothing on standard output: it has not returned.
 *
 * @param argv the interpreter, `node` or `python`, and the file.
 */
export function callOf([interpreter = '', file = '']: readonly string[], note: HandlerNote): string[] {
  return [interpreter, interpreter === 'node' ? NODE : PYTHON, file, JSON.stringify(note)];
}

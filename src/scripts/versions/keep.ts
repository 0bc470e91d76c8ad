import { type ErrorDetail, InvalidRequest } from '../../core/errors/index.js';
import { asSeconds } from '../../core/http/index.js';
import { RUNS, SECONDS, USUAL, type KeepDto, type KeepInput } from './keep.dto.js';
import { isWhole } from './whole-number.js';

/** The same with its defaults, as it is stored. */
export type Keep = KeepDto;

/**
 * What was asked for with its defaults; null: each run has a process of its own.
 *
 * @param version what else it says
 * @throws InvalidRequest naming each wrong field, such as `keep.runs`
 */
export function parseKeep(
  given: object | null | undefined,
  { handler, warm }: { handler: boolean; warm: boolean },
): Keep | null {
  if (given === null || given === undefined) return null;
  if (!handler) throw InvalidRequest.at('keep', 'needs `handler`: only a function can be called again');
  if (!warm)
    throw InvalidRequest.at('keep', 'contradicts `warm`, which says that nothing is there before a run');
  const details: ErrorDetail[] = [];
  const wrong = (field: string, message: string): void =>
    void details.push({ path: `keep.${field}`, message });
  for (const field of Object.keys(given)) if (!Object.hasOwn(USUAL, field)) wrong(field, 'is not known');
  const { idleSeconds: idle = USUAL.idleSeconds, runs = USUAL.runs } = given as KeepInput;
  const idleSeconds = asSeconds(idle) as number;
  if (!isWhole(idleSeconds, SECONDS.minimum, SECONDS.maximum))
    wrong('idleSeconds', `must be a whole number of seconds from ${SECONDS.minimum} to ${SECONDS.maximum}`);
  if (!isWhole(runs, RUNS.minimum, RUNS.maximum))
    wrong('runs', `must be a whole number from ${RUNS.minimum} to ${RUNS.maximum}`);
  if (details.length > 0) throw InvalidRequest.listing(details);
  return { idleSeconds, runs };
}

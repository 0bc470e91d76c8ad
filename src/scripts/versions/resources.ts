import { type ErrorDetail, InvalidRequest } from '../../core/errors/index.js';
import {
  MiB_OF_MEMORY,
  PROCESSORS,
  PROCESSES,
  MiB_OF_TMP,
  type ResourcesDto,
  type ResourcesInput,
} from './resources.dto.js';
import { isWhole } from './whole-number.js';

const KNOWN = ['memory', 'cpus', 'processes', 'tmp'];

/** What a run of a version that says nothing may use. */
export const USUAL_RESOURCES: Readonly<ResourcesDto> = { memory: 512, cpus: null, processes: 128, tmp: 256 };

/** The same with its defaults, as it is stored. */
export type Resources = ResourcesDto;

/**
 * What was asked for with its defaults; null: the usual.
 *
 * @param maxMemory in MiB
 * @throws InvalidRequest naming each wrong field, such as `resources.memory`
 */
export function parseResources(given: object | null | undefined, maxMemory: number): Resources | null {
  if (given === null || given === undefined) return null;
  const details: ErrorDetail[] = [];
  const wrong = (field: string, message: string): void =>
    void details.push({ path: `resources.${field}`, message });
  for (const field of Object.keys(given)) if (!KNOWN.includes(field)) wrong(field, 'is not known');
  const {
    memory = USUAL_RESOURCES.memory,
    cpus = null,
    processes = USUAL_RESOURCES.processes,
  } = given as ResourcesInput;
  const isMemory = isWhole(memory, MiB_OF_MEMORY.minimum, maxMemory);
  if (!isMemory)
    wrong('memory', `must be a whole number of MiB from ${MiB_OF_MEMORY.minimum} to ${maxMemory}`);
  if (
    cpus !== null &&
    !(typeof cpus === 'number' && cpus >= PROCESSORS.minimum && cpus <= PROCESSORS.maximum)
  )
    wrong('cpus', `must be a number from ${PROCESSORS.minimum} to ${PROCESSORS.maximum}, or null`);
  if (!isWhole(processes, PROCESSES.minimum, PROCESSES.maximum))
    wrong('processes', `must be a whole number from ${PROCESSES.minimum} to ${PROCESSES.maximum}`);
  const { tmp = Math.min(USUAL_RESOURCES.tmp, memory) } = given as ResourcesInput;
  if (isMemory && !isWhole(tmp, MiB_OF_TMP.minimum, memory))
    wrong(
      'tmp',
      `must be a whole number of MiB from ${MiB_OF_TMP.minimum} to \`memory\`, which is ${memory}`,
    );
  if (details.length > 0) throw InvalidRequest.listing(details);
  return { memory, cpus, processes, tmp };
}

import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';

import { type ErrorDetail, InvalidRequest } from '../../core/errors/index.js';
import { isWhole } from './whole-number.js';

const MiB_OF_MEMORY = { type: 'integer', minimum: 64, maximum: 1_048_576 } as const;
const PROCESSORS = { type: 'number', format: 'double', minimum: 0.1, maximum: 64 } as const;
const PROCESSES = { type: 'integer', minimum: 16, maximum: 1024 } as const;
const MiB_OF_TMP = { type: 'integer', minimum: 1, maximum: 1_048_576 } as const;
const KNOWN = ['memory', 'cpus', 'processes', 'tmp'];

/** What a run of a version that says nothing may use. */
export const USUAL_RESOURCES: Readonly<ResourcesDto> = { memory: 512, cpus: null, processes: 128, tmp: 256 };

/** What the box of a run may use. */
export class ResourcesDto {
  /** In MiB, of all processes together and with what they keep in `/tmp` and `/outputs`. */
  @ApiProperty(MiB_OF_MEMORY)
  memory: number;

  /** How many processors' worth of time it gets at most; null: as many as there are. */
  @ApiProperty({ ...PROCESSORS, nullable: true })
  cpus: number | null;

  /** Processes and threads together. */
  @ApiProperty(PROCESSES)
  processes: number;

  /** How much `/tmp` holds, in MiB. */
  @ApiProperty(MiB_OF_TMP)
  tmp: number;
}

/** What the box of a run may use. What is left out is as usual. */
export class ResourcesInput {
  /** In MiB, of all processes together and with what they keep in `/tmp` and `/outputs`. The operator says how much a version may ask for: 2048, where nothing else is set. */
  @ApiPropertyOptional({ ...MiB_OF_MEMORY, default: 512 })
  memory?: number;

  /** How many processors' worth of time it gets at most; left out or null: as many as there are. */
  @ApiPropertyOptional({ ...PROCESSORS, nullable: true })
  cpus?: number | null;

  /** Processes and threads together. */
  @ApiPropertyOptional({ ...PROCESSES, default: 128 })
  processes?: number;

  /** How much `/tmp` holds, in MiB; no more than `memory`. Left out: 256, or as much as `memory` where that is less. */
  @ApiPropertyOptional(MiB_OF_TMP)
  tmp?: number;
}

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

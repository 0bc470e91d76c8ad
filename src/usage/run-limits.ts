import type { LimitsOfRun, RunLimit } from '../core/config/index.js';
import type { ErrorDetail } from '../core/errors/index.js';

/** What a version asks for, and a trial. */
export interface AskedOfRun {
  timeoutSeconds: number;
  /** null: the usual, which each plan allows. */
  resources: { memory: number; cpus: number | null; processes: number } | null;
}

interface Excess {
  path: string;
  asked: number;
  most: number;
  unit: string;
}

const FIELDS: Record<RunLimit, Pick<Excess, 'path' | 'unit'>> = {
  maxMemory: { path: 'resources.memory', unit: 'MiB of memory' },
  maxCpus: { path: 'resources.cpus', unit: 'processors' },
  maxProcesses: { path: 'resources.processes', unit: 'processes' },
  maxTimeout: { path: 'timeout', unit: 'seconds' },
};

/** Each field by which a version asks for more than its plan lets a run have, and what to do. */
export function fieldsBeyond(asked: AskedOfRun, limits: LimitsOfRun): ErrorDetail[] {
  return excesses(asked, limits).map(({ path, most, unit }) => ({
    path,
    message: `must not be greater than ${most}: the plan of the workspace allows a run no more ${unit}; ask for less, or the operator for another plan`,
  }));
}

/** The same in a sentence, for whoever starts the run. null: the plan allows it. */
export function excessOf(asked: AskedOfRun, limits: LimitsOfRun): string | null {
  const [first] = excesses(asked, limits);
  if (!first) return null;
  const { path, asked: wanted, most, unit } = first;
  return `The plan allows a run ${most} ${unit}, and the version asks for ${wanted} (${path}). Publish one that asks for less, or ask the operator for another plan.`;
}

/** Processors that a version does not name are no wish: a run gets as many as its plan allows. */
function excesses({ timeoutSeconds, resources }: AskedOfRun, limits: LimitsOfRun): Excess[] {
  const wanted: Partial<Record<RunLimit, number | null>> = {
    maxMemory: resources?.memory ?? null,
    maxCpus: resources?.cpus ?? null,
    maxProcesses: resources?.processes ?? null,
    maxTimeout: timeoutSeconds,
  };
  return (Object.keys(FIELDS) as RunLimit[]).flatMap((limit) => {
    const [asked, most] = [wanted[limit] ?? null, limits[limit]];
    return asked === null || most === undefined || asked <= most ? [] : [{ ...FIELDS[limit], asked, most }];
  });
}

import { type GivenRetention, type PlanRetention, readRetention, retentionOf } from './retention.js';

/** What is measured for each workspace. */
export const METERS = [
  'runs',
  'run_seconds',
  'webhook_deliveries',
  'agent_messages',
  'storage_bytes',
  'members',
] as const;

export type Meter = (typeof METERS)[number];

/**
 * The most that a single run may use, in the units of a version's `resources` and `timeout`. None is below what a run has
 * whose version asks for nothing.
 */
const RUN_LIMITS = {
  maxMemory: { least: 512, whole: true },
  maxCpus: { least: 0.1, whole: false },
  maxProcesses: { least: 128, whole: true },
  maxTimeout: { least: 30, whole: true },
} as const;

export type RunLimit = keyof typeof RUN_LIMITS;
export type LimitsOfRun = Partial<Record<RunLimit, number>>;

export interface Plan {
  /** The most of a meter; one that is not named has no limit. */
  limits: Partial<Record<Meter, number>>;
  ofRun: LimitsOfRun;
  /** In days. */
  retention: PlanRetention;
}

/** By name. There is always one of the name `default`. */
export type PlanTable = ReadonlyMap<string, Plan>;

export const DEFAULT_PLAN = 'default';
const NAME = /^[a-z0-9][a-z0-9_-]{0,39}$/;

/**
 * Reads plans as the operator writes them:
 * `{"pro": {"limits": {"runs": 1000, "maxMemory": 1024}, "retention": {"runs": 90, "logs": 14}}}`.
 *
 * @param usual what is kept for how long where a plan does not say
 * @throws Error that says what is wrong, and where
 */
export function parsePlans(text: string, usual: GivenRetention = {}): PlanTable {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    throw new Error(`it is no JSON${placeIn((error as Error).message)}`);
  }
  const plans = Object.entries(objectAt('plans', json)).map(([name, plan]) => {
    if (!NAME.test(name)) {
      throw new Error(
        `"${name}" is no name for a plan: it takes lowercase letters, digits, dashes and underscores`,
      );
    }
    return [name, planAt(name, plan, usual)] as const;
  });
  return new Map([[DEFAULT_PLAN, planAt(DEFAULT_PLAN, {}, usual)], ...plans]);
}

/** Only where it is wrong: the rest of the parser's words is text of the file, which may be another than was meant. */
function placeIn(message: string): string {
  return / at position \d+/.exec(message)?.[0] ?? '';
}

function planAt(path: string, json: unknown, usual: GivenRetention): Plan {
  const { limits = {}, retention = {}, retentionDays, ...unknown } = objectAt(path, json);
  refuseUnknown(path, unknown, ['limits', 'retention', 'retentionDays']);
  const given = objectAt(`${path}.retention`, retention);
  // The same as of runs alone, from before there were kinds.
  const runs = retentionDays === undefined ? {} : { runs: retentionDays };
  const kept = readRetention({ ...runs, ...given }, `${path}.retention.`, { byPlan: true });
  const { runs: runDays, logs, files } = retentionOf({ ...usual, ...kept });
  return { ...limitsAt(`${path}.limits`, limits), retention: { runs: runDays, logs, files } };
}

function limitsAt(path: string, json: unknown): Pick<Plan, 'limits' | 'ofRun'> {
  const limits: Plan['limits'] = {};
  const ofRun: LimitsOfRun = {};
  for (const [name, limit] of Object.entries(objectAt(path, json))) {
    if (!isMeter(name) && !isRunLimit(name)) {
      refuseUnknown(path, { [name]: limit }, [...METERS, ...Object.keys(RUN_LIMITS)]);
    } else if (limit === null) {
      continue;
    } else if (isMeter(name)) {
      if (!isWhole(limit)) throw new Error(`${path}.${name} must be a whole number, or null for no limit`);
      limits[name] = limit;
    } else {
      ofRun[name] = runLimitAt(`${path}.${name}`, name, limit);
    }
  }
  return { limits, ofRun };
}

function runLimitAt(path: string, name: RunLimit, limit: unknown): number {
  const { least, whole } = RUN_LIMITS[name];
  if (typeof limit === 'number' && Number.isFinite(limit) && limit >= least && (!whole || isWhole(limit)))
    return limit;
  const kind = whole ? 'a whole number' : 'a number';
  throw new Error(`${path} must be ${kind} from ${least} on, or null for no limit`);
}

const isMeter = (text: string): text is Meter => METERS.some((meter) => meter === text);
const isRunLimit = (text: string): text is RunLimit => Object.hasOwn(RUN_LIMITS, text);
const isWhole = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;

function objectAt(path: string, json: unknown): Record<string, unknown> {
  if (typeof json === 'object' && json !== null && !Array.isArray(json))
    return json as Record<string, unknown>;
  throw new Error(`${path} must be an object`);
}

function refuseUnknown(path: string, unknown: object, known: readonly string[]): void {
  const [name] = Object.keys(unknown);
  if (name !== undefined) throw new Error(`${path}.${name} is not known; there are ${known.join(', ')}`);
}

import { createHash } from 'node:crypto';

import { type BoxLimits, type BoxSpec, callOf } from '../../../libs/sandbox/index.js';
import type { LimitsOfRun } from '../../core/config/index.js';
import { type Keep, USUAL_RESOURCES } from '../../scripts/index.js';
import type { SecretPlan } from '../../secrets/index.js';
import type { ClaimedRun } from './claimed-run.js';
import type { PreparedFolders } from './run-folder-builder.js';
import type { PreparedInputs } from './run-inputs-writer.js';
import { servicesOf, variablesOf } from './run-services.js';

const MiB = 1024 * 1024;
/** Where the box finds installed dependencies. */
const DEPENDENCY_PATHS = {
  PATH: '/runtime/bin:/app/.deps/bin:/app/node_modules/.bin:/usr/local/bin:/usr/bin:/bin',
  PYTHONPATH: '/app/.deps',
};
/** What a function that is called is told of them. */
const FOLDERS = { files: '/inputs', outputs: '/outputs' };
/** Set by the box itself. A secret may have such a name, and its placeholder must not replace the box's value. */
const BOX_VARIABLES = ['HOME', 'TMPDIR', 'LANG'];

/** The box of a run, but for its network. */
export function boxOf(
  run: ClaimedRun,
  { maxCpus }: LimitsOfRun,
  { app, inputs }: Pick<PreparedFolders, 'app' | 'inputs'>,
  plan: SecretPlan,
): BoxSpec {
  return {
    argv: commandOf(run, inputs),
    env: {
      ...withoutOwn({ ...variablesOf(servicesOf(run.hostRules, plan.signIns)), ...plan.placeholders }),
      ...plan.env,
      ...environmentOf(run, inputs.jsonPath),
    },
    app,
    inputs: inputs.directory,
    timeoutMs: run.timeoutSeconds * 1000,
    limits: limitsOf(run, maxCpus ?? 0),
    ...startOf(run, plan),
  };
}

/** In bytes. */
export function memoryOf({ resources }: Pick<ClaimedRun, 'resources'>): number {
  return (resources ?? USUAL_RESOURCES).memory * MiB;
}

/** @param usualCpus where the version names none; 0: as many as there are */
function limitsOf(run: Pick<ClaimedRun, 'resources'>, usualCpus: number) {
  const { cpus, processes, tmp } = run.resources ?? USUAL_RESOURCES;
  return {
    memoryBytes: memoryOf(run),
    cpus: cpus ?? usualCpus,
    processes,
    tmpBytes: tmp * MiB,
  } satisfies Partial<BoxLimits>;
}

/** What may be there before the run. A function's file is imported by what calls it, so a template would have nothing of it. */
function startOf(
  run: ClaimedRun,
  plan: SecretPlan,
): Pick<BoxSpec, 'template' | 'templateOwner' | 'warm' | 'keep'> {
  if (!run.warm) return { warm: false };
  if (!run.handler) return { template: templateOf(run), templateOwner: run.workspaceId };
  return run.keep === null ? {} : { keep: keepOf(run, run.keep, plan) };
}

/** Variables of one run alone. */
const OF_THE_RUN = ['GATEHOUSE_INPUTS', 'GATEHOUSE_RUN_ID', 'GATEHOUSE_ATTEMPT'];

/** The values of variables are compared as such. Those that the gate attaches, and where to, are in the name. */
function keepOf(
  run: ClaimedRun,
  { idleSeconds, runs }: Keep,
  { attached, signIns }: SecretPlan,
): BoxSpec['keep'] {
  const secrets = [...attached, ...signIns].map(({ hosts, ...secret }) => [secret, hosts.patterns]);
  const reached = createHash('sha256')
    .update(JSON.stringify([run.hosts, run.hostRules, secrets]))
    .digest('hex');
  return {
    name: `${templateOf(run)} ${run.environmentName} ${reached}`,
    owner: run.workspaceId,
    idleMs: idleSeconds * 1000,
    runs,
    own: OF_THE_RUN,
  };
}

/** Where the run's command names a file that exports a function: what calls it. */
function commandOf(run: ClaimedRun, { argv, jsonPath }: PreparedInputs): string[] {
  if (!run.handler) return argv;
  const { id, attempt, scriptSlug: script, environmentName: environment } = run;
  return callOf(argv, { inputs: jsonPath, id, attempt, script, environment, ...FOLDERS });
}

/** Runs of one version in one environment, and so with the same secrets, may be forked from the same interpreter. */
function templateOf(run: ClaimedRun): string {
  const { workspaceId, environmentId, scriptId, versionId, archiveSha256, depsKey } = run;
  return [workspaceId, environmentId, scriptId, versionId, archiveSha256, depsKey].join(' ');
}

function withoutOwn(placeholders: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(placeholders).filter(([name]) => !BOX_VARIABLES.includes(name)));
}

/** Python's output is unbuffered so that it is seen when it is printed, and compiles no files since /app is read-only. */
function environmentOf(run: ClaimedRun, inputsPath: string): Record<string, string> {
  return {
    GATEHOUSE_INPUTS: inputsPath,
    GATEHOUSE_RUN_ID: run.id,
    GATEHOUSE_ATTEMPT: String(run.attempt),
    GATEHOUSE_SCRIPT: run.scriptSlug,
    GATEHOUSE_ENVIRONMENT: run.environmentName,
    ...(run.plan && { GATEHOUSE_PLAN: '1' }),
    PYTHONUNBUFFERED: '1',
    PYTHONDONTWRITEBYTECODE: '1',
    ...(run.depsKey !== null && DEPENDENCY_PATHS),
  };
}

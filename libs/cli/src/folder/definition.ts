import { realpath } from 'node:fs/promises';
import { basename, join, relative, resolve } from 'node:path';

import type { HookInput, ScheduleInput, TriggerInput, VersionInput } from '@gatehouse/client';
import { parse } from 'yaml';

import { WrongUse } from '../failure/command-failure.js';
import type { WantedSettings } from '../scripts/script-settings.js';
import { isSent } from './folder-files.js';
import { readInside } from './read-inside.js';

export const DEFINITION_FILE = 'gatehouse.yaml';

export type WantedSchedule = ScheduleInput & { enabled?: boolean };
export type WantedTrigger = TriggerInput & { enabled?: boolean };
export type WantedHook = HookInput & { enabled?: boolean };

/** What a folder's `gatehouse.yaml` says. What is a version's has the names of the interface. */
export interface Definition {
  slug: string;
  /** What is the script's, whichever version runs. */
  settings: WantedSettings & { name: string };
  version: Omit<VersionInput, 'archive' | 'via'>;
  /** Names and paths that are not sent. */
  ignore: string[];
  /** undefined: the file does not say, so those that there are stay. */
  schedules: WantedSchedule[] | undefined;
  triggers: WantedTrigger[] | undefined;
  hooks: WantedHook[] | undefined;
}

const OF_VERSION = [
  'command',
  'build',
  'inputSchema',
  'outputSchema',
  'hosts',
  'secrets',
  'env',
  'timeout',
  'resources',
  'runsOn',
  'retry',
  'idempotent',
  'concurrency',
  'debounce',
  'labels',
  'warm',
  'handler',
  'keep',
] as const;
const OF_SCRIPT = [
  'name',
  'description',
  'access',
  'teams',
  'approvalPolicy',
  'ask',
  'queue',
  'retention',
  'tags',
] as const;
const KNOWN = [
  ...['slug', ...OF_SCRIPT, 'readme', 'ignore', 'schedules', 'triggers', 'hooks', 'hostRules'],
  ...OF_VERSION,
];

/** @throws WrongUse where there is none, or it is not as it should be */
export async function readDefinition(folder: string): Promise<Definition> {
  const path = join(folder, DEFINITION_FILE);
  const text = await readInside(folder, DEFINITION_FILE).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw new WrongUse(error.message);
    throw new WrongUse(`There is no ${path}.`, 'Make one: gatehouse init');
  });
  const fields = fieldsOf(path, text.toString('utf8'));
  const unknown = Object.keys(fields).filter((name) => !KNOWN.includes(name));
  if (unknown.length > 0)
    throw new WrongUse(`${path}: ${unknown.join(', ')} is not known.`, `There are: ${KNOWN.join(', ')}`);
  const slug = textOf(path, 'slug', fields['slug']) ?? basename(resolve(folder));
  const version = Object.fromEntries(
    OF_VERSION.filter((name) => fields[name] !== undefined).map((name) => [name, fields[name]]),
  );
  const readme = await readmeOf(folder, path, fields['readme']);
  return {
    slug,
    settings: settingsOf(path, slug, fields),
    version: { ...version, ...hostsOf(path, fields), ...(readme !== undefined && { readme }) },
    ignore: textsOf(path, 'ignore', fields['ignore']),
    schedules: automationsOf(path, 'schedules', fields['schedules']),
    triggers: automationsOf(path, 'triggers', fields['triggers']),
    hooks: automationsOf(path, 'hooks', fields['hooks']),
  };
}

function settingsOf(path: string, slug: string, fields: Record<string, unknown>): Definition['settings'] {
  const texts = (['name', 'description', 'access', 'approvalPolicy'] as const).map(
    (name) => [name, textOf(path, name, fields[name])] as const,
  );
  const lists = (['teams', 'tags'] as const).map(
    (name) => [name, fields[name] === undefined ? undefined : textsOf(path, name, fields[name])] as const,
  );
  const ask = ruleOf(path, 'ask', fields['ask']);
  const queue = fields['queue'] === null ? null : textOf(path, 'queue', fields['queue']);
  const retention = retentionOf(path, fields['retention']);
  return {
    name: slug,
    ...(ask !== undefined && { ask }),
    ...(queue !== undefined && { queue }),
    ...(retention !== undefined && { retention }),
    ...Object.fromEntries([...texts, ...lists].filter(([, value]) => value !== undefined)),
  };
}

/** Days by kind; the service says what is wrong with them. */
function retentionOf(path: string, value: unknown): Definition['settings']['retention'] {
  if (value === undefined || value === null) return value;
  if (typeof value === 'object' && !Array.isArray(value)) return value as { runs: number };
  throw new WrongUse(`${path}: retention has to be days by kind, such as {runs: 7}.`);
}

/** The hosts with their rules, which may stand among them or by themselves. */
function hostsOf(path: string, fields: Record<string, unknown>): Pick<Definition['version'], 'hosts'> {
  const rules = listOf(path, 'hostRules', fields['hostRules']);
  if (rules === undefined) return {};
  const ruled = new Set(rules.map((rule) => (rule as { host?: unknown } | null)?.host));
  const others = (listOf(path, 'hosts', fields['hosts']) ?? []).filter((host) => !ruled.has(host));
  return { hosts: [...others, ...rules] as NonNullable<Definition['version']['hosts']> };
}

function fieldsOf(path: string, text: string): Record<string, unknown> {
  let fields: unknown;
  try {
    fields = parse(text, { maxAliasCount: 100 });
  } catch (error) {
    throw new WrongUse(`${path}: ${(error as Error).message}`);
  }
  if (fields === null) return {};
  if (typeof fields === 'object' && !Array.isArray(fields)) return fields as Record<string, unknown>;
  throw new WrongUse(`${path} has to be names and values.`);
}

/** The file that is named, or else `README.md` where there is one. What is never sent is no readme either. */
async function readmeOf(folder: string, path: string, named: unknown): Promise<string | undefined> {
  const name = textOf(path, 'readme', named) ?? 'README.md';
  try {
    const readme = await readInside(folder, name);
    const [root, file] = await Promise.all([realpath(folder), realpath(join(folder, name))]);
    if (await isSent(root, relative(root, file))) return readme.toString('utf8');
    if (named === undefined) return undefined;
    throw new Error(`${name}: it is not sent`);
  } catch (error) {
    if (named === undefined && (error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new WrongUse(`${path}: readme: ${(error as Error).message}`);
  }
}

function textOf(path: string, name: string, value: unknown): string | undefined {
  if (value === undefined || typeof value === 'string') return value;
  throw new WrongUse(`${path}: ${name} has to be text.`);
}

/** The service says what is wrong in it. */
function ruleOf(path: string, name: string, value: unknown): WantedSettings['ask'] {
  const isRule = typeof value === 'object' && !Array.isArray(value);
  if (value === undefined || isRule) return value as WantedSettings['ask'];
  throw new WrongUse(`${path}: ${name} has to be who and when, or null.`);
}

function listOf(path: string, name: string, value: unknown): unknown[] | undefined {
  if (value === undefined || Array.isArray(value)) return value;
  throw new WrongUse(`${path}: ${name} has to be a list.`);
}

function textsOf(path: string, name: string, value: unknown): string[] {
  const list = listOf(path, name, value) ?? [];
  if (list.every((item) => typeof item === 'string')) return list;
  throw new WrongUse(`${path}: ${name} has to be a list of texts.`);
}

/** They are told apart by their names: before anything is changed, each has to have one. */
function automationsOf<Wanted extends { name: string }>(
  path: string,
  name: string,
  value: unknown,
): Wanted[] | undefined {
  const list = listOf(path, name, value) as Partial<Wanted>[] | undefined;
  const names = list?.map((item) => (typeof item?.name === 'string' ? item.name : null)) ?? [];
  if (names.includes(null)) throw new WrongUse(`${path}: each of ${name} needs a name.`);
  const twice = names.find((one, place) => names.indexOf(one) < place);
  if (twice !== undefined) throw new WrongUse(`${path}: two of ${name} are called "${twice}".`);
  return list as Wanted[] | undefined;
}

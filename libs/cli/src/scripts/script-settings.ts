import { isDeepStrictEqual } from 'node:util';

import type { AskRule, Gatehouse, ScriptDetail, ScriptPatch } from '@gatehouse/client';

import { WrongUse } from '../failure/command-failure.js';

/** What a script is to be like; what is undefined stays as it is. */
export interface WantedSettings {
  name?: string;
  description?: string;
  access?: string;
  /** By their names, or ids. */
  teams?: readonly string[];
  approvalPolicy?: string;
  /** null: none. */
  ask?: AskRule | null;
  /** null: none. */
  queue?: string | null;
  /** null: as the operator says. */
  retention?: ScriptDetail['retention'];
  tags?: readonly string[];
}

export interface SettingsChange {
  /** What differs; empty where nothing does. */
  patch: Omit<ScriptPatch, 'expectedVersion'>;
  /** The same for a person: `approvalPolicy: none → always`. */
  words: string[];
}

const ACCESS = ['workspace', 'teams'] as const;
const POLICIES = ['none', 'agents', 'always'] as const;

/** @throws WrongUse where a team or value is not known */
export async function settingsChange(
  gatehouse: Gatehouse,
  script: Pick<
    ScriptDetail,
    'name' | 'description' | 'access' | 'teamIds' | 'approvalPolicy' | 'ask' | 'queue' | 'retention' | 'tags'
  >,
  wanted: WantedSettings,
): Promise<SettingsChange> {
  const { name, description, teams, ask, queue, retention, tags } = wanted;
  const access = oneOf('access', ACCESS, wanted.access) ?? (teams && 'teams');
  const approvalPolicy = oneOf('approvalPolicy', POLICIES, wanted.approvalPolicy);
  if (teams && access === 'workspace') throw new WrongUse('teams go with `access: teams` only.');
  const known = teams || script.teamIds.length > 0 ? await gatehouse.teams.list().all() : [];
  const nameOf = (id: string): string => known.find((team) => team.id === id)?.name ?? id;
  const idOf = (text: string): string => {
    const found = known.filter((team) => team.id === text || team.name === text);
    if (found.length === 1) return found[0]!.id;
    throw new WrongUse(
      found.length === 0 ? `There is no team "${text}".` : `There are several teams "${text}": give an id.`,
      `There are: ${known.map((team) => team.name).join(', ')}`,
    );
  };
  const changes: [
    field: keyof ScriptPatch,
    before: unknown,
    after: unknown,
    words: (value: never) => string,
  ][] = [
    ['name', script.name, name, String],
    ['description', script.description, description, String],
    ['access', script.access, access, String],
    ['teamIds', script.teamIds, teams?.map(idOf), (ids: string[]) => ids.map(nameOf).join(', ')],
    ['approvalPolicy', script.approvalPolicy, approvalPolicy, String],
    ['ask', script.ask, ask, askWords],
    ['queue', script.queue, queue, (text: string | null) => text ?? ''],
    ['retention', script.retention, retention, retentionWords],
    ['tags', script.tags, tags, (all: string[]) => all.join(', ')],
  ];
  const differing = changes.filter(([, before, after]) => after !== undefined && !isSame(before, after));
  return {
    patch: Object.fromEntries(differing.map(([field, , after]) => [field, after])),
    words: differing.map(
      ([field, before, after, words]) =>
        `${field === 'teamIds' ? 'teams' : field}: ${words(before as never) || 'none'} → ${words(after as never) || 'none'}`,
    ),
  };
}

function oneOf<Value extends string>(
  field: string,
  values: readonly Value[],
  text: string | undefined,
): Value | undefined {
  const value = values.find((known) => known === text);
  if (text === undefined || value !== undefined) return value;
  throw new WrongUse(`${field}: "${text}" is not known.`, `There are: ${values.join(', ')}`);
}

/** Of all its schema a person is told the title. */
function askWords(rule: AskRule | null): string {
  if (rule === null) return '';
  const title = rule.when['title'];
  return typeof title === 'string' ? `${rule.who}, ${title}` : rule.who;
}

function retentionWords(retention: ScriptDetail['retention']): string {
  return retention === null ? '' : `runs ${retention.runs} days`;
}

/** Lists are sets here. */
function isSame(one: unknown, other: unknown): boolean {
  if (!Array.isArray(one) || !Array.isArray(other)) return isDeepStrictEqual(one, other);
  return JSON.stringify([...one].sort()) === JSON.stringify([...other].sort());
}

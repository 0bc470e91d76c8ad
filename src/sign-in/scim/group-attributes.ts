import { ProblemError } from '../../core/errors/index.js';
import { isObject } from '../../core/json/index.js';
import { fieldOf, type PatchStep, type ScimObject, textIn } from './scim-body.js';
import { ScimProblem } from './scim-problem.js';

export interface GroupNames {
  displayName: string;
  externalId: string | null;
}

/** Who joins a group and who leaves it, by ids. */
export interface MemberChange {
  /** Whether everybody leaves who does not join. */
  replaces: boolean;
  joins: Set<string>;
  leaves: Set<string>;
}

export interface GroupChange {
  names: GroupNames;
  members: MemberChange;
}

/** So many people may be named in one request. */
export const MOST_NAMED = 10_000;

/** @throws ScimProblem; ProblemError (payload_too_large) where it names too many people */
export function readGroup(body: ScimObject): GroupChange {
  const displayName = textIn(fieldOf(body, 'displayName'), 'displayName');
  if (displayName === null) throw ScimProblem.at('displayName', 'is missing');
  const joins = new Set(bounded(idsIn(fieldOf(body, 'members'))));
  return {
    names: { displayName, externalId: textIn(fieldOf(body, 'externalId'), 'externalId') },
    members: { replaces: true, joins, leaves: new Set() },
  };
}

/** @throws ScimProblem; ProblemError (payload_too_large) where it names too many people */
export function patchGroup(before: GroupNames, steps: readonly PatchStep[]): GroupChange {
  const names = { ...before };
  const members: MemberChange = { replaces: false, joins: new Set(), leaves: new Set() };
  let named = 0;
  for (const step of steps) {
    const { op, attribute, value } = step;
    if (attribute === 'displayname' && op !== 'remove') {
      names.displayName = textIn(value, 'displayName') ?? names.displayName;
    } else if (attribute === 'externalid') {
      names.externalId = op === 'remove' ? null : textIn(value, 'externalId');
    } else if (attribute === 'members') {
      const ids = namedBy(step);
      named += ids?.length ?? 0;
      if (named > MOST_NAMED) throw tooMany();
      changeMembers(members, op, ids);
    }
  }
  return { names, members };
}

/** null: everybody. */
function namedBy({ op, where, value }: PatchStep): string[] | null {
  const chosen = where.flatMap(({ attribute, value: id }) => {
    if (attribute === 'value' && typeof id === 'string') return id;
    throw new ScimProblem('invalidPath', 'members: are chosen by `value`, such as members[value eq "…"]');
  });
  if (chosen.length > 0) return chosen;
  if (op === 'remove' && (value === undefined || value === null)) return null;
  return idsIn(value);
}

function changeMembers(members: MemberChange, op: PatchStep['op'], ids: string[] | null): void {
  if (ids === null || op === 'replace') {
    members.replaces = true;
    members.joins = new Set(ids);
    members.leaves.clear();
    return;
  }
  const [into, outOf] = op === 'add' ? [members.joins, members.leaves] : [members.leaves, members.joins];
  for (const id of ids) {
    into.add(id);
    outOf.delete(id);
  }
}

function idsIn(value: unknown): string[] {
  if (value === undefined || value === null) return [];
  const list: unknown[] = Array.isArray(value) ? value : [value];
  return list.map((member) => {
    const id = isObject(member) ? fieldOf(member, 'value') : member;
    if (typeof id !== 'string' || id === '')
      throw ScimProblem.at('members', 'each has the id of a person as `value`');
    return id;
  });
}

function bounded(ids: string[]): string[] {
  if (ids.length > MOST_NAMED) throw tooMany();
  return ids;
}

function tooMany(): ProblemError {
  return new ProblemError(
    'payload_too_large',
    `members: a request names ${MOST_NAMED} people at most; send several.`,
  );
}

import { isObject } from '../../core/json/index.js';
import { fieldOf, type PatchStep, type ScimObject, textIn, truthIn } from './scim-body.js';
import type { Comparison } from './scim-filter.js';
import { ScimProblem } from './scim-problem.js';

/** An address of a person. */
interface ScimEmail {
  value: string;
  type?: string;
  primary?: boolean;
}

interface ScimName {
  formatted?: string;
  givenName?: string;
  familyName?: string;
}

/** What is kept of a person besides who it is: their name and addresses. */
export interface ScimProfile {
  displayName?: string;
  name?: ScimName;
  emails?: ScimEmail[];
}

/** What a directory says of a person. Whatever else it says is not kept. */
export interface UserAttributes {
  userName: string;
  externalId: string | null;
  active: boolean;
  profile: ScimProfile;
}

/** The same in a request, which may leave out whether they are active. */
type SaidUser = Omit<UserAttributes, 'active'> & Partial<Pick<UserAttributes, 'active'>>;

const MOST_EMAILS = 20;
/** Of the JSON of a profile. The table takes 20,000, with blanks between its parts. */
const MOST_BYTES = 19_000;
const PARTS_OF_NAME = ['formatted', 'givenName', 'familyName'] as const;

/** @throws ScimProblem */
export function readUser(body: ScimObject): SaidUser {
  const userName = textIn(fieldOf(body, 'userName'), 'userName');
  if (userName === null) throw ScimProblem.at('userName', 'is missing');
  const active = fieldOf(body, 'active');
  const name = fieldOf(body, 'name');
  const displayName = textIn(fieldOf(body, 'displayName'), 'displayName');
  const emails = emailsIn(fieldOf(body, 'emails'));
  return kept({
    userName,
    externalId: textIn(fieldOf(body, 'externalId'), 'externalId'),
    ...(active !== undefined && active !== null && { active: truthIn(active, 'active') }),
    profile: {
      ...(displayName !== null && { displayName }),
      ...(isObject(name) && { name: nameIn(name) }),
      ...(emails.length > 0 && { emails }),
    },
  });
}

/** @throws ScimProblem */
export function patchUser(before: UserAttributes, steps: readonly PatchStep[]): UserAttributes {
  const { profile, ...rest } = before;
  const user: UserAttributes = { ...rest, profile: structuredClone(profile) };
  for (const step of steps) carryOut(user, step);
  return kept(user);
}

/** The person's name as a line; null: nothing is said of it. */
export function nameOf({ displayName, name = {} }: ScimProfile): string | null {
  const joined = [name.givenName, name.familyName].filter((part) => part !== undefined).join(' ');
  return displayName ?? name.formatted ?? (joined === '' ? null : joined);
}

/** Their address at work, or the first one; null: nothing is said of it. */
export function emailOf({ emails = [] }: ScimProfile): string | null {
  const chosen = emails.find(({ primary }) => primary) ?? emails.find(isAtWork) ?? emails[0];
  return chosen?.value ?? null;
}

function carryOut(user: UserAttributes, { op, attribute, where, sub, value }: PatchStep): void {
  const gone = op === 'remove';
  switch (attribute) {
    case 'username':
    case 'active':
      if (gone) throw new ScimProblem('mutability', `${attribute}: cannot be removed`);
      if (attribute === 'active') user.active = truthIn(value, 'active');
      else user.userName = textIn(value, 'userName') ?? user.userName;
      return;
    case 'externalid':
      user.externalId = gone ? null : textIn(value, 'externalId');
      return;
    case 'displayname':
      setText(user.profile, 'displayName', gone ? null : value);
      return;
    case 'name':
      changeName(user.profile, sub, gone ? null : value);
      return;
    case 'emails':
      changeEmails(user.profile, { op, where, sub, value });
  }
  // Whatever else directories know of people is nothing to us.
}

function changeName(profile: ScimProfile, sub: string | null, value: unknown): void {
  if (sub === null) {
    if (value === null) delete profile.name;
    else if (isObject(value)) profile.name = { ...profile.name, ...nameIn(value) };
    else throw ScimProblem.at('name', 'must be an object');
    return;
  }
  const part = PARTS_OF_NAME.find((each) => each.toLowerCase() === sub);
  if (part) setText((profile.name ??= {}), part, value);
}

function setText<T extends object>(target: T, name: keyof T & string, value: unknown): void {
  const text = textIn(value, name);
  if (text === null) delete target[name];
  else Object.assign(target, { [name]: text });
}

function changeEmails(
  profile: ScimProfile,
  { op, where, sub, value }: Pick<PatchStep, 'op' | 'where' | 'sub' | 'value'>,
): void {
  const emails = profile.emails ?? [];
  const chosen = emails.filter((email) => where.every((wanted) => fits(email, wanted)));
  if (op === 'remove') {
    profile.emails = emails.filter((email) => !chosen.includes(email));
    return;
  }
  if (where.length === 0 && sub === null) {
    const given = emailsIn(value);
    const kept = op === 'add' ? emails.filter((email) => !given.some((each) => isSame(each, email))) : [];
    profile.emails = few([...kept, ...given]);
    return;
  }
  const made: ScimEmail = { value: '', ...typeIn(where) };
  const changed = chosen.length > 0 ? chosen : [made];
  for (const email of changed) Object.assign(email, changesOf(sub, value));
  profile.emails = few(chosen.length > 0 ? emails : [...emails, made]).filter((email) => email.value !== '');
}

function changesOf(sub: string | null, value: unknown): Partial<ScimEmail> {
  if (sub === null) return emailsIn(isObject(value) ? [value] : value)[0] ?? {};
  if (sub === 'value') return { value: textIn(value, 'emails.value') ?? '' };
  if (sub === 'primary') return { primary: truthIn(value, 'emails.primary') };
  return sub === 'type' ? { type: textIn(value, 'emails.type') ?? 'other' } : {};
}

function fits(email: ScimEmail, { attribute, value }: Comparison): boolean {
  if (attribute === 'primary') return (email.primary ?? false) === value;
  const own = attribute === 'type' ? email.type : attribute === 'value' ? email.value : undefined;
  return typeof value === 'string' && own?.toLowerCase() === value.toLowerCase();
}

function typeIn(where: readonly Comparison[]): Partial<ScimEmail> {
  const type = where.find(({ attribute }) => attribute === 'type')?.value;
  const text = typeof type === 'string' ? textIn(type, 'emails.type') : null;
  return text === null ? {} : { type: text };
}

function isSame(one: ScimEmail, other: ScimEmail): boolean {
  return (
    one.value.toLowerCase() === other.value.toLowerCase() ||
    (one.type !== undefined && one.type === other.type)
  );
}

function isAtWork({ type }: ScimEmail): boolean {
  return type?.toLowerCase() === 'work';
}

function nameIn(name: ScimObject): ScimName {
  const parts = PARTS_OF_NAME.map((part) => [part, textIn(fieldOf(name, part), `name.${part}`)] as const);
  return Object.fromEntries(parts.filter(([, text]) => text !== null));
}

function emailsIn(value: unknown): ScimEmail[] {
  if (value === undefined || value === null) return [];
  const list: unknown[] = Array.isArray(value) ? value : [value];
  return few(list).flatMap((each) => {
    const email = isObject(each) ? each : { value: each };
    const address = textIn(fieldOf(email, 'value'), 'emails.value');
    const type = textIn(fieldOf(email, 'type'), 'emails.type');
    const primary = fieldOf(email, 'primary');
    if (address === null) return [];
    return {
      value: address,
      ...(type !== null && { type }),
      ...(primary !== undefined && primary !== null && { primary: truthIn(primary, 'emails.primary') }),
    };
  });
}

function few<T>(list: T[]): T[] {
  if (list.length > MOST_EMAILS) throw ScimProblem.at('emails', `there may be ${MOST_EMAILS} of them`);
  return list;
}

function kept<T extends SaidUser>(user: T): T {
  if (Buffer.byteLength(JSON.stringify(user.profile)) <= MOST_BYTES) return user;
  throw new ScimProblem('invalidValue', `The name and the addresses have more than ${MOST_BYTES} bytes.`);
}

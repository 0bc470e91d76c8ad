import { ROLES } from '../core/access/index.js';
import type { ProvenPerson } from './sign-in-way.js';

const LONGEST_KEY = 500;

/** What is wrong with what a way has returned, or null. */
export function provenProblem(person: Partial<ProvenPerson> | null | undefined): string | null {
  if (typeof person !== 'object' || person === null) return 'it returned nobody';
  const { issuer, subject, email, emailVerified, name, authenticatedAt, memberships } = person;
  if (!isKey(issuer) || !isKey(subject))
    return `its issuer or subject is no text of up to ${LONGEST_KEY} characters`;
  if (typeof email !== 'string' || typeof name !== 'string') return 'its email or name is no text';
  if (typeof emailVerified !== 'boolean') return 'its emailVerified is neither true nor false';
  const isMoment = authenticatedAt instanceof Date && !Number.isNaN(authenticatedAt.getTime());
  if (authenticatedAt !== null && !isMoment) return 'its authenticatedAt is no date';
  if (!Array.isArray(memberships)) return 'its memberships are no list';
  const slugs = (memberships as ProvenPerson['memberships']).map(({ workspace }) => workspace);
  if (new Set(slugs).size < slugs.length) return 'it names a workspace twice';
  const unknown = (memberships as ProvenPerson['memberships']).find(
    ({ role }) => role !== null && !ROLES.includes(role),
  );
  return unknown ? `it names the role ${JSON.stringify(unknown.role)}, which there is not` : null;
}

function isKey(text: unknown): boolean {
  return typeof text === 'string' && text !== '' && text.length <= LONGEST_KEY && !text.includes('\0');
}

import { type Role, roleReaches } from '../../core/access/index.js';
import { Conflict, Forbidden } from '../../core/errors/index.js';

/**
 * Who may make somebody something, or nothing any more. Owners are made, demoted and removed by owners alone.
 *
 * @param role of whoever wants it
 * @param involved the roles that the other has, had or would get
 * @throws Forbidden
 */
export function assertMayChange(role: Role, involved: readonly Role[]): void {
  if (!roleReaches(role, 'admin')) {
    throw new Forbidden(`This needs the role admin in the workspace; this credential acts as ${role}.`);
  }
  if (role !== 'owner' && involved.includes('owner')) {
    throw new Forbidden('Only an owner makes, demotes or removes owners.');
  }
}

/**
 * A workspace without an owner could not be managed by anybody any more.
 *
 * @param after null: they leave
 * @throws Conflict where it would have none
 */
export function assertOwnerStays(before: Role, after: Role | null, owners: number): void {
  if (before !== 'owner' || after === 'owner' || owners > 1) return;
  throw new Conflict('This is the last owner of the workspace. Make somebody else an owner first.');
}

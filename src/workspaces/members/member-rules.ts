import { holdsEveryScope, type Role, roleReaches, type WorkspaceCaller } from '../../core/access/index.js';
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
 * Nobody gives more than they hold. A token from which a scope was held back gives no more than what a member may do: as an
 * admin, whoever it raised would have all of them.
 *
 * @param instead the request for approval that does the same
 * @throws Forbidden
 */
export function assertMayGive(
  { scopes }: Pick<WorkspaceCaller, 'scopes'>,
  role: Role,
  instead: string,
): void {
  if (scopes === null || holdsEveryScope(scopes) || !roleReaches(role, 'admin')) return;
  throw new Forbidden(
    `A token without every scope makes nobody ${role}. Do it in the app, or ask for it: POST /v1/workspace/approval-requests with the action ${instead}.`,
  );
}

/**
 * A workspace without an owner who can sign in could not be managed by anybody any more.
 *
 * @param after null: they leave
 * @param others whether somebody else owns it who can sign in
 * @throws Conflict where it would have none
 */
export function assertOwnerStays(before: Role, after: Role | null, others: boolean): void {
  if (before !== 'owner' || after === 'owner' || others) return;
  throw new Conflict('This is the last owner of the workspace. Make somebody else an owner first.');
}

import { LIVE_MEMBERSHIPS, type Role, roleReaches, ROLES, scriptIsVisible } from '../core/access/index.js';
import { Conflict, Forbidden } from '../core/errors/index.js';

/*
 * Who may decide a request, for every path there is: lists, single requests, notices, the decision itself. What the
 * approver's role would not let them do directly is judged besides, by performing it as them.
 */

const RANKS = `ARRAY[${ROLES.map((role) => `'${role}'`).join(', ')}]`;

interface Terms {
  /** The name of `approval_requests` in the statement. */
  request: string;
  /** The person's role in the request's workspace, as an expression; null where they have none. */
  role: string;
  /** The person's user id. */
  user: string;
}

/** The condition, in SQL, under which a person may decide a request: by their role, or as the owner of its script. */
export function mayDecide(terms: Terms): string {
  const { request, role } = terms;
  return `((${reaches(role, request)} OR ${mayDecideAsOwner(terms)}) AND ${isTheirTurn(terms)})`;
}

function reaches(role: string, request: string): string {
  return `array_position(${RANKS}, ${role}::text) >= array_position(${RANKS}, ${request}.least_role)`;
}

/** Who asked decides last where the request says so: not while somebody else's role would let them. */
export function isTheirTurn({ request, user }: Pick<Terms, 'request' | 'user'>): string {
  return `NOT (${request}.asker_last AND ${request}.behind_user_id IS NOT DISTINCT FROM ${user} AND EXISTS (
    SELECT FROM ${LIVE_MEMBERSHIPS} other WHERE other.workspace_id = ${request}.workspace_id
      AND other.user_id <> ${request}.behind_user_id AND ${reaches('other.role', request)}))`;
}

/**
 * As long as they see the script: a guest decides nothing, and sees no request. What an environment holds is not theirs,
 * also where it has come to demand that only after they were asked.
 */
export function mayDecideAsOwner({ request, role, user }: Terms): string {
  const visible = scriptIsVisible({
    alias: 's',
    roleParameter: role,
    userParameter: user,
    choiceParameter: null,
  });
  return `(${request}.script_owner_user_id = ${user} AND ${role}::text <> 'guest' AND EXISTS (
    SELECT FROM scripts s WHERE s.id = ${request}.script_id AND ${visible}) AND NOT EXISTS (
    SELECT FROM environments guarded
    WHERE guarded.id = ${request}.environment_id AND guarded.approval_policy = 'always'))`;
}

/** The values of `least_role` whose requests a person of that role may decide. */
export function decidableRoles(role: Role): Role[] {
  return ROLES.filter((least) => least !== 'guest' && roleReaches(role, least));
}

interface Judged {
  mayDecide: boolean;
  /** The person who asked, or made the API key that did. */
  behindUserId: string | null;
}

/**
 * @param secondPerson whether nobody may decide what they asked for themselves
 * @throws Forbidden where this person may not decide
 */
export function assertMayDecide(request: Judged, userId: string, secondPerson: boolean): void {
  if (!request.mayDecide) {
    throw new Forbidden('Your role in the workspace does not let you decide this request.');
  }
  if (secondPerson && request.behindUserId === userId) {
    throw new Forbidden('This needs a second person: nobody decides what they asked for themselves.');
  }
}

/**
 * @param behindUserId null where nobody knows who made the API key: then one person alone could be both
 * @param others how many besides that person may decide
 * @throws Conflict where there is no second person
 */
export function assertSecondPerson(behindUserId: string | null, others: number): void {
  if (others >= (behindUserId === null ? 2 : 1)) return;
  throw new Conflict(
    'This needs a second person, and nobody else in the workspace could approve it. Invite another owner or admin first.',
  );
}

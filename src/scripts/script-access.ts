import { type Caller, type ApprovalPolicy, isInPerson } from '../core/access/caller.js';
import { type Role, roleReaches } from '../core/access/roles.js';
import { Forbidden, InvalidRequest } from '../core/errors/problems.js';

export const SCRIPT_ACCESS = ['workspace', 'teams'] as const;
export type ScriptAccess = (typeof SCRIPT_ACCESS)[number];

/** From the loosest to the strictest. */
export const APPROVAL_POLICIES: readonly ApprovalPolicy[] = ['none', 'agents', 'always'];

/** Who a script is open to, and whose runs of it wait for a person. */
export interface ScriptGate {
  access: ScriptAccess;
  teamIds: readonly string[];
  approvalPolicy: ApprovalPolicy;
}

/** A team of the workspace, as far as sharing a script with it goes. */
export interface SharedTeam {
  id: string;
  /** Guests see no script but those shared with their teams, so sharing with them opens it. */
  hasGuests: boolean;
  hasCaller: boolean;
}

type GatePatch = { [Field in keyof ScriptGate]?: ScriptGate[Field] | undefined };

/**
 * The gate after a patch.
 *
 * @throws InvalidRequest where access and teams do not go together
 */
export function patchGate(before: ScriptGate, patch: GatePatch): ScriptGate {
  const access = patch.access ?? before.access;
  const approvalPolicy = patch.approvalPolicy ?? before.approvalPolicy;
  if (access === 'workspace') {
    if ((patch.teamIds ?? []).length > 0) {
      throw InvalidRequest.at('teamIds', 'go with access "teams" only; set access, or leave them out');
    }
    return { access, teamIds: [], approvalPolicy };
  }
  const teamIds = patch.teamIds ?? before.teamIds;
  if (teamIds.length === 0)
    throw InvalidRequest.at('teamIds', 'must name at least one team with access "teams"');
  return { access, teamIds: [...new Set(teamIds)], approvalPolicy };
}

/**
 * What of a change opens the gate further, in words; empty where nothing does.
 *
 * @param teams the teams of `after`
 */
export function loosened(before: ScriptGate, after: ScriptGate, teams: readonly SharedTeam[]): string[] {
  const lower =
    APPROVAL_POLICIES.indexOf(after.approvalPolicy) < APPROVAL_POLICIES.indexOf(before.approvalPolicy);
  return [
    ...(lower ? ['lowers approvalPolicy'] : []),
    ...(isWider(before, after, teams) ? ['widens access'] : []),
  ];
}

function isWider(before: ScriptGate, after: ScriptGate, teams: readonly SharedTeam[]): boolean {
  if (after.access === 'workspace') return before.access === 'teams';
  if (before.access === 'workspace') return teams.some((team) => team.hasGuests);
  return after.teamIds.some((id) => !before.teamIds.includes(id));
}

/**
 * Nobody behind the gate may loosen it.
 *
 * @throws Forbidden unless the caller is an owner or admin in person
 */
export function assertMayLoosen(caller: Caller & { role: Role }, changes: readonly string[]): void {
  if (changes.length === 0 || (isInPerson(caller) && roleReaches(caller.role, 'admin'))) return;
  throw new Forbidden(
    `This ${changes.join(' and ')}, which takes an owner or admin in person: in the app or by a personal access token.`,
  );
}

/**
 * Members must not shut themselves out by accident: they could not even take it back.
 *
 * @throws InvalidRequest where a member shares a script with teams of others only
 */
export function assertStaysIn(role: Role, after: ScriptGate, teams: readonly SharedTeam[]): void {
  if (roleReaches(role, 'admin') || after.access === 'workspace' || teams.some((team) => team.hasCaller))
    return;
  throw InvalidRequest.at(
    'teamIds',
    'must include a team that you are in, or you could not see the script any more',
  );
}

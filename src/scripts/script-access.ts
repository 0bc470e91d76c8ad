import {
  type ApprovalPolicy,
  isLaxer,
  type Loosening,
  type Role,
  roleReaches,
} from '../core/access/index.js';
import { InvalidRequest } from '../core/errors/index.js';

export const SCRIPT_ACCESS = ['workspace', 'teams'] as const;
export type ScriptAccess = (typeof SCRIPT_ACCESS)[number];

/** Who a script is open to, and whose runs of it wait for a person. */
export interface ScriptGate {
  access: ScriptAccess;
  teamIds: readonly string[];
  approvalPolicy: ApprovalPolicy;
}

/** That of a script that is made. */
export const NEW_GATE: ScriptGate = { access: 'workspace', teamIds: [], approvalPolicy: 'none' };

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
 * What of a change opens the gate further; empty where nothing does.
 *
 * @param teams the teams of `after`
 */
export function loosened(before: ScriptGate, after: ScriptGate, teams: readonly SharedTeam[]): Loosening[] {
  return [
    ...(isLaxer(after.approvalPolicy, before.approvalPolicy) ? (['script.approval_policy'] as const) : []),
    ...(isWider(before, after, teams) ? (['script.access'] as const) : []),
  ];
}

function isWider(before: ScriptGate, after: ScriptGate, teams: readonly SharedTeam[]): boolean {
  if (after.access === 'workspace') return before.access === 'teams';
  if (before.access === 'workspace') return teams.some((team) => team.hasGuests);
  return after.teamIds.some((id) => !before.teamIds.includes(id));
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

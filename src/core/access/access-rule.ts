import { Forbidden, InvalidRequest, ProblemError, SecondFactorMissing } from '../errors/index.js';
import type { Caller, CallerKind, Viewer, WorkspaceCaller } from './caller.js';
import { missingScope, notOpenToScoped } from './challenge.js';
import { type Role, roleReaches } from './roles.js';
import { MCP_SCOPE, type Scope } from './scopes.js';

/**
 * How far a route reaches, for a credential that is bound to an environment. `own`: to what is in its environment, and
 * nothing else is there for it. `shared`: to what environments share, of which nothing that is there is changed. `all`: it
 * changes what they share, or shows all of them, so that the credential is refused.
 */
export const REACHES = ['own', 'shared', 'all'] as const;
export type Reach = (typeof REACHES)[number];

/** What a workspace route needs of its caller. */
export interface WorkspaceRule {
  /** What a token, an agent or a key with scopes must have been granted. Without it, no such key may use the route. */
  scope?: Scope;
  /** What it gives follows the caller's scopes by itself, so that a key with any of them may use it. */
  followsScopes?: true;
  /** The least role; `guest` where everyone in the workspace may. */
  role: Role;
  /** The least role with a personal token or for an agent, where it takes more. */
  roleByToken?: Role;
  /** The kinds of callers that may use it; all by default. */
  kinds?: readonly CallerKind[];
  /** The approval action that does the same, for whoever may not by themselves but may ask a person. */
  approvable?: string;
  /** What it shows or sends is of all scripts, so that an app which was given chosen ones may not. */
  everyScript?: true;
  /** Each route of ours says it. An extension's that does not is for no bound credential. */
  reach: Reach;
}

/**
 * Who a route is for: anybody; a person in the app, with or without a workspace; a personal access token on
 * `/v1/user/*`; or somebody in a workspace.
 */
export type AccessRule = 'public' | 'session' | 'personal_token' | WorkspaceRule;

const KIND_NAMES: Record<CallerKind, string> = {
  session: 'a session of the app',
  personal_token: 'a personal access token',
  api_key: 'an API key',
  agent: "an agent's token",
};

const OPEN_TO_BOUND: readonly Reach[] = ['own', 'shared'];

/** Why a caller whose credential is bound to an environment may not do what reaches further. */
export function boundProblem({ environment }: Pick<Viewer, 'environment'>): Forbidden {
  return new Forbidden(
    `This goes beyond one environment. The credential is bound to ${environment.name} and may not.`,
  );
}

/** Why a caller may not use a route outside of workspaces, or null. */
function refusalOutsideWorkspace(rule: 'session' | 'personal_token', caller: Caller): ProblemError | null {
  if (caller.kind === rule) return null;
  return new Forbidden(`This takes ${KIND_NAMES[rule]}; you sent ${KIND_NAMES[caller.kind]}.`);
}

/** Why a caller who is in the workspace may not use a route of it, or null: scope first, then kind and role. */
export function refusalInWorkspace(rule: WorkspaceRule, caller: Viewer): ProblemError | null {
  const unscoped = scopeRefusal(rule, caller);
  if (unscoped) return unscoped;
  if (rule.kinds && !rule.kinds.includes(caller.kind)) {
    return new Forbidden(
      `This takes ${rule.kinds.map((kind) => KIND_NAMES[kind]).join(' or ')}; you sent ${KIND_NAMES[caller.kind]}.${instead(rule, caller)}`,
    );
  }
  if (caller.bound && !OPEN_TO_BOUND.includes(rule.reach)) return boundProblem(caller);
  if (rule.everyScript && caller.scriptChoice !== null)
    return new Forbidden('This is about all scripts, and the app was given chosen ones.');
  const byToken = caller.kind === 'personal_token' || caller.kind === 'agent';
  const least = byToken && rule.roleByToken ? rule.roleByToken : rule.role;
  if (!roleReaches(caller.role, least)) {
    return new Forbidden(
      `This needs the role ${least} in the workspace; this credential acts as ${caller.role}.`,
    );
  }
  return null;
}

/** Why the caller's scopes do not reach, or null. The one place where this is decided, whoever the scopes are of. */
function scopeRefusal({ scope, followsScopes }: WorkspaceRule, caller: Viewer): ProblemError | null {
  const { kind, scopes } = caller;
  if (scope === undefined) {
    return kind === 'api_key' && scopes !== null && !followsScopes ? notOpenToScoped() : null;
  }
  const isGranted =
    scope === MCP_SCOPE ? kind === 'agent' || scopes?.has(scope) : scopes === null || scopes.has(scope);
  return isGranted ? null : missingScope(scope);
}

/** What a caller of the wrong kind can do about it. */
function instead({ approvable }: WorkspaceRule, { kind }: Viewer): string {
  if (approvable === undefined) return '';
  return kind === 'agent'
    ? ` Ask a person to approve ${approvable}: POST /v1/workspace/approval-requests.`
    : ' A person does this in the app, or by a personal access token.';
}

/** The caller as a rule lets them in, or why it does not. */
export function admitted(
  rule: Exclude<AccessRule, 'public'>,
  caller: Caller,
  finding: WorkspaceFinding,
): Caller | WorkspaceCaller | ProblemError {
  if (typeof rule === 'string') return refusalOutsideWorkspace(rule, caller) ?? caller;
  const entered = enterWorkspace(caller, finding);
  if (entered instanceof ProblemError) return entered;
  return refusalInWorkspace(rule, entered) ?? entered;
}

/** What the look-up of the credential found of the workspace and environment that a request names. */
export interface WorkspaceFinding {
  namedWorkspace: string | null;
  namedEnvironment: string | null;
  workspace: { id: string; slug: string; name: string } | null;
  role: Role | null;
  /** A token's list of workspaces, an agent's one: null for all. */
  allowedWorkspaces: readonly string[] | null;
  environment: WorkspaceCaller['environment'] | null;
  boundEnvironment: string | null;
  /** The workspace takes a second factor, and the person has none. */
  secondFactorMissing: boolean;
  stepUpMinutes: WorkspaceCaller['stepUpMinutes'];
}

/** The caller in that workspace and environment, or why they cannot act there. */
function enterWorkspace(caller: Caller, found: WorkspaceFinding): WorkspaceCaller | ProblemError {
  // A key has one workspace, whatever the header says, and an agent that of its grant, which it need not name.
  if (caller.kind !== 'api_key') {
    if (found.namedWorkspace === null && caller.kind !== 'agent') {
      return InvalidRequest.at('x-workspace', 'is missing: name the workspace by its slug in this header');
    }
    if (found.namedWorkspace === '') return InvalidRequest.at('x-workspace', 'must not be empty');
  }
  if (found.namedEnvironment === '') return InvalidRequest.at('x-environment', 'must not be empty');
  const { workspace, role } = found;
  const excluded =
    workspace && found.allowedWorkspaces !== null && !found.allowedWorkspaces.includes(workspace.id);
  if (!workspace || !role || excluded) {
    return new Forbidden(
      `This credential cannot act in the workspace "${found.namedWorkspace ?? workspace?.slug ?? ''}".`,
    );
  }
  if (found.secondFactorMissing) return new SecondFactorMissing(workspace.slug);
  if (
    found.boundEnvironment !== null &&
    (found.namedEnvironment ?? found.boundEnvironment) !== found.boundEnvironment
  ) {
    return new Forbidden(`This credential is bound to the environment ${found.boundEnvironment}.`);
  }
  if (!found.environment) {
    return InvalidRequest.at(
      'x-environment',
      `there is no environment "${found.namedEnvironment}" in this workspace`,
    );
  }
  return {
    ...caller,
    workspace,
    role,
    environment: found.environment,
    stepUpMinutes: found.stepUpMinutes,
    bound: found.boundEnvironment !== null,
  };
}

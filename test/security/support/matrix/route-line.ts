import type { TestRole, TestWorkspace } from '../../../../libs/testing/index.js';

export type Kind = 'session' | 'personal_token' | 'api_key' | 'agent';
export type Allowed = 200 | 400 | 401 | 403 | 404;

/** Who may use a workspace route, as the contract says it (sections 2 and 4), in the tests' own words. */
export interface WorkspaceAccess {
  scope: string | null;
  /** The least role. An API key counts as an admin. */
  role: TestRole;
  /** The least role of whoever comes by personal token or as an agent, where it is more. */
  byToken?: TestRole;
  /** The kinds of credential that may at all, where not every one may. */
  only?: readonly Kind[];
  /** A key with scopes may use it although it asks for none: what it gives follows the scopes. */
  followsScopes?: true;
  /** An app may use it without the scope that a token or a key has to have been given. */
  openToApps?: true;
  /** A credential that is bound to an environment may as well: it changes nothing that environments share. */
  bound?: true;
}

export interface Extras {
  /** The status of the harmless request of `requestFor` when it is let in; by default see there. */
  allowed?: Allowed;
  /** A valid body: with it and an existing resource the request succeeds, or at most conflicts with its state. A function makes it for the caller's workspace. */
  body?: object | string | ((workspace: TestWorkspace) => unknown);
  /** Makes what it names where it is missing, so that another workspace's name is no reason for a 404. */
  makes?: true;
  /** Changes nothing that a workspace's audit trail tells of, whatever its method says. */
  silent?: true;
  /** What belongs behind the path for the request with `body`. */
  query?: string;
}

export interface RouteLine extends Extras {
  /** `public`: anybody; `session`: a person in the app; `personal_token`: what asks about itself; or in a workspace. */
  access: 'public' | 'session' | 'personal_token' | WorkspaceAccess;
}

export interface Route extends RouteLine {
  /** As in the table: `GET /v1/runs/{run}`. */
  name: string;
  method: string;
  path: string;
  /** The kinds of resource that the path names: `['run']`. */
  resources: string[];
}

type Conditions = Omit<WorkspaceAccess, 'scope' | 'role'> & Extras;

export function inWorkspace(scope: string | null, role: TestRole, conditions: Conditions = {}): RouteLine {
  const { allowed, body, makes, silent, query, ...access } = conditions;
  return {
    access: { scope, role, ...access },
    ...(allowed !== undefined && { allowed }),
    ...(body !== undefined && { body }),
    ...(makes && { makes }),
    ...(silent && { silent }),
    ...(query !== undefined && { query }),
  };
}

export const open = (allowed: Allowed): RouteLine => ({ access: 'public', allowed });
export const inTheApp = (extras: Extras = {}): RouteLine => ({ access: 'session', ...extras });
export const ofTheToken = (extras: Extras = {}): RouteLine => ({ access: 'personal_token', ...extras });

export function routesOf(table: Record<string, RouteLine>): Route[] {
  return Object.entries(table).map(([name, line]) => {
    const [method, path] = name.split(' ') as [string, string];
    const resources = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]!);
    return { ...line, name, method, path, resources };
  });
}

/** Names differ between the document and the table: there a parameter is called as in the code, here by its kind. */
export const nameless = (operation: string): string => operation.replace(/\{\w+\}/g, '{}');

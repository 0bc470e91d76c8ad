import {
  Access as access,
  type AccessRule,
  type CallerKind,
  type Reach,
  type Role,
} from '../core/access/index.js';

/** What a route needs of its caller, who is in a workspace. */
export interface WorkspaceRouteRule {
  /**
   * What a token, an app or an API key with scopes must have been granted: one of Gatehouse's, or of `@Extension({ scopes })`.
   * Without it, tokens and apps need none, and a key with scopes is refused.
   */
  scope?: string;
  /** The least role; `guest` where everyone in the workspace may. An API key acts as an admin. */
  role: Role;
  /** The least role with a personal token or for an app, where it takes more. */
  roleByToken?: Role;
  /** The kinds of callers that may use it; all by default. */
  kinds?: readonly CallerKind[];
  /**
   * What a credential that is bound to an environment reaches. `own`: what is in `caller.environment`, if the route keeps to
   * that. `shared`: what environments share, if the route changes nothing that is there. Left out, or `all`: nothing, it is refused.
   */
  reach?: Reach;
}

/** Who a route is for: anybody at all, without a credential; or somebody in a workspace. */
export type RouteRule = 'public' | WorkspaceRouteRule;

/**
 * Declares who may use a route. Each route has exactly one; a route without it stops the start. Whoever may not gets
 * 401 or 403 before anything of the route is run.
 *
 * @example
 * ```ts
 * \@Get()
 * \@Access({ scope: 'tickets:read', role: 'member', reach: 'shared' })
 * list(\@InWorkspace() caller: WorkspaceCaller): Promise<TicketList> {
 *   return this.tickets.list(caller);
 * }
 * ```
 */
export function Access(rule: RouteRule): MethodDecorator {
  return access(rule as AccessRule);
}

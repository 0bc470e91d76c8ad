export { AccessLossHooks } from './access-loss-hooks.js';
export { LateBodyCheck } from './late-body-check.js';
export type { AccessRequest } from './access-request.js';
export {
  type AccessRule,
  boundProblem,
  type Reach,
  refusalInWorkspace,
  type WorkspaceRule,
} from './access-rule.js';
export { Access, ACCESS_RULE, CalledBy, InWorkspace } from './access.decorator.js';
export { AccessGuard } from './access.guard.js';
export { AccessModule } from './access.module.js';
export { APPROVAL_POLICIES, type EnvironmentRule, isLaxer, isWeaker } from './approval-policy.js';
export { Authenticator } from './authenticator.js';
export { bearerTokenHash } from './bearer-token.js';
export { EnvironmentCallerResolver } from './environment-caller-resolver.js';
export {
  type ActingEnvironment,
  type ApprovalPolicy,
  type Caller,
  type CallerKind,
  IN_PERSON,
  isAgent,
  isInPerson,
  type Person,
  type Viewer,
  type WorkspaceCaller,
} from './caller.js';
export { Challenge, insufficientScope } from './challenge.js';
export {
  assertConfirmed,
  NEEDS_CONFIRMATION_EXTENSION,
  NEEDS_STEP_UP_EXTENSION,
  NeedsConfirmation,
  NeedsStepUp,
} from './confirmation.js';
export { CredentialCheck } from './credential-check.js';
export {
  MEMBERSHIP_AND_ENVIRONMENT,
  NAMED_WORKSPACE,
  NOBODY,
  PERSON,
  PERSON_IN_SESSION,
  GRANTED_WORKSPACE_AND_ENVIRONMENT,
  WORKSPACE_AND_ENVIRONMENT,
} from './credential-select.sql.js';
export { type CredentialStrategy, RecognisesCredentials } from './credential-strategy.js';
export { type DeclaredRoute, DeclaredRoutes, letsIn } from './declared-routes.js';
export { DEFAULT_SCOPES } from './default-scopes.js';
export { IdentityGuard } from './identity.guard.js';
export { LateBodyInterceptor } from './late-body.interceptor.js';
export { LIVE_MEMBERSHIPS } from './live-memberships.sql.js';
export { type LiveResponse, LiveResponses } from './live-responses.js';
export { assertMayLoosen, type Loosening } from './may-loosen.js';
export { OFFERS_TOPIC } from './offers-topic.js';
export { RecalledCallers, type RememberedCredential, rememberedOf } from './recalled-callers.js';
export { type Role, roleReaches, ROLES } from './roles.js';
export { SameOriginGuard } from './same-origin.guard.js';
export { addScopeFamilies, APP_SCOPES, holdsEveryScope, MCP_SCOPE, type Scope, SCOPES } from './scopes.js';
export {
  scriptIsChosen,
  scriptIsVisible,
  scriptVisibleTo,
  type VisibilityViewer,
} from './script-visibility.js';
export { SessionCookie } from './session-cookie.js';
export { type SubjectViewer, SubjectVisibility, VIEWERS } from './subject-visibility.js';

/**
 * What an extension may rely on: `@gatehouse/extension`. Whatever is not here is private, and may change at any time.
 *
 * @packageDocumentation
 */
export {
  type ActionOutcome,
  type ActionSummary,
  ApprovalAction,
  type ApprovalActionProvider,
  named,
  type PerformedRequest,
  type UnperformedRequest,
} from '../approvals/index.js';
export { type AuditActionDefinition, type AuditActionSource, DefinesAuditActions } from '../audit/index.js';
export {
  type CliCommandDefinition,
  type CliCommandSource,
  type CliParameter,
  DefinesCliCommands,
} from '../cli-commands/index.js';
export {
  type ActingEnvironment,
  type ApprovalPolicy,
  type Caller,
  type CallerKind,
  InWorkspace,
  NeedsConfirmation,
  type Person,
  type Role,
  type WorkspaceCaller,
} from '../core/access/index.js';
export { defineId, IdForm } from '../core/crypto/index.js';
export {
  type Affected,
  CREATED,
  Database,
  ID,
  keysetPage,
  type ListIdentity,
  newestFirst,
  type Page,
  type PageRequest,
} from '../core/database/index.js';
export {
  Conflict,
  ERROR_CODES,
  type ErrorCode,
  type ErrorDetail,
  Forbidden,
  InvalidRequest,
  NotFound,
  ProblemError,
  QuotaExceeded,
  Unavailable,
} from '../core/errors/index.js';
export {
  checkedSettings,
  Extension,
  type ExtensionExport,
  type ExtensionOptions,
  type ExtensionSettings,
} from '../core/extensions/index.js';
export { IsLine, IsText, PageQuery } from '../core/http/index.js';
export {
  DefinesEventTypes,
  type EventAudience,
  type EventTypeDefinition,
  type EventTypeSource,
} from '../core/outbox/index.js';
export {
  type BlobCall,
  type BlobRange,
  type BlobRead,
  BlobStorage,
  type BlobStorageProvider,
} from '../core/storage/index.js';
export {
  Drain,
  type DrainStage,
  Loop,
  type LoopOptions,
  type NextPass,
  type Pass,
  Waker,
  type Worker,
} from '../core/work/index.js';
export { EventHandler, type EventHandlerProvider, type HandledEvent } from '../event-handlers/index.js';
export { ScriptTemplate, type ScriptTemplateProvider } from '../script-templates/index.js';
export { Runtime, type RuntimeProvider, type ScriptFolder } from '../scripts/index.js';
export {
  type SecretPlace,
  SecretSource,
  type SecretSourceDescription,
  type SecretSourceProvider,
  type SourcedSecret,
} from '../secrets/index.js';
export {
  type EmbeddedPageProvider,
  type SettingsField,
  type SettingsFormProvider,
  SettingsPage,
  type SettingsSchema,
} from '../settings-pages/index.js';
export {
  type BegunSignIn,
  OpenId,
  type OpenIdClaims,
  type OpenIdPerson,
  type OpenIdProvider,
  type OpenIdProviderOptions,
  type ProvenPerson,
  type ProvidedMembership,
  SignInWay,
  type SignInWayProvider,
} from '../sign-in/index.js';
export { Access, type RouteRule, type WorkspaceRouteRule } from './access.js';
export { ApiPage } from './api-page.js';
export { Audit, type ExtensionAuditEntry } from './audit.js';
export { type ExtensionEvent, Events } from './events.js';
export { Outbound, type OutboundOptions } from './outbound.js';
export {
  type AlertedEvent,
  type AlertNotice,
  type AlertOptions,
  type ApprovalNotice,
  inlineText,
  NotificationChannel,
  type NotificationChannelProvider,
  type NotifiedPerson,
  type NotifiedRequest,
} from '../notifications/index.js';

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
  type ApprovalNotice,
  inlineText,
  named,
  NotificationChannel,
  type NotificationChannelProvider,
  type NotifiedPerson,
  type NotifiedRequest,
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
export { InWorkspace } from '../core/access/access.decorator.js';
export type {
  ActingEnvironment,
  ApprovalPolicy,
  Caller,
  CallerKind,
  Person,
  WorkspaceCaller,
} from '../core/access/caller.js';
export type { Role } from '../core/access/roles.js';
export { defineId, IdForm } from '../core/crypto/ids.js';
export { type Affected, Database } from '../core/database/database.js';
export { CREATED, ID } from '../core/database/entity-columns.js';
export { newestFirst } from '../core/database/keyset.js';
export { keysetPage, type ListIdentity, type Page, type PageRequest } from '../core/database/page.js';
export { ERROR_CODES, type ErrorCode } from '../core/errors/error-codes.js';
export {
  Conflict,
  type ErrorDetail,
  Forbidden,
  InvalidRequest,
  NotFound,
  ProblemError,
  QuotaExceeded,
  Unavailable,
} from '../core/errors/problems.js';
export { checkedSettings, type ExtensionSettings } from '../core/extensions/extension-settings.js';
export { Extension, type ExtensionOptions } from '../core/extensions/extension.decorator.js';
export type { ExtensionExport } from '../core/extensions/load-extensions.js';
export { PageQuery } from '../core/http/page-query.dto.js';
export { IsLine, IsText } from '../core/http/text.validators.js';
export type { EventAudience } from '../core/outbox/event-audience.js';
export {
  DefinesEventTypes,
  type EventTypeDefinition,
  type EventTypeSource,
} from '../core/outbox/event-type.js';
export {
  type BlobCall,
  type BlobRange,
  type BlobRead,
  BlobStorage,
  type BlobStorageProvider,
} from '../core/storage/blob-storage.js';
export { Drain } from '../core/work/drain.decorator.js';
export type { DrainStage } from '../core/work/drain-order.js';
export { Loop, type LoopOptions, type NextPass, type Pass } from '../core/work/loop.decorator.js';
export { Waker, type Worker } from '../core/work/waker.js';
export { ScriptTemplate, type ScriptTemplateProvider } from '../script-templates/index.js';
export { Runtime, type RuntimeProvider, type ScriptFolder } from '../scripts/index.js';
export { SecretSource, type SecretSourceProvider, type SourcedSecret } from '../secrets/index.js';
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
export { Audit, type ExtensionAuditEntry } from './audit.js';
export { type ExtensionEvent, Events } from './events.js';
export { Outbound, type OutboundOptions } from './outbound.js';

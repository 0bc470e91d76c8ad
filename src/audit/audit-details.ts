import type { AuditAction } from './audit.actions.js';

/** What of an entry's details is part of responses, and what only the log sink and the database have. */
interface DetailKeys {
  shown: readonly string[];
  /** What concerns somebody's account and not the workspace, or is long. */
  kept?: readonly string[];
}

const nothing: DetailKeys = { shown: [] };
const shown = (...keys: string[]): DetailKeys => ({ shown: keys });

const MEMBER = ['userId', 'email', 'role'];
const ENDED = ['sessions', 'tokens', 'apps', 'password', 'secondFactor'];
const ENDPOINT = ['name', 'environment'];
const ERROR = ['title', 'script'];
const ALERT = ['name', 'channel', 'host'];
/** Of one that is changed: `name` is a field that may be. */
const AUTOMATION = ['script', 'title'];
const VERSION = [
  'slug',
  'hosts',
  'secrets',
  'env',
  'resources',
  'runsOn',
  'retry',
  'idempotent',
  'concurrency',
  'debounce',
  'labels',
  'keep',
];

/**
 * The details of each action. Who reads the audit trail of a workspace is an admin of it, who sees its members with their
 * addresses, all its scripts and files, and the names of its secrets. No entry has a value of a secret, a credential, or what a run
 * was given; how many sessions somebody had, or what their passkeys are called, is their own.
 *
 * An action without a line does not compile, and the tests fail where an entry has a key that its line does not name.
 */
export const AUDIT_DETAILS: Readonly<Record<AuditAction, DetailKeys>> = {
  'workspace.created': shown('name', 'slug'),
  'workspace.renamed': shown('name', 'previousName'),
  'workspace.plan_changed': shown('plan', 'previousPlan'),
  'workspace.deleted': shown('name', 'slug'),
  'workspace.restored': shown('name', 'slug'),
  'workspace.sign_in_changed': shown('secondFactorRequired', 'stepUpMinutes'),
  'log.level_changed': shown('level', 'minutes'),
  'member.joined': shown(...MEMBER, 'way', 'invitationId'),
  'member.role_changed': shown(...MEMBER, 'previousRole'),
  'member.removed': shown(...MEMBER),
  'member.left': shown(...MEMBER),
  'invitation.created': shown('email', 'role', 'teamIds'),
  'invitation.declined': shown('email'),
  'invitation.deleted': shown('email'),
  'team.created': shown('name'),
  'team.renamed': shown('name', 'previousName'),
  'team.deleted': shown('name'),
  'team.member.added': shown('name', 'userId', 'way'),
  'team.member.removed': shown('name', 'userId', 'way'),
  'environment.created': shown('name'),
  'environment.updated': shown('name', 'previousName', 'changed'),
  'environment.deleted': shown('name'),
  'alert.created': shown(...ALERT, 'script'),
  'alert.updated': shown(...ALERT, 'changed'),
  'alert.deleted': shown(...ALERT),
  'alert.tested': shown(...ALERT),
  'error.resolved': shown(...ERROR),
  'error.ignored': shown(...ERROR, 'until'),
  'error.reopened': shown(...ERROR),
  'host_authorities.set': shown('host', 'fingerprints'),
  'host_authorities.deleted': shown('host'),
  'queue.created': shown('name', 'limit', 'paused'),
  'queue.updated': shown('name', 'limit', 'paused'),
  'queue.deleted': shown('name'),
  'view.created': shown('name', 'list', 'shared'),
  'view.updated': shown('name', 'list', 'shared', 'changed'),
  'view.deleted': shown('name', 'list', 'shared'),
  'secret.updated': shown('name', 'environments', 'hosts', 'source', 'kind', 'allowEnv'),
  'secret.deleted': shown('name', 'environments'),
  'api_key.created': shown('name', 'environment', 'scopes', 'expiresAt'),
  'api_key.revoked': shown('name'),
  'user.created': shown('email', 'way'),
  'user.managed': shown('way'),
  'user.renamed': shown('name', 'email', 'previousEmail', 'way'),
  'user.disabled': { shown: ['way'], kept: ENDED },
  'user.enabled': shown('way'),
  'user.password_changed': nothing,
  'user.password_reset': nothing,
  'user.signed_in': shown('way'),
  'user.sign_in_link_created': nothing,
  'user.sign_in_refused': shown('way', 'refusal'),
  'user.identity_linked': { shown: ['way'], kept: ['issuer'] },
  'user.credentials_ended': { shown: ['by'], kept: ENDED },
  'user.session_ended': { shown: [], kept: ['ended'] },
  'user.authenticator_added': nothing,
  'user.authenticator_removed': nothing,
  'user.passkey_added': { shown: [], kept: ['name'] },
  'user.passkey_removed': { shown: [], kept: ['name'] },
  'user.recovery_codes_made': nothing,
  'user.recovery_code_used': { shown: [], kept: ['left'] },
  'user.factors_removed': nothing,
  'personal_token.created': shown('name', 'scopes', 'expiresAt'),
  'personal_token.revoked': shown('name'),
  'app.connected': shown('name', 'clientId', 'scopes', 'scriptIds', 'scriptTags'),
  'app.disconnected': shown('name', 'reason'),
  'app.budget_changed': shown('name', 'budget'),
  'agent_settings.updated': shown('memberBudget'),
  'agent.created': shown('slug', 'name'),
  'agent.updated': shown('slug', 'name', 'changed'),
  'agent.deleted': shown('slug', 'name'),
  'agent.tool_called': shown('script', 'runId', 'failed', 'sampled'),
  'script.created': shown('slug'),
  'script.updated': {
    shown: ['slug', 'name', 'access', 'teamIds', 'approvalPolicy', 'queue', 'retention', 'tags'],
    kept: ['description', 'ask'],
  },
  'script.trial.created': shown(...VERSION),
  'script.version.created': shown(...VERSION, 'version', 'hostRules'),
  'script.published': shown('slug', 'version', 'before'),
  'script.unpublished': shown('slug', 'version'),
  'script.archived': shown('slug'),
  'script.removed': shown('slug'),
  'script.restored': shown('slug'),
  'script_settings.updated': shown('publishNeedsSecondPerson'),
  'run.started': nothing,
  'run.batch_started': shown('script', 'version', 'runs'),
  'run.moved': shown('startAt', 'before'),
  'run.cancelled': nothing,
  'run_operation.started': shown('kind', 'filter', 'runs'),
  'run_operation.cancelled': shown('kind'),
  'schedule.created': shown('script', 'name', 'cron', 'timezone', 'environment'),
  'schedule.updated': shown(...AUTOMATION, 'name', 'cron', 'timezone', 'inputs', 'enabled', 'environment'),
  'schedule.deleted': shown('script', 'name'),
  'schedule.disabled': shown('name', 'reason'),
  'approval.requested': shown('action'),
  'approval.approved': shown('action'),
  'approval.denied': shown('action'),
  'approval.failed': shown('action'),
  'approval.expired': shown('action'),
  'approval.redeemed': shown('action'),
  'trigger.created': shown('script', 'name', 'eventType', 'environment'),
  'trigger.updated': shown(...AUTOMATION, 'name', 'filter', 'inputs', 'enabled', 'environment'),
  'trigger.deleted': shown('script', 'name'),
  'trigger.disabled': shown('name', 'reason'),
  'hook.created': shown('script', 'name', 'verify', 'respond', 'environment'),
  'hook.updated': shown(
    ...AUTOMATION,
    'name',
    'verify',
    'headers',
    'filter',
    'inputs',
    'respond',
    'enabled',
    'environment',
  ),
  'hook.deleted': shown('script', 'name'),
  'hook.rotated': shown('name'),
  'hook.replayed': shown('receipt', 'run', 'version'),
  'hook.disabled': shown('name', 'reason'),
  'file.uploaded': shown('name'),
  'file.address_created': shown('name', 'maxBytes'),
  'file.deleted': shown('name'),
  'webhook_endpoint.created': shown(...ENDPOINT),
  'webhook_endpoint.updated': shown(...ENDPOINT, 'changed'),
  'webhook_endpoint.deleted': shown(...ENDPOINT),
  'webhook_endpoint.enabled': shown(...ENDPOINT),
  'webhook_endpoint.disabled': shown('name', 'reason'),
  'webhook_endpoint.secret_rotated': shown(...ENDPOINT),
  'webhook_endpoint.tested': shown(...ENDPOINT, 'deliveryId'),
  'webhook_endpoint.redelivered': shown(...ENDPOINT, 'deliveryId', 'redeliveryOf', 'eventType'),
  'webhook_endpoint.recovered': shown(...ENDPOINT, 'since', 'queued'),
};

const MOST_CHARACTERS = 2_000;
/** In the place of what is longer in JSON: a page has a hundred entries. */
const TOO_LONG = '…';

/** What of an entry's details is part of responses. */
export function shownDetails(
  details: Readonly<Record<string, unknown>>,
  keys: readonly string[],
): Record<string, unknown> {
  const known = keys.filter((key) => Object.hasOwn(details, key));
  return Object.fromEntries(
    known.map((key) => [
      key,
      JSON.stringify(details[key]).length > MOST_CHARACTERS ? TOO_LONG : details[key],
    ]),
  );
}

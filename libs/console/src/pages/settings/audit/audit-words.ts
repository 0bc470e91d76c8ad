import type { AuditEvent } from '@gatehouse/client/operations';

import type { AuditAction } from './audit-filters.js';

/** What somebody did, as it goes on after their name: `Ada invited a person`. */
export const ACTION_WORDS: Record<AuditAction, string> = {
  'workspace.created': 'made the workspace',
  'workspace.renamed': 'renamed the workspace',
  'workspace.plan_changed': 'gave the workspace another plan',
  'workspace.deleted': 'deleted the workspace',
  'workspace.restored': 'opened the workspace again',
  'log.level_changed': 'changed for a while how much the log says',
  'member.joined': 'joined',
  'member.role_changed': 'changed the role of a member',
  'member.removed': 'removed a member',
  'member.left': 'left the workspace',
  'invitation.created': 'invited a person',
  'invitation.declined': 'declined an invitation',
  'invitation.deleted': 'withdrew an invitation',
  'team.created': 'made a team',
  'team.renamed': 'renamed a team',
  'team.deleted': 'deleted a team',
  'team.member.added': 'put a member into a team',
  'team.member.removed': 'took a member out of a team',
  'environment.created': 'made an environment',
  'environment.updated': 'changed an environment',
  'environment.deleted': 'deleted an environment',
  'error.resolved': 'resolved an error',
  'error.ignored': 'had an error ignored',
  'error.reopened': 'opened an error again',
  'alert.created': 'made an alert rule',
  'alert.updated': 'changed an alert rule',
  'alert.deleted': 'deleted an alert rule',
  'alert.tested': 'tried an alert rule',
  'queue.created': 'made a queue',
  'queue.updated': 'changed a queue',
  'queue.deleted': 'deleted a queue',
  'secret.updated': 'set the value of a secret',
  'secret.deleted': 'deleted values of a secret',
  'api_key.created': 'made an API key',
  'api_key.revoked': 'revoked an API key',
  'user.created': 'made an account',
  'user.managed': 'manages the account of a member',
  'user.renamed': 'changed the name or address of a member',
  'user.disabled': 'disabled the account of a member',
  'user.enabled': 'enabled an account again',
  'user.password_changed': 'changed their password',
  'user.password_reset': 'got a new password without the old one',
  'user.signed_in': 'signed in by another way than a password',
  'user.sign_in_link_created': 'made a link to sign in as a member',
  'user.sign_in_refused': 'was kept from signing in as a member',
  'user.identity_linked': 'signed in for the first time by another way than a password',
  'user.credentials_ended':
    'showed that their address is theirs, which ended what opened their account before',
  'user.session_ended': 'ended sessions of theirs',
  'user.authenticator_added': 'set up an app for codes',
  'user.authenticator_removed': 'removed their app for codes',
  'user.passkey_added': 'added a passkey',
  'user.passkey_removed': 'removed a passkey',
  'user.recovery_codes_made': 'had new recovery codes made',
  'user.recovery_code_used': 'used a recovery code',
  'user.factors_removed': 'removed the second factors of a member',
  'workspace.sign_in_changed': 'changed what the workspace wants of how its people sign in',
  'personal_token.created': 'made a personal token',
  'personal_token.revoked': 'revoked a personal token',
  'app.connected': 'let an app act for them',
  'app.disconnected': 'disconnected an app',
  'script.created': 'made a script',
  'script.updated': 'changed a script',
  'script.trial.created': 'uploaded a folder to try',
  'script.version.created': 'uploaded a version',
  'script.published': 'published a version',
  'script.unpublished': 'took a script back to draft',
  'script.archived': 'archived a script',
  'script.removed': 'removed a script that never had a version',
  'script.restored': 'restored an archived script',
  'script_settings.updated': 'changed the settings for scripts',
  'agent.created': 'made an agent',
  'agent.updated': 'changed an agent',
  'agent.deleted': 'deleted an agent',
  'agent.tool_called': 'had an agent call a tool',
  'agent_settings.updated': "changed what members' agents may use",
  'app.budget_changed': 'changed what may be used through an app',
  'run.started': 'started a run',
  'run.batch_started': 'started a batch of runs',
  'run.cancelled': 'cancelled a run',
  'run_operation.started': 'asked for many runs to be cancelled or run again',
  'run_operation.cancelled': 'ended an operation on many runs',
  'schedule.created': 'made a schedule',
  'schedule.updated': 'changed a schedule',
  'schedule.deleted': 'deleted a schedule',
  'schedule.disabled': 'switched off a schedule whose runs could not start',
  'approval.requested': 'asked for an approval',
  'approval.approved': 'approved a request',
  'approval.denied': 'denied a request',
  'approval.failed': 'could not carry out an approved request',
  'approval.expired': 'closed a request that nobody decided or needs any more',
  'approval.redeemed': 'fetched the secret of an approved request',
  'trigger.created': 'made a trigger',
  'trigger.updated': 'changed a trigger',
  'trigger.deleted': 'deleted a trigger',
  'trigger.disabled': 'switched off a trigger whose runs could not start',
  'hook.created': 'made a hook',
  'hook.updated': 'changed a hook',
  'hook.deleted': 'deleted a hook',
  'hook.rotated': 'gave a hook another address',
  'hook.replayed': 'ran a request to a hook once more',
  'hook.disabled': 'switched off a hook whose runs could not start',
  'file.uploaded': 'uploaded a file',
  'file.address_created': 'asked for an address to upload a file to',
  'file.deleted': 'deleted a file',
  'webhook_endpoint.created': 'made a webhook endpoint',
  'webhook_endpoint.updated': 'changed a webhook endpoint',
  'webhook_endpoint.deleted': 'deleted a webhook endpoint',
  'webhook_endpoint.enabled': 'resumed deliveries to a webhook endpoint',
  'webhook_endpoint.disabled': 'stopped deliveries to a webhook endpoint that failed',
  'webhook_endpoint.secret_rotated': 'gave a webhook endpoint a new secret',
  'webhook_endpoint.tested': 'sent a test to a webhook endpoint',
  'webhook_endpoint.redelivered': 'sent an event to a webhook endpoint again',
  'webhook_endpoint.recovered': 'queued missed events for a webhook endpoint again',
};

export const ACTIONS = Object.keys(ACTION_WORDS) as AuditAction[];

/** An action that came after this page was written is shown by its name. */
export function wordsOf(action: string): string {
  return (ACTION_WORDS as Record<string, string>)[action] ?? action;
}

export function actorOf({ actor, actorType, credential }: AuditEvent): string {
  if (actor) return actor.name;
  if (actorType === 'api_key') return credential?.name ? `The API key ${credential.name}` : 'An API key';
  return actorType === 'staff' ? 'The operator' : 'The system';
}

/** `by the token Laptop`; null for what a person did in the app or a key by itself. */
export function credentialOf({ actor, credential }: AuditEvent): string | null {
  if (!credential || !actor) return null;
  const kind = credential.type === 'pat' ? 'token or app' : 'API key';
  return credential.name === null ? `by a ${kind}` : `by the ${kind} ${credential.name}`;
}

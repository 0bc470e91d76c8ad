/** Every action that the audit trail knows, and what it says. */
export const AUDIT_ACTIONS = {
  'workspace.created': 'A workspace was made',
  'workspace.renamed': 'The workspace got another name',
  'workspace.plan_changed': 'The operator gave the workspace another plan',
  'workspace.deleted': 'The workspace was deleted, or the operator disabled it',
  'workspace.restored': 'The operator enabled a workspace that was deleted or disabled',
  'log.level_changed': 'The operator changed for a while how much the log says of the workspace',
  'member.joined': 'A person accepted an invitation, or signed in at a provider that has a role for them',
  'member.role_changed': 'A member got another role',
  'member.removed': 'A member was removed from the workspace',
  'member.left': 'A member left the workspace',
  'invitation.created': 'A person was invited',
  'invitation.declined': 'An invitation was declined',
  'invitation.deleted': 'An invitation was taken back',
  'team.created': 'A team was made',
  'team.renamed': 'A team got another name',
  'team.deleted': 'A team was deleted, also from the scripts and invitations that named it',
  'team.member.added': 'A member joined a team',
  'team.member.removed': 'A member was taken out of a team',
  'environment.created': 'An environment was made',
  'environment.updated': 'An environment was changed',
  'environment.deleted': 'An environment was deleted with its secret values',
  'secret.updated': "A secret's value was set in an environment",
  'secret.deleted': 'Values of a secret were deleted, and with the last of them the secret',
  'api_key.created': 'An API key was made',
  'api_key.revoked': 'An API key was revoked',
  'user.created': 'The operator made an account',
  'user.disabled': 'The operator disabled the account of a member, which ended all that opened it',
  'user.enabled': 'The operator enabled an account again',
  'user.password_changed': 'A member changed their password',
  'user.password_reset':
    'A member got a new password without the old one: by a mailed link, or from the operator',
  'user.signed_in': 'A member signed in by another way than a password',
  'user.sign_in_refused':
    'Somebody was kept from signing in to the account of a member by another way than a password',
  'user.identity_linked': 'A member signed in by another way than a password for the first time',
  'user.credentials_ended':
    "A member showed for the first time that their account's address is theirs, which ended what opened it until then",
  'user.session_ended': 'A member ended one of their sessions, or all others',
  'personal_token.created': 'A personal access token was made',
  'personal_token.revoked': 'A personal access token was revoked',
  'app.connected': 'A person let an app act for them in the workspace',
  'app.disconnected':
    'An app may act for a person no more: they ended it, the app gave it back, or its tokens were used twice',
  'agent.created': 'An agent was made',
  'agent.updated': 'An agent was changed',
  'agent.deleted': 'An agent was deleted',
  'script.created': 'A script was made',
  'script.updated': 'A script was changed',
  'script.version.created': 'A version was uploaded',
  'script.published': 'A version was published',
  'script.unpublished': 'A script was taken back to draft',
  'script.archived': 'A script was archived',
  'script.restored': 'An archived script was taken back to draft',
  'script_settings.updated': 'The settings for scripts were changed',
  'run.started': 'A run was started',
  'run.cancelled': 'A run was cancelled',
  'schedule.created': 'A schedule was made',
  'schedule.updated': 'A schedule was changed',
  'schedule.deleted': 'A schedule was deleted',
  'schedule.disabled': 'A schedule was switched off, since its runs could not be started any more',
  'approval.requested': 'A person was asked to approve something',
  'approval.approved': 'A request was approved',
  'approval.denied': 'A request was denied',
  'approval.failed': 'An approved request could not be carried out',
  'approval.expired': 'A request was decided by nobody in time, or is needed no more',
  'approval.redeemed': 'The secret of an approved request was made and handed out',
  'trigger.created': 'A trigger was made',
  'trigger.updated': 'A trigger was changed',
  'trigger.deleted': 'A trigger was deleted',
  'trigger.disabled': 'A trigger was switched off, since its runs could not be started any more',
  'file.uploaded': 'A file was uploaded',
  'file.deleted': 'A file was deleted',
  'webhook_endpoint.created': 'A webhook endpoint was registered',
  'webhook_endpoint.updated': 'A webhook endpoint was changed',
  'webhook_endpoint.deleted': 'A webhook endpoint was deleted with its deliveries',
  'webhook_endpoint.enabled': 'Deliveries to a webhook endpoint were resumed',
  'webhook_endpoint.disabled': 'The system stopped deliveries to a webhook endpoint that failed',
  'webhook_endpoint.secret_rotated': 'A webhook endpoint got a new signing secret',
  'webhook_endpoint.tested': 'A test event was sent to a webhook endpoint',
  'webhook_endpoint.redelivered': 'An event was sent to a webhook endpoint again',
  'webhook_endpoint.recovered': 'Failed and missed events were queued for a webhook endpoint again',
} as const;

export type AuditAction = keyof typeof AUDIT_ACTIONS;

const names: string[] = Object.keys(AUDIT_ACTIONS);

/** Every action that an entry can have, those of extensions included. */
export const AUDIT_ACTION_NAMES: readonly string[] = names;

/** Adds one of an extension, for the filter of the list and the document that describes it. */
export function addAuditActionName(name: string): void {
  if (!names.includes(name)) names.push(name);
}

/** Every action that the audit trail knows, and what it says. */
export const AUDIT_ACTIONS = {
  'workspace.created': 'A workspace was made',
  'workspace.renamed': 'The workspace got another name',
  'workspace.deleted': 'The workspace was deleted',
  'environment.created': 'An environment was made',
  'environment.updated': 'An environment was changed',
  'environment.deleted': 'An environment was deleted with its secret values',
  'secret.updated': "A secret's value was set in an environment",
  'secret.deleted': 'Values of a secret were deleted, and with the last of them the secret',
  'api_key.created': 'An API key was made',
  'api_key.revoked': 'An API key was revoked',
  'user.password_reset':
    'A member got a new password without the old one: by a mailed link, or from the operator',
  'personal_token.created': 'A personal access token was made',
  'personal_token.revoked': 'A personal access token was revoked',
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
  'file.uploaded': 'A file was uploaded',
  'file.deleted': 'A file was deleted',
} as const;

export type AuditAction = keyof typeof AUDIT_ACTIONS;

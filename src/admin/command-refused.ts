/** An operator's command that changed nothing, for this reason. */
export class CommandRefused extends Error {}

/** Whom and what the audit trail names for the operator's command line. */
export const STAFF = { type: 'staff', userId: null, credentialType: null, credentialName: null } as const;

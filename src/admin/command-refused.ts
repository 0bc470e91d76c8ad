/** An operator's command is refused, and has changed nothing. The message says why. */
export class CommandRefused extends Error {}

/** What the audit trail says of changes by the operator's command line. */
export const STAFF = { type: 'staff', userId: null, credentialType: null, credentialName: null } as const;

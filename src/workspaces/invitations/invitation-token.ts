/** As long as a session's: too long to guess. */
export const INVITATION_TOKEN_LENGTH = 43;

/** Whether a text could be an invitation's token; any other needs no look-up. */
export function isInvitationToken(text: string): boolean {
  return text.length === INVITATION_TOKEN_LENGTH && /^[0-9A-Za-z]+$/.test(text);
}

/** The purpose of the key that seals waiting mail; the context is the mail's id. */
export const MAIL_PURPOSE = 'mail';

/** What the key is derived for by which mail is sealed while it waits; the context is the mail's id. */
export const MAIL_PURPOSE = 'mail';

import { ServerUnusable } from '../lifecycle/index.js';
import { reasonOf } from './mail-failure.js';
import { smtpTransport } from './smtp-transport.js';

/**
 * Whether the server of `SMTP_URL` lets us in. No start asks for this: mails wait for it.
 *
 * @throws ServerUnusable that says what is wrong, without the password, and what to do
 */
export async function checkMailServer(url: string): Promise<void> {
  const transport = await smtpTransport(url);
  try {
    await transport.verify();
  } catch (error) {
    throw new ServerUnusable(
      `The mail server at ${new URL(url).host} (SMTP_URL) cannot be used: ${reasonOf(error)}. Correct SMTP_URL, or see to the server and to what is between.`,
    );
  } finally {
    transport.close();
  }
}

import { SignInLinkMakingService } from '../sign-in/index.js';
import type { Settings } from '../core/config/index.js';
import type { Answer } from './answer.js';
import { STAFF } from './command-refused.js';
import { withService } from './service.js';
import { personOf } from './users.js';

/** Break-glass: somebody gets in, also where passwords are off and no provider can be reached. */
export function makeSignInLink(settings: Settings, email: string): Promise<Answer> {
  return withService(settings, async (app) => {
    const person = await personOf(app, email);
    const { link, told } = await app.get(SignInLinkMakingService, { strict: false }).make(person, STAFF);
    const lines = [
      `Whoever opens this link signs in as ${person.email}, once, within 15 minutes. It is not said again:`,
      '',
      `  ${link}`,
      '',
      told.length === 0
        ? 'Nobody is told by mail: SMTP_URL is not set, or nobody owns a workspace of theirs. The audit trail says it.'
        : `Told by mail: ${told.join(', ')}.`,
    ];
    return { text: lines.join('\n'), value: { email: person.email, link, told } };
  });
}

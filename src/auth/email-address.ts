import { ValidateBy } from 'class-validator';

import { lineProblem } from '../core/http/index.js';
import { normalizeEmail } from './sign-in-text.js';

const LONGEST = 254;
/** With blanks around it, in whichever normal form. */
const MOST_UNITS = 10 * LONGEST;
const TOO_LONG = `must be at most ${LONGEST} characters long`;
const ATOM = "[\\p{L}\\p{M}\\p{N}!#$%&'*+/=?^_`{|}~-]+";
const LABEL = '[\\p{L}\\p{N}](?:[\\p{L}\\p{M}\\p{N}-]{0,61}[\\p{L}\\p{M}\\p{N}])?';
/** An unquoted name in any script, at a host that may have no dot (`localhost`). Neither lists nor comments. */
const FORM = new RegExp(`^(?=[^@]{1,64}@)${ATOM}(?:\\.${ATOM})*@${LABEL}(?:\\.${LABEL})*$`, 'u');

/** Why a text is no e-mail address that an account can have, or null. Blanks around it are not part of it. */
export function emailProblem(text: string): string | null {
  if (text.length > MOST_UNITS) return TOO_LONG;
  const unseen = lineProblem(text);
  if (unseen !== null) return unseen;
  const address = normalizeEmail(text);
  if ([...address].length > LONGEST) return TOO_LONG;
  return FORM.test(address) ? null : 'must be an e-mail address such as ada@example.com';
}

/** An address at which somebody can be reached. */
export function IsEmailAddress(): PropertyDecorator {
  return ValidateBy({
    name: 'isEmailAddress',
    validator: {
      validate: (value: unknown) => typeof value === 'string' && emailProblem(value) === null,
      defaultMessage: (argument) =>
        (typeof argument?.value === 'string' && emailProblem(argument.value)) || 'must be a string',
    },
  });
}

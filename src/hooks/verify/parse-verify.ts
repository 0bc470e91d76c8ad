import { type ErrorDetail, InvalidRequest } from '../../core/errors/index.js';
import { asSeconds } from '../../core/http/index.js';
import { secretNameProblem } from '../../secrets/index.js';
import { ALGORITHMS, ENCODINGS, type Scheme, type VerifyConfig } from './verify-config.js';

type Check = (value: unknown) => string | null;

export const HEADER = /^[a-z0-9!#$%&'*+.^_`|~-]{1,100}$/;
/** What a signature is made of: `{timestamp}.{body}`. */
const SIGNED =
  /^(?:[^{}\p{Cc}]|\{(?:body|timestamp|id)\})*\{body\}(?:[^{}\p{Cc}]|\{(?:body|timestamp|id)\})*$/u;

const secret: Check = (value) =>
  typeof value === 'string' ? secretNameProblem(value) : 'must be the name of a secret of the workspace';
const header: Check = (value) =>
  typeof value === 'string' && HEADER.test(value) ? null : 'must be the name of a header in small letters';
const tolerance: Check = (value) =>
  Number.isInteger(value) && (value as number) >= 1 && (value as number) <= 3600
    ? null
    : 'must be a whole number of seconds from 1 to 3600';
const oneOf =
  (known: readonly string[]): Check =>
  (value) =>
    known.includes(value as string) ? null : `must be one of ${known.join(', ')}`;
const text =
  (form: RegExp, most: number, problem: string): Check =>
  (value) =>
    typeof value === 'string' && [...value].length <= most && form.test(value) ? null : problem;

interface SchemeFields {
  needed: Record<string, Check>;
  optional?: Record<string, Check>;
}

const SIGNED_WITH_TIME: SchemeFields = { needed: { secret }, optional: { tolerance } };

const FIELDS: Record<Scheme, SchemeFields> = {
  'standard-webhooks': SIGNED_WITH_TIME,
  stripe: SIGNED_WITH_TIME,
  slack: SIGNED_WITH_TIME,
  github: { needed: { secret } },
  gitlab: { needed: { secret } },
  shopify: { needed: { secret } },
  hmac: {
    needed: { secret, header, algorithm: oneOf(ALGORITHMS), encoding: oneOf(ENCODINGS) },
    optional: {
      prefix: text(/^[\x21-\x7e]+$/, 50, 'must be 1 to 50 printable characters without blanks'),
      signed: text(SIGNED, 200, 'must have {body}, and of braces besides only {timestamp} and {id}'),
      timestampHeader: header,
      idHeader: header,
      tolerance,
      verifyToken: secret,
    },
  },
  basic: {
    needed: {
      username: text(/^[^:\p{Cc}]+$/u, 100, 'must be 1 to 100 characters without a colon'),
      secret,
    },
  },
  token: { needed: { secret }, optional: { header } },
  none: { needed: {} },
};

const SCHEMES = Object.keys(FIELDS) as Scheme[];

/**
 * A rule of verifying as it was sent.
 *
 * @throws InvalidRequest naming each place
 */
export function parseVerify(sent: Record<string, unknown>): VerifyConfig {
  const { scheme, ...given } = sent;
  if ('tolerance' in given) given['tolerance'] = asSeconds(given['tolerance']);
  if (!SCHEMES.includes(scheme as Scheme)) {
    throw InvalidRequest.at('verify.scheme', `must be one of ${SCHEMES.join(', ')}`);
  }
  const { needed, optional = {} } = FIELDS[scheme as Scheme];
  const checks = { ...needed, ...optional };
  const details: ErrorDetail[] = [];
  for (const name of Object.keys(given)) {
    if (!Object.hasOwn(checks, name))
      details.push({ path: `verify.${name}`, message: `is not a field of ${String(scheme)}` });
  }
  for (const [name, check] of Object.entries(checks)) {
    if (given[name] === undefined && !Object.hasOwn(needed, name)) continue;
    const message = check(given[name]);
    if (message !== null) details.push({ path: `verify.${name}`, message });
  }
  if (details.length === 0) details.push(...missingHeaders(given));
  if (details.length > 0) throw InvalidRequest.listing(details);
  return { scheme, ...given } as unknown as VerifyConfig;
}

/** What is signed has to come from somewhere. */
function missingHeaders({ signed, timestampHeader, idHeader, tolerance: seconds }: Record<string, unknown>) {
  const details: ErrorDetail[] = [];
  const takes = (part: string): boolean => typeof signed === 'string' && signed.includes(part);
  if (takes('{timestamp}') && timestampHeader === undefined)
    details.push({ path: 'verify.timestampHeader', message: 'is needed, since the timestamp is signed' });
  if (takes('{id}') && idHeader === undefined)
    details.push({ path: 'verify.idHeader', message: 'is needed, since the id is signed' });
  if (
    typeof signed === 'string' &&
    !takes('{timestamp}') &&
    timestampHeader !== undefined &&
    seconds !== undefined
  )
    details.push({
      path: 'verify.signed',
      message: 'must have {timestamp}: one that is not signed proves nothing',
    });
  return details;
}

import { secondsForm } from '../../core/http/index.js';
import { SECRET_NAME } from '../../secrets/index.js';
import { HEADER } from './parse-verify.js';
import { ALGORITHMS, ENCODINGS, DEFAULT_TOLERANCE } from './verify-config.js';

const secret = {
  type: 'string',
  pattern: SECRET_NAME.source,
  description: 'The name of a secret of the workspace.',
};
const header = { type: 'string', pattern: HEADER.source };
const tolerance = {
  ...secondsForm({ type: 'integer', minimum: 1, maximum: 3600, default: DEFAULT_TOLERANCE }),
  description: 'How far the timestamp of a request may be away, in seconds or as a text such as `5m`.',
};

function scheme(names: string[], properties: Record<string, object>, optional: string[] = []) {
  return {
    type: 'object',
    properties: { scheme: { type: 'string', enum: names }, ...properties },
    required: ['scheme', ...Object.keys(properties).filter((name) => !optional.includes(name))],
    additionalProperties: false,
  };
}

/** For the OpenAPI document: a rule of verifying by its scheme. */
export const VERIFY_SCHEMA = {
  title: 'HookVerification',
  description:
    'How requests prove where they come from, checked over the bytes as they were sent and in constant time. `none` takes an owner in person.',
  example: { scheme: 'github', secret: 'GITHUB_WEBHOOK_SECRET' },
  oneOf: [
    scheme(['standard-webhooks', 'stripe', 'slack'], { secret, tolerance }, ['tolerance']),
    scheme(['github', 'gitlab', 'shopify'], { secret }),
    scheme(
      ['hmac'],
      {
        secret,
        header,
        algorithm: { type: 'string', enum: [...ALGORITHMS] },
        encoding: { type: 'string', enum: [...ENCODINGS] },
        prefix: { type: 'string', pattern: '^[\\x21-\\x7e]+$', maxLength: 50 },
        signed: {
          type: 'string',
          maxLength: 200,
          default: '{body}',
          description: 'What is signed, of `{body}`, `{timestamp}` and `{id}`: such as `{timestamp}.{body}`.',
        },
        timestampHeader: header,
        idHeader: header,
        tolerance,
        verifyToken: {
          ...secret,
          description: 'The secret that Meta shows as `hub.verify_token` when it looks at the address.',
        },
      },
      ['prefix', 'signed', 'timestampHeader', 'idHeader', 'tolerance', 'verifyToken'],
    ),
    scheme(['basic'], {
      username: { type: 'string', pattern: '^[^:\\x00-\\x1f\\x7f-\\x9f]+$', maxLength: 100 },
      secret,
    }),
    scheme(['token'], { secret, header }, ['header']),
    scheme(['none'], {}),
  ],
};

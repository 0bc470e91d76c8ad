import type { Header, Reference } from './document.js';

/** Every header that a response can have besides those of HTTP itself. */
export const HEADERS: Record<string, Header> = {
  'x-request-id': {
    description: 'Identifies the request. Tell it to the operator to have it found in the log.',
    schema: { type: 'string' },
  },
  RateLimit: {
    description:
      'What is left of the limit, and in how many seconds it is whole again: `"requests";r=99;t=1`. Of several limits, it is the one of which least is left: `requests` of the credential, `person` of all sessions, tokens and apps of its person, `workspace` of all API keys of its workspace.',
    schema: { type: 'string' },
  },
  'RateLimit-Policy': {
    description: 'The limit: how many requests in which window of seconds: `"requests";q=600;w=60`.',
    schema: { type: 'string' },
  },
  'Retry-After': {
    description: 'In how many seconds it is worth trying again.',
    schema: { type: 'integer', minimum: 0 },
  },
  'Idempotent-Replayed': {
    description:
      '`true` when this is the response that the first request got with the same `Idempotency-Key`.',
    schema: { type: 'string', enum: ['true'] },
  },
  'Cache-Control': {
    description: 'Answers in JSON are `no-store`: nobody on the way may keep them.',
    schema: { type: 'string' },
  },
  Allow: { description: 'The methods that the path takes.', schema: { type: 'string' } },
  'WWW-Authenticate': {
    description:
      'How to show who asks. With a 403, only where a scope is missing: `Bearer error="insufficient_scope"` with the scopes to ask for.',
    schema: { type: 'string' },
  },
};

export function headers(...names: string[]): Record<string, Reference> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

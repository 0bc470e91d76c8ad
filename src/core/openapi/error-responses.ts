import type { AccessRule } from '../access/index.js';
import { ERROR_CODES, type ErrorCode } from '../errors/index.js';
import { type ApiRoute, isRepeatable } from './open-api-route-describer.js';
import { isReference, type Operation, type Response, type Schema } from './document.js';
import { headers } from './headers.js';

const CODES = Object.keys(ERROR_CODES) as ErrorCode[];

/** The envelope that every error comes in. */
export const ERROR_SCHEMA: Schema = {
  type: 'object',
  required: ['error'],
  properties: {
    error: {
      type: 'object',
      required: ['code', 'message', 'requestId', 'docs'],
      properties: {
        code: { type: 'string', enum: CODES, description: 'What went wrong, for programs to branch on.' },
        message: { type: 'string', description: 'What went wrong, for people. It may change.' },
        requestId: { type: 'string', description: 'The same as in the header `x-request-id`.' },
        docs: { type: 'string', format: 'uri', description: 'Where this code is explained.' },
        details: {
          type: 'array',
          description: 'Each wrong place of the request.',
          items: {
            type: 'object',
            required: ['path', 'message'],
            properties: {
              path: { type: 'string', description: 'Where, in dotted form: `inputs.city`.' },
              message: { type: 'string', description: 'What is wrong there.' },
            },
          },
        },
      },
    },
  },
};

/** One response per status, with an example of each of its codes. */
export function errorResponses(): Record<string, Response> {
  return {
    ...Object.fromEntries(statuses().map((status) => [nameOf(status), responseOf(status)])),
    HeadersTooLarge: {
      ...responseOf(431),
      description: 'The headers of the request are larger than 16 KiB (`invalid_request`).',
      headers: headers('x-request-id', 'Cache-Control'),
    },
  };
}

/** Adds the errors of a route, by who may use it and what it takes. What the route declares itself is kept. */
export function addErrors(operation: Operation, route: ApiRoute): void {
  for (const status of errorsOf(route, operation)) {
    operation.responses[status] ??= { $ref: `#/components/responses/${nameOf(status)}` };
  }
  operation.responses['431'] = { $ref: '#/components/responses/HeadersTooLarge' };
  for (const [status, response] of Object.entries(operation.responses)) {
    if (Number(status) >= 400 && !isReference(response)) complete(response, Number(status));
  }
}

function errorsOf(route: ApiRoute, operation: Operation): number[] {
  const { path, rule } = route;
  const closed = rule !== 'public';
  return [
    400,
    ...(closed ? [401, 403, 429] : []),
    ...(path.includes('{') || hidden(rule) ? [404] : []),
    ...(isRepeatable(route) ? [409, 422] : []),
    ...(operation.requestBody ? [413, 415] : []),
    421,
    500,
    503,
  ];
}

/** Where personal access tokens are switched off, their routes are not there. */
function hidden(rule: AccessRule): boolean {
  return rule === 'personal_token';
}

function complete(response: Response, status: number): void {
  const standard = responseOf(status);
  response.description ||= standard.description;
  response.headers = { ...standard.headers, ...response.headers };
  response.content ??= standard.content ?? {};
}

function responseOf(status: number): Response {
  const codes = CODES.filter((code) => ERROR_CODES[code].status === status);
  return {
    description: codes.map((code) => `\`${code}\`: ${ERROR_CODES[code].title}.`).join(' ') || 'An error.',
    headers: headers(
      'x-request-id',
      'Cache-Control',
      'RateLimit',
      'RateLimit-Policy',
      ...extraHeaders(status),
    ),
    content: {
      'application/json': {
        schema: { $ref: '#/components/schemas/Error' },
        ...(codes.length > 0 && {
          examples: Object.fromEntries(codes.map((code) => [code, exampleOf(code)])),
        }),
      },
    },
  };
}

function extraHeaders(status: number): string[] {
  if (status === 401 || status === 403) return ['WWW-Authenticate'];
  if (status === 405) return ['Allow'];
  if (status === 404) return ['Idempotent-Replayed'];
  if (status === 409) return ['Idempotent-Replayed', 'Retry-After'];
  return status === 429 || status === 503 ? ['Retry-After'] : [];
}

function exampleOf(code: ErrorCode): { summary: string; value: unknown } {
  const { title } = ERROR_CODES[code];
  const requestId = 'req_5f0c3ab7d1e94c2f8a6b1d30';
  const details = code === 'invalid_request' && { details: [{ path: 'name', message: 'must be a string' }] };
  const docs = `https://gatehouse.example.com/docs/errors#${code}`;
  return { summary: title, value: { error: { code, message: `${title}.`, requestId, docs, ...details } } };
}

function statuses(): number[] {
  return [...new Set(CODES.map((code) => ERROR_CODES[code].status as number))];
}

/** Named for the first code of the status: 400 is `InvalidRequest`. */
function nameOf(status: number): string {
  const code = CODES.find((name) => ERROR_CODES[name].status === status)!;
  return code.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

import { type Answer, type Client, createClient, type Json } from '../../libs/testing/index.js';

interface Route {
  pattern: RegExp;
  path: string;
  operation: Json;
}

const JSON_TYPE = 'application/json';
/** What another specification describes. */
const OTHERS = ['/mcp'];
/** `/v1/runs/statistics` before `/v1/runs/{id}`. */
const byParameters = (a: Route, b: Route): number => parameters(a) - parameters(b);
const parameters = ({ path }: Route): number => path.split('{').length;
const pointer = (...parts: unknown[]): string =>
  parts.map((part) => `/${encodeURIComponent(`${part}`.replaceAll('/', '~1'))}`).join('');

/**
 * Compares answers with an OpenAPI document, both ways: each has the fields that are required there, and no field that is not
 * there.
 */
export class AnswerCheck {
  private readonly ajv = addFormats.default(new Ajv2020({ strict: false, allErrors: true }));
  private readonly routes: Map<string, Route[]> = new Map();
  private readonly compiled = new Map<string, ValidateFunction>();

  constructor(document: Json) {
    this.ajv.addSchema({ $id: 'document', ...closed(document) });
    for (const [path, item] of Object.entries<Json>(document.paths)) {
      if (OTHERS.includes(path)) continue;
      const pattern = new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`);
      for (const [method, operation] of Object.entries<Json>(item)) {
        const routes = this.routes.get(method) ?? [];
        this.routes.set(method, [...routes, { pattern, path, operation }].sort(byParameters));
      }
    }
  }

  /** @returns what differs, or null; also null for a route that the document does not have */
  problem(method: string, path: string, { status, headers, body }: Answer): string | null {
    const pathname = path.split('?')[0]!;
    const route = this.routes.get(method)?.find(({ pattern }) => pattern.test(pathname));
    if (!route) return null;
    const name = `${method.toUpperCase()} ${route.path}: ${status}`;
    const response = route.operation.responses[status];
    if (!response) return `${name} is not documented`;
    if (!headers.get('content-type')?.startsWith('application/json')) return null;
    const validate = response.$ref
      ? this.validate(response.$ref.slice(1))
      : response.content?.[JSON_TYPE] &&
        this.validate(pointer('paths', route.path, method, 'responses', status));
    if (!validate || validate(body)) return null;
    const differences = validate.errors!.map(
      ({ instancePath, message, params }: ErrorObject) =>
        `${instancePath} ${message} ${JSON.stringify(params)}`,
    );
    return `${name} is not as documented: ${differences.join('; ')}`;
  }

  private validate(response: string): ValidateFunction {
    const $ref = `document#${response}${pointer('content', JSON_TYPE, 'schema')}`;
    const validate = this.compiled.get($ref) ?? this.ajv.compile({ $ref });
    this.compiled.set($ref, validate);
    return validate;
  }
}

/** @returns the client, whose every answer is checked against the document that its service has */
export function withChecks(client: Client, baseUrl: string): Client {
  const check = checkOf(baseUrl);
  const checked = async (method: string, path: string, sent: Promise<Answer>): Promise<Answer> => {
    const answer = await sent;
    const problem = (await check).problem(method, path, answer);
    if (problem !== null) throw new Error(problem);
    return answer;
  };
  return {
    get: (path, headers) => checked('get', path, client.get(path, headers)),
    delete: (path, headers) => checked('delete', path, client.delete(path, headers)),
    post: (path, body, headers) => checked('post', path, client.post(path, body, headers)),
    put: (path, body, headers) => checked('put', path, client.put(path, body, headers)),
    patch: (path, body, headers) => checked('patch', path, client.patch(path, body, headers)),
  };
}

const checks = new Map<string, Promise<AnswerCheck>>();

function checkOf(baseUrl: string): Promise<AnswerCheck> {
  const check =
    checks.get(baseUrl) ??
    createClient({ baseUrl })
      .get('/v1/openapi.json')
      .then(({ body }) => new AnswerCheck(body));
  checks.set(baseUrl, check);
  return check;
}

/** The same document, where an object has only the properties that it names. */
function closed(schema: Json): Json {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== 'object' || schema === null) return schema;
  const entries = Object.entries<Json>(schema).map(([key, value]) => [key, closed(value)]);
  const isOpen = schema.properties && schema.type === 'object' && schema.additionalProperties === undefined;
  return { ...Object.fromEntries(entries), ...(isOpen && { additionalProperties: false }) };
}

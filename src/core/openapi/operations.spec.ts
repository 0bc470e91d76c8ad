import { describe, expect, it } from 'vitest';

import type { ApiRoute } from './open-api-route-describer.js';
import type { ApiDocument, Operation } from './document.js';
import { completeOperations } from './operations.js';

function completed(route: Partial<ApiRoute>, operation: Partial<Operation> = {}): Operation {
  const whole: ApiRoute = {
    method: 'get',
    path: '/v1/things',
    operationId: 'things.list',
    tag: 'Things',
    rule: { scope: 'runs:read', role: 'guest', reach: 'own' },
    byLink: false,
    requestTypes: [],
    ...route,
  };
  const document: ApiDocument = {
    openapi: '3.1.0',
    paths: { [whole.path]: { [whole.method]: { responses: { 200: { description: '' } }, ...operation } } },
    components: { schemas: {}, responses: {}, headers: {}, parameters: {} },
  };
  completeOperations(document, [whole]);
  expect(document.tags).toEqual([{ name: whole.tag }]);
  return document.paths[whole.path]![whole.method]!;
}

const statuses = (operation: Operation): string => Object.keys(operation.responses).join(' ');
const body = { content: { 'application/json': { schema: {} } } };

describe('completeOperations', () => {
  it('derives the errors from who may use the route and what it takes', () => {
    expect(statuses(completed({}))).toBe('200 400 401 403 421 429 431 500 503');
    expect(statuses(completed({ rule: 'public' }))).toBe('200 400 421 431 500 503');
    expect(statuses(completed({ method: 'post', rule: 'public', byLink: true }))).toBe(
      '200 400 409 421 422 431 500 503',
    );
    expect(statuses(completed({ rule: 'personal_token' }))).toBe('200 400 401 403 404 421 429 431 500 503');
    expect(statuses(completed({ path: '/v1/things/{id}', method: 'delete' }))).toBe(
      '200 400 401 403 404 409 421 422 429 431 500 503',
    );
    expect(statuses(completed({ method: 'post' }, { requestBody: body }))).toBe(
      '200 400 401 403 409 413 415 421 422 429 431 500 503',
    );
  });

  it('completes an error that the route declares itself', () => {
    const operation = completed(
      {},
      { responses: { 200: { description: '' }, 403: { description: 'Owners only.' } } },
    );
    expect(operation.responses['403']).toMatchObject({
      description: 'Owners only.',
      content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
    });
    expect(operation.responses['400']).toEqual({ $ref: '#/components/responses/InvalidRequest' });
  });

  it('splits the comment into summary and description, and adds who may', () => {
    const rule = { scope: 'runs:write', role: 'admin', roleByToken: 'owner', reach: 'all' } as const;
    const operation = completed({ rule }, { summary: 'List things. Newest first.', description: 'Or\nso.' });
    expect(operation.summary).toBe('List things');
    expect(operation.description).toBe(
      'Newest first.\n\nOr so.\n\nNeeds the scope `runs:write`, the role admin, with a personal access token the role owner. Refused to a credential that is bound to an environment.',
    );
    expect(completed({ rule: { role: 'guest', reach: 'shared' } }).description).toBe(
      'For everyone in the workspace. Open to a credential that is bound to an environment. Refused to an API key with scopes.',
    );
    expect(completed({ rule: { role: 'admin', kinds: ['session'], reach: 'all' } }).description).toBe(
      'Needs the role admin.',
    );
    expect(completed({ rule: 'public' }).security).toEqual([]);
  });

  it('describes path parameters that nobody described', () => {
    const described = (path: string, name: string): string | undefined => {
      const operation = completed({ path }, { parameters: [{ name, in: 'path' }] });
      return (operation.parameters![0] as { description?: string }).description;
    };
    expect(described('/v1/scripts/{slug}', 'slug')).toBe('The slug of the script.');
    expect(described('/v1/workspace/api-keys/{id}', 'id')).toBe('The id of the API key.');
    expect(described('/v1/workspace/deliveries/{deliveryId}/x', 'deliveryId')).toBe(
      'The id of the delivery.',
    );
    expect(described('/v1/workspace/environments/{idOrName}', 'idOrName')).toBe(
      'The id or name of the environment.',
    );
    expect(described('/v1/agents/{agent}', 'agent')).toBe('The agent.');
  });

  it('names shared headers once, and the key where a request can be sent again', () => {
    const header = { name: 'x-workspace', in: 'header' } as const;
    const key = { $ref: '#/components/parameters/IdempotencyKey' };
    expect(completed({}, { parameters: [header] }).parameters).toEqual([
      { $ref: '#/components/parameters/XWorkspace' },
    ]);
    expect(completed({ method: 'post' }).parameters).toEqual([key]);
    expect(completed({ method: 'post', rule: 'public' }).parameters).toEqual([]);
    expect(completed({ method: 'post', rule: 'public', byLink: true }).parameters).toEqual([key]);
    const [success, closed] = [
      completed({ method: 'post' }).responses['200'],
      completed({}).responses['200'],
    ];
    expect(Object.keys((success as { headers: object }).headers)).toContain('Idempotent-Replayed');
    expect(Object.keys((closed as { headers: object }).headers)).toEqual([
      'x-request-id',
      'Cache-Control',
      'RateLimit',
      'RateLimit-Policy',
    ]);
  });
});

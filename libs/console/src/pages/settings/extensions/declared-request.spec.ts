import { describe, expect, it } from 'vitest';

import { declaredRequest } from './declared-request.js';

const ROUTES = ['GET /v1/tickets', 'DELETE /v1/tickets/{id}', 'PUT /v1/tickets/{id}/notes/{note}'];

describe('a request of an embedded page', () => {
  it.each([
    ['GET', '/v1/tickets'],
    ['GET', '/v1/tickets?limit=5&cursor=a%2Fb'],
    ['DELETE', '/v1/tickets/tkt_1'],
    ['DELETE', '/v1/tickets/a%20b'],
    ['PUT', '/v1/tickets/1/notes/2'],
  ])('is made where it is declared: %s %s', (method, path) => {
    expect(declaredRequest({ method, path }, ROUTES)).toEqual({ method, path });
  });

  it.each<[unknown, unknown]>([
    ['POST', '/v1/tickets'],
    ['get', '/v1/tickets'],
    ['GET', '/v1/tickets/tkt_1'],
    ['GET', '/v1/ticketsx'],
    ['GET', '/v1/tickets/'],
    ['GET', 'v1/tickets'],
    ['GET', '//evil.example/v1/tickets'],
    ['GET', '/\\evil.example/v1/tickets'],
    ['GET', 'https://evil.example/v1/tickets'],
    ['GET', '/v1/secrets/../tickets'],
    ['GET', '/v1/secrets/%2e%2e/tickets'],
    ['GET', '/v1/tickets#x'],
    ['GET', '/v1/tick\tets'],
    ['GET', ' /v1/tickets'],
    ['DELETE', '/v1/tickets/..'],
    ['DELETE', '/v1/tickets/%2e%2e'],
    ['DELETE', '/v1/tickets/%2E.'],
    ['DELETE', '/v1/tickets/a%2f..%2f..%2fsecrets'],
    ['DELETE', '/v1/tickets/a%5c..'],
    ['DELETE', '/v1/tickets/a%252f'],
    ['DELETE', '/v1/tickets/a\\b'],
    ['DELETE', '/v1/tickets/'],
    ['DELETE', '/v1/tickets/a/b'],
    ['DELETE', '/v1/tickets/a%zz'],
    [undefined, '/v1/tickets'],
    ['GET', ['/v1/tickets']],
    ['GET', null],
  ])('is refused: %j %j', (method, path) => {
    expect(declaredRequest({ method, path }, ROUTES)).toBeNull();
  });

  it('has a body where its method has one', () => {
    const path = '/v1/tickets/1/notes/2';
    expect(declaredRequest({ method: 'PUT', path, body: { text: 'a' } }, ROUTES)).toEqual({
      method: 'PUT',
      path,
      body: { text: 'a' },
    });
    expect(declaredRequest({ method: 'GET', path: '/v1/tickets', body: 1 }, ROUTES)).not.toHaveProperty(
      'body',
    );
  });
});

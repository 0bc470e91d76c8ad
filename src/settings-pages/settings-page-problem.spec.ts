import { describe, expect, it } from 'vitest';

import { embeddedDocument } from './embedded-document.js';
import { settingsPageProblem } from './settings-page-problem.js';

const form = {
  title: 'Tickets',
  path: '/v1/tickets/settings',
  schema: {
    type: 'object' as const,
    properties: {
      days: { type: 'integer' as const, minimum: 1 },
      token: { type: 'string' as const, writeOnly: true as const },
    },
    required: ['days'],
  },
};
const embedded = { title: 'Board', routes: ['GET /v1/tickets'], html: '<p>Tickets</p>' };

describe('a page in the settings', () => {
  it('is a form or embedded', () => {
    expect(settingsPageProblem(form)).toBeNull();
    expect(settingsPageProblem(embedded)).toBeNull();
    expect(settingsPageProblem({ title: 'Neither' })).toMatch(/is either a form/);
    expect(settingsPageProblem({ ...form, ...embedded })).toMatch(/is either a form/);
  });

  it.each<[object, RegExp]>([
    [{ ...form, title: '' }, /no title/],
    [{ ...form, title: 'a\nb' }, /no title/],
    [{ ...form, title: 'x'.repeat(41) }, /no title/],
    [{ ...form, description: 'a\u0000' }, /a description that is no text/],
    [{ ...form, path: '/v1/tickets/{id}' }, /no `path` without parameters/],
    [{ ...embedded, routes: 'GET /v1/tickets' }, /no list `routes`/],
    [{ ...embedded, html: 'é'.repeat(600_000) }, /no `html` of up to 1 MiB/],
  ])('is refused as %j', (page, problem) => {
    expect(settingsPageProblem(page)).toMatch(problem);
  });

  it.each<[object, RegExp]>([
    [{ type: 'array' }, /schema of an object/],
    [{ type: 'object', properties: {} }, /1 to 50 properties/],
    [{ ...form.schema, oneOf: [] }, /"oneOf", which forms do not know/],
    [{ ...form.schema, properties: { 'a.b': { type: 'string' } } }, /is not a word/],
    [{ ...form.schema, properties: { __proto__x: {} } }, /is not a word/],
    [{ ...form.schema, properties: { days: { type: 'object' } } }, /whose "type" forms do not know/],
    [{ ...form.schema, properties: { days: { type: 'string', pattern: '(' } } }, /whose "pattern"/],
    [{ ...form.schema, properties: { days: { type: 'string', $ref: '#' } } }, /whose "\$ref"/],
    [{ ...form.schema, properties: { days: { type: 'integer', writeOnly: true } } }, /a secret and no text/],
    [{ ...form.schema, required: ['hours'] }, /requires "hours"/],
    [{ ...form.schema, required: ['token'] }, /requires "token", which is no field or is written only/],
  ])('is no form with the schema %j', (schema, problem) => {
    expect(settingsPageProblem({ ...form, schema } as never)).toMatch(problem);
  });
});

it('keeps the title of an embedded page from ending anything', () => {
  const html = embeddedDocument({ title: '</title><script>alert(1)</script>', html: '' });
  expect(html).toContain('<title>&#60;/title&#62;&#60;script&#62;');
});

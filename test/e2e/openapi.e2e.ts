import 'reflect-metadata';

import { type DynamicModule, RequestMethod, type Type } from '@nestjs/common';
import { METHOD_METADATA, MODULE_METADATA, PATH_METADATA } from '@nestjs/common/constants.js';
import { Validator } from '@seriousme/openapi-schema-validator';
import { beforeAll, describe, expect, it } from 'vitest';

import type { Json } from '../../libs/testing/index.js';
import { AUDIT_ACTIONS } from '../../src/audit/audit.actions.js';
import { AppModule } from '../../src/app.module.js';
import { Settings } from '../../src/core/config/settings.js';
import { ConnectionOptions } from '../../src/core/database/connection-options.js';
import { ERROR_CODES } from '../../src/core/errors/error-codes.js';
import { AnswerCheck } from '../support/answer-check.js';
import { baseUrl, client, newWorkspace } from '../support/gatehouse.js';
import { send } from '../support/raw-http.js';

interface Described {
  name: string;
  method: string;
  path: string;
  operation: Json;
}

/** What it takes and gives is another specification's. */
const MCP = 'POST /mcp';

let document: Json;
let operations: Described[];

beforeAll(async () => {
  const answer = await client().get('/v1/openapi.json');
  expect(answer.status).toBe(200);
  document = answer.body;
  operations = Object.entries<Json>(document.paths).flatMap(([path, item]) =>
    Object.entries<Json>(item).map(([method, operation]) => ({
      name: `${method.toUpperCase()} ${path}`,
      method,
      path,
      operation,
    })),
  );
});

/** What `$ref` points to, or the value itself. */
function resolved(value: Json): Json {
  if (!value?.$ref) return value;
  return resolved(
    (value.$ref as string)
      .slice(2)
      .split('/')
      .reduce((part, key) => part[key], document),
  );
}

const parametersOf = (operation: Json): Json[] => (operation.parameters ?? []).map(resolved);
const isClosed = ({ operation }: Described): boolean => operation.security.length > 0;
const isChange = ({ method, path }: Described): boolean => method !== 'get' && path.startsWith('/v1/');
/** Where the token of a link stands for a credential. */
const BY_LINK = [
  'POST /v1/auth/reset',
  'POST /v1/invitations/{token}/accept',
  'POST /v1/invitations/{token}/decline',
];
const takesAKey = (described: Described): boolean =>
  isChange(described) && (isClosed(described) || BY_LINK.includes(described.name));

/** Every controller of the application, found without starting it. */
const EXCLUDED = 'swagger/apiExcludeController';

function controllersOf(
  module: Type | DynamicModule | Promise<DynamicModule>,
  seen = new Set<unknown>(),
): Type[] {
  if (seen.has(module) || (typeof module !== 'object' && typeof module !== 'function')) return [];
  seen.add(module);
  const dynamic = 'module' in module ? module : null;
  const type = (dynamic?.module ?? module) as Type;
  const listed = (key: string): Json[] => [
    ...((Reflect.getMetadata(key, type) as Json[] | undefined) ?? []),
    ...((dynamic?.[key as keyof DynamicModule] as Json[] | undefined) ?? []),
  ];
  const imported = listed(MODULE_METADATA.IMPORTS).flatMap((item) =>
    controllersOf(item?.forwardRef?.() ?? item, seen),
  );
  return [...listed(MODULE_METADATA.CONTROLLERS), ...imported];
}

function routesOf(controller: Type): string[] {
  const prototype = controller.prototype as Record<string, object>;
  return Object.entries(Object.getOwnPropertyDescriptors(prototype))
    .filter(([, { value }]) => typeof value === 'function' && Reflect.hasMetadata(METHOD_METADATA, value))
    .map(([name]) => name)
    .map((name) => {
      const paths = [controller, prototype[name]!].map(
        (target) => Reflect.getMetadata(PATH_METADATA, target) as string,
      );
      const path = paths
        .join('/')
        .split('/')
        .filter(Boolean)
        .join('/')
        .replace(/:(\w+)/g, '{$1}');
      return `${RequestMethod[Reflect.getMetadata(METHOD_METADATA, prototype[name]!) as number]} /${path}`;
    });
}

describe('GET /v1/openapi.json', () => {
  it('is a valid OpenAPI 3.1 document of version 1.0.0', async () => {
    const validator = new Validator();
    const { valid, errors } = await validator.validate(structuredClone(document));
    expect(errors).toBeUndefined();
    expect(valid).toBe(true);
    expect(document.openapi).toMatch(/^3\.1\./);
    expect(document.info).toMatchObject({ title: 'Gatehouse', version: '1.0.0' });
    expect(document.servers).toEqual([{ url: baseUrl() }]);
  });

  it('has every reference in it that it makes', () => {
    const references = JSON.stringify(document).match(/"\$ref":"[^"]+"/g)!;
    for (const reference of new Set(references))
      expect(resolved(JSON.parse(`{${reference}}`)), reference).toBeTruthy();
  });

  it('is kept by who has it', async () => {
    const first = await client().get('/v1/openapi.json');
    const again = await client().get('/v1/openapi.json', { 'if-none-match': first.headers.get('etag')! });
    expect([again.status, again.text]).toEqual([304, '']);
    expect(first.headers.get('cache-control')).toBe('no-store');
    expect(again.headers.get('etag')).toBe(first.headers.get('etag'));
  });

  it('names every route that there is', () => {
    const application = AppModule.for(new Settings({}), new ConnectionOptions('postgres://nowhere', 2));
    // What OAuth's specifications describe is no part of our own interface.
    const isOurs = (controller: Type): boolean => !Reflect.hasMetadata(EXCLUDED, controller);
    const routes = [...new Set(controllersOf(application))].filter(isOurs).flatMap(routesOf);
    expect(routes.length).toBeGreaterThan(20);
    expect(operations.map(({ name }) => name).sort()).toEqual(routes.sort());
  });

  it('says of every operation what it is, under a name of its own', () => {
    for (const { name, operation } of operations) {
      expect(operation.summary, name).toMatch(/^\S.{3,99}[^.]$/);
      expect(operation.operationId, name).toMatch(/^[a-z]\w*\.[a-z]\w*$/);
      expect(operation.tags, name).toEqual([expect.stringMatching(/^[A-Z]/)]);
    }
    const ids = operations.map(({ operation }) => operation.operationId);
    expect(new Set(ids).size).toBe(ids.length);
    const tags = new Set(document.tags.map((tag: Json) => tag.name));
    for (const { operation } of operations) expect(tags).toContain(operation.tags[0]);
  });

  it('has a schema for every body, sent or returned', () => {
    for (const { name, operation } of operations) {
      const successes = Object.entries<Json>(operation.responses).filter(([status]) => Number(status) < 300);
      expect(successes.length, name).toBeGreaterThan(0);
      for (const [status, response] of successes) {
        expect(response.description, name).toMatch(/\S/);
        const isEmpty = status === '204' || (status === '202' && name === MCP);
        if (isEmpty) expect(response.content, name).toBeUndefined();
        else expectSchemas(response.content, `${name} ${status}`);
      }
      if (operation.requestBody) expectSchemas(operation.requestBody.content, `${name} body`);
    }
  });

  function expectSchemas(content: Json, name: string): void {
    expect(Object.keys(content ?? {}), name).not.toHaveLength(0);
    for (const { schema } of Object.values<Json>(content)) {
      expect(Object.keys(schema ?? {}), name).not.toHaveLength(0);
    }
  }

  it('has the errors and headers of every operation', () => {
    for (const described of operations) {
      const { name, path, operation } = described;
      const expected = [400, 421, 500, 503];
      if (isClosed(described)) expected.push(401, 403, 429);
      if (path.includes('{')) expected.push(404);
      if (takesAKey(described)) expected.push(409, 422);
      if (operation.requestBody) expected.push(413, 415);
      expect(Object.keys(operation.responses), name).toEqual(expect.arrayContaining(expected.map(String)));
      for (const [status, reference] of Object.entries<Json>(operation.responses)) {
        const response = resolved(reference);
        const headers = Object.keys(response.headers);
        expect(headers, name).toContain('x-request-id');
        // Too large headers are refused before anybody looks for a credential in them.
        if (isClosed(described) && status !== '431') expect(headers, name).toContain('RateLimit');
        if (['429', '503'].includes(status)) expect(headers, name).toContain('Retry-After');
        if (['401', '403'].includes(status)) expect(headers, name).toContain('WWW-Authenticate');
        // What the protocol refuses, it refuses in its own words; what is no message of it, in those or ours.
        if (Number(status) >= 400 && !(name === MCP && ['404', '406'].includes(status))) {
          const { schema } = response.content['application/json'];
          const ours = name === MCP && status === '400' ? schema.anyOf[0] : schema;
          expect(ours.$ref, name).toBe('#/components/schemas/Error');
        }
      }
    }
    expect(document.components.schemas.Error.properties.error.properties.code.enum).toEqual(
      Object.keys(ERROR_CODES).sort(),
    );
  });

  it('says that the token of an app opens what is for agents, and /mcp responds as the protocol says', () => {
    const withApps = operations.filter(({ operation }) =>
      operation.security.some((way: Json) => 'app' in way),
    );
    const kindsOf = ({ operation }: Described): string[] | undefined => operation['x-access']?.kinds;
    const forAgents = operations.filter(
      (described) => described.operation['x-access'] && (kindsOf(described)?.includes('agent') ?? true),
    );
    expect(withApps).toEqual(forAgents);
    const names = withApps.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining([MCP, 'GET /v1/runs', 'POST /v1/scripts/{slug}/runs']));
    expect(names).not.toContain('DELETE /v1/workspace');
    const { responses } = operations.find(({ name }) => name === MCP)!.operation;
    expect(Object.keys(responses)).toEqual(expect.arrayContaining(['200', '202', '404']));
  });

  it('describes every parameter, and offers Idempotency-Key wherever it is taken', () => {
    for (const described of operations) {
      const { name, path, operation } = described;
      const parameters = parametersOf(operation);
      for (const parameter of parameters) {
        expect(parameter.description, `${name} ${parameter.name}`).toMatch(/\S/);
        expect(parameter.schema, `${name} ${parameter.name}`).toBeTruthy();
      }
      const inPath = parameters
        .filter((parameter) => parameter.in === 'path')
        .map((parameter) => `{${parameter.name}}`);
      expect(inPath.sort(), name).toEqual((path.match(/\{\w+\}/g) ?? []).sort());
      const takesKey = parameters.some((parameter) => parameter.name === 'Idempotency-Key');
      expect(takesKey, name).toBe(takesAKey(described));
    }
  });

  it('has nothing of older versions in its schemas, and says what each field may be', () => {
    const walk = (schema: Json, place: string): void => {
      expect(schema, place).not.toHaveProperty('nullable');
      expect(schema, place).not.toHaveProperty('selfRequired');
      for (const [name, property] of Object.entries<Json>(schema.properties ?? {}))
        walk(property, `${place}.${name}`);
      if (schema.items) walk(schema.items, `${place}[]`);
    };
    for (const [name, schema] of Object.entries(document.components.schemas)) walk(schema, name);
  });

  it('names its schemas for what they are', () => {
    const names = Object.keys(document.components.schemas);
    expect(names.filter((name) => /Dto|RawJson/.test(name))).toEqual([]);
    expect(document.components.schemas.Run.properties.output).not.toHaveProperty('anyOf');
    expect(names).toEqual(
      expect.arrayContaining([
        ...['UserMe', 'Workspace', 'AuditEvent', 'Member', 'Invitation', 'ApprovalRequest', 'WorkspaceUsage'],
        ...['Team', 'WebhookEndpoint', 'WebhookEndpointCreated', 'WebhookDelivery', 'WebhookDeliveryOutcome'],
        ...[
          'Script',
          'ScriptStats',
          'ScriptDetail',
          'ScriptInput',
          'ScriptPatch',
          'ScriptVersion',
          'SecretUse',
        ],
        ...[
          'ScriptVersionInput',
          'SecretUseInput',
          'PublishRequested',
          'ScriptSettings',
          'ScriptSettingsPatch',
        ],
        ...['Schedule', 'ScheduleInput', 'SchedulePatch', 'Trigger', 'TriggerInput', 'TriggerPatch'],
        ...[
          'Run',
          'HeldRun',
          'RunInput',
          'RunLog',
          'File',
          'FileListItem',
          'Secret',
          'SecretValue',
          'SecretInput',
        ],
        ...['Environment', 'EnvironmentDetail', 'EnvironmentInput', 'EnvironmentPatch', 'Error'],
      ]),
    );
    expect(document.components.schemas.Run.required).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/^(inputs|output|files)$/)]),
    );
  });

  it('says which texts and headers there may be', () => {
    for (const { name, operation } of operations) {
      const parameters = parametersOf(operation);
      const cursor = parameters.find((parameter) => parameter.name === 'cursor');
      if (cursor) {
        expect(cursor.schema, name).toMatchObject({
          minLength: 63,
          maxLength: 63,
          pattern: '^[A-Za-z0-9_-]+$',
        });
      }
      for (const { in: place, schema } of parameters) {
        if (place === 'query' && schema.type === 'string' && !schema.enum)
          expect(schema.minLength, name).toBeGreaterThan(0);
      }
      const body = operation.requestBody?.content['application/json']?.schema;
      if (body && !resolved(body).required) expect(operation.requestBody.required, name).toBe(false);
      expect(operation.responses, name).toHaveProperty('431');
      for (const response of Object.values<Json>(operation.responses).map(resolved)) {
        const headers = Object.keys(response.headers);
        expect(headers, name).toEqual(expect.arrayContaining(['x-request-id', 'Cache-Control']));
        if (response.content?.['*/*']) {
          expect(headers).toEqual(expect.arrayContaining(['ETag', 'Content-Disposition']));
        }
      }
    }
    const { responses } = document.components;
    expect(Object.keys(responses.RateLimited.headers)).toContain('Retry-After');
    expect(Object.keys(responses.Conflict.headers)).toContain('Idempotent-Replayed');
    const { properties } = document.components.schemas.ScriptInput;
    expect(new RegExp(properties.name.pattern, 'u').test('A name')).toBe(true);
    for (const text of [' ', 'a\nb', 'a\0', '\u2028a']) {
      expect(new RegExp(properties.name.pattern, 'u').test(text)).toBe(false);
    }
    expect(new RegExp(properties.description.pattern, 'u').test('a\0')).toBe(false);
  });

  it('asks for a credential where there must be one', async () => {
    for (const described of operations) {
      const { name, path, method } = described;
      const answer = await send(path.replace(/\{\w+\}/g, 'x'), { method: method.toUpperCase() });
      if (isClosed(described)) expect([name, answer.status]).toEqual([name, 401]);
      else expect([name, answer.status]).not.toEqual([name, 401]);
    }
  });
});

describe('answers of the tests', () => {
  it('are compared with the document, both ways', async () => {
    const { owner, slug } = await newWorkspace();
    const answer = await client({ token: owner.token, workspace: slug }).get('/v1/workspace');
    const check = new AnswerCheck(document);
    const problemOf = (changed: Json): string | null =>
      check.problem('get', '/v1/workspace?x=1', { ...answer, ...changed });
    const { name, ...nameless } = answer.body;
    expect(problemOf({})).toBeNull();
    expect(problemOf({ body: nameless })).toMatch(/^GET \/v1\/workspace: 200 .* required property 'name'/);
    expect(problemOf({ body: { ...answer.body, colour: 'red' } })).toContain('"additionalProperty":"colour"');
    expect(problemOf({ body: { ...answer.body, name: [name] } })).toContain('/name must be string');
    expect(problemOf({ status: 418 })).toBe('GET /v1/workspace: 418 is not documented');
    expect(problemOf({ status: 403 })).toContain("required property 'error'");
  });
});

describe('GET /docs', () => {
  const POLICY = /^default-src 'none'; script-src 'self'; style-src 'self'/;

  it('is a page whose files all come from the service itself', async () => {
    const page = await client().get('/docs');
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(page.headers.get('content-security-policy')).toMatch(POLICY);
    const files = [...page.text.matchAll(/(?:src|href)="([^"#]+)"/g)].map((match) => match[1]!);
    expect(files).toContain('/v1/openapi.json');
    for (const file of files) {
      expect(file).toMatch(/^\//);
      const answer = await client().get(file);
      expect([file, answer.status]).toEqual([file, 200]);
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    }
  });

  it('keeps its files with the browser, and gives no others', async () => {
    const asset = await client().get('/docs/assets/swagger-ui.css');
    expect(asset.headers.get('cache-control')).toBe('public, max-age=3600');
    expect(asset.headers.get('content-type')).toBe('text/css; charset=utf-8');
    const again = await client().get('/docs/assets/swagger-ui.css', {
      'if-none-match': asset.headers.get('etag')!,
    });
    expect(again.status).toBe(304);
    for (const name of [
      'package.json',
      'index.html',
      '..%2fdocs.controller.js',
      '%2fetc%2fpasswd',
      'constructor',
    ]) {
      expect((await client().get(`/docs/assets/${name}`)).status, name).toBe(404);
    }
  });

  it('explains every error code, at the place where errors point to', async () => {
    const { body } = await client().get('/v1/nothing');
    const [page, anchor] = (body.error.docs as string).replace(baseUrl(), '').split('#');
    const { status, headers, text } = await client().get(page!);
    expect(status).toBe(200);
    expect(headers.get('content-security-policy')).toMatch(POLICY);
    expect(text).toContain(`id="${anchor}"`);
    for (const code of Object.keys(ERROR_CODES)) expect(text).toContain(`<section id="${code}">`);
  });

  it('explains every action of the audit trail', async () => {
    const { status, text } = await client().get('/docs/audit');
    expect(status).toBe(200);
    for (const action of Object.keys(AUDIT_ACTIONS)) expect(text).toContain(`<section id="${action}">`);
  });

  it('is a 404 for a page that there is not', async () => {
    expect((await client().get('/docs/nothing')).body.error.code).toBe('not_found');
  });
});

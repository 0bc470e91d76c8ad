import { beforeAll, describe, expect, it } from 'vitest';

import type { Answer, TestWorkspace } from '../../libs/testing/index.js';
import { ERROR_CODES, type ErrorCode } from '../../src/core/errors/error-codes.js';
import { database, newWorkspace } from '../support/gatehouse.js';
import { documentedRoutes } from './support/matrix/documented.js';
import { refusal } from './support/matrix/expectation.js';
import { type Principal, principalsOf } from './support/matrix/principals.js';
import { harmlessRequest, send } from './support/matrix/request.js';
import { nameless, routesOf } from './support/matrix/route-line.js';
import { ROUTES } from './support/matrix/routes.js';

const routes = routesOf(ROUTES);
let workspace: TestWorkspace;
let principals: Principal[];

beforeAll(async () => {
  workspace = await newWorkspace();
  principals = await principalsOf(workspace);
});

describe('the table of routes', () => {
  it('has a line for each route that there is, and for no other', async () => {
    const documented = (await documentedRoutes()).map(nameless).sort();
    const known = routes.map(({ name }) => nameless(name)).sort();
    expect(
      documented.filter((route) => !known.includes(route)),
      'say in routes.ts who may use these',
    ).toEqual([]);
    expect(
      known.filter((route) => !documented.includes(route)),
      'these are not served',
    ).toEqual([]);
  });
});

describe('who may use', () => {
  let before: unknown;
  beforeAll(async () => {
    before = await records();
  });

  it.each(routes.map((route) => [route.name, route] as const))('%s', async (_, route) => {
    const { path, body, allowed } = harmlessRequest(route);
    const scope = typeof route.access === 'object' ? route.access.scope : null;
    const answers = await Promise.all(
      principals.map(async (principal) => send(route.method, path, await principal.headers(scope), body)),
    );
    const seen = principals.map(({ name }, place) => [name, outcome(answers[place]!)]);
    const wanted = principals.map((principal) => [
      principal.name,
      outcomeOf(refusal(route, principal) ?? allowed),
    ]);
    expect(Object.fromEntries(seen)).toEqual(Object.fromEntries(wanted));
  });

  it('changes nothing by asking', async () => {
    expect(await records()).toEqual(before);
  });
});

/** The status, and of an error its code as well. */
function outcome({ status, body }: Answer): string {
  return status < 400 ? String(status) : `${status} ${body?.error?.code}`;
}

const CODES: Partial<Record<number, ErrorCode>> = {
  400: 'invalid_request',
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not_found',
};

function outcomeOf(status: number): string {
  const code = CODES[status];
  if (code && ERROR_CODES[code].status !== status) throw new Error(`${code} is not ${status}`);
  return code ? `${status} ${code}` : String(status);
}

async function records(): Promise<unknown> {
  const { rows } = await database().query(
    `SELECT (SELECT count(*) FROM audit_events WHERE workspace_id = $1 AND action <> ALL ($2)) AS audit,
       (SELECT count(*) FROM events WHERE workspace_id = $1) AS events`,
    // Those of the credentials that the asking itself is done with.
    [workspace.id, ['personal_token.created', 'api_key.created', 'app.connected']],
  );
  return rows;
}

import { describe, expect, it } from 'vitest';

import type { Answer } from '../../libs/testing/index.js';
import { connectApp } from './support/matrix/agent-grants.js';
import { refusal } from './support/matrix/expectation.js';
import type { Principal } from './support/matrix/principals.js';
import { bodyOf, fill, headersOf, send } from './support/matrix/request.js';
import {
  LISTED,
  NAMED_WITHIN,
  OF_AN_ENVIRONMENT,
  OF_AN_EXTENSION,
  OF_A_SCRIPT,
} from './support/matrix/resources.js';
import { type Route, routesOf } from './support/matrix/route-line.js';
import { ROUTES } from './support/matrix/routes.js';
import { snapshotOf } from './support/matrix/snapshot.js';
import { ChangedWorld, World, type WorldOptions, principal } from './support/matrix/world.js';

/** Every route that names a resource of somebody's. Whether the table is whole is seen in matrix.security.ts. */
const routes = routesOf(ROUTES).filter(
  ({ access, resources }) => access !== 'public' && resources.some((kind) => !OF_AN_EXTENSION.includes(kind)),
);
const naming = (kinds: readonly string[]) =>
  routes
    .filter(({ resources }) => kinds.includes(resources[0]!))
    .map((route) => [route.name, route] as const);

/** What nobody changes, as they only see that it is not there; and what whoever may does change. */
class Worlds {
  private readonly foreign: ChangedWorld;
  private readonly changed: ChangedWorld;

  constructor(options: WorldOptions = {}) {
    this.foreign = new ChangedWorld(options);
    this.changed = new ChangedWorld(options);
  }

  /** One with all that the route names. */
  async foreignFor(route: Route): Promise<World> {
    let found: World | undefined;
    await this.foreign.use(async (world) => {
      await world.addressesFor(route);
      found = world;
      return true;
    });
    return found!;
  }

  /** That the very request is good, so that a 404 has said something. */
  async seeThatItIsThere(route: Route, callerIn: (world: World) => Promise<Principal>): Promise<void> {
    let last: string | undefined;
    const isThere = await this.changed.use(async (world) => {
      const [caller, path] = [await callerIn(world), fill(route.path, await world.addressesFor(route))];
      const answer = await send(
        route.method,
        path,
        await headersOf(caller, route),
        await bodyOf(route, world),
      );
      last = `${caller.name}: ${answer.text}`;
      return outcome(answer) === 'there';
    });
    expect(isThere, last).toBe(true);
  }
}

const production = new Worlds();
const staging = new Worlds({ environment: 'staging' });
const restricted = new Worlds({ restricted: true });
let callers: Promise<World> | undefined;

const firstEntitled =
  (route: Route) =>
  async (world: World): Promise<Principal> =>
    (await world.entitled(route))[0]!;

describe("another workspace's resource is not there", () => {
  it.each(routes.map((route) => [route.name, route] as const))('%s', async (_, route) => {
    const theirs = await production.foreignFor(route);
    callers ??= World.open();
    const own = await (route.makes ? World.open() : callers);
    const paths = await pathsToForeign(route, theirs, own);
    const before = await snapshotOf(theirs.workspace);
    const body = await bodyOf(route, own);
    for (const caller of await own.entitled(route)) {
      for (const path of paths) {
        const answer = await send(route.method, path, await headersOf(caller, route), body);
        expect.soft(outcome(answer), `${caller.name}: ${path}`).toBe(route.makes ? 'there' : 'not there');
      }
    }
    expect(await snapshotOf(theirs.workspace)).toEqual(before);
    await production.seeThatItIsThere(route, firstEntitled(route));
  });
});

describe("another environment's resource is not there for a key that is bound to one", () => {
  it.each(naming(OF_AN_ENVIRONMENT))('%s', async (_, route) => {
    const world = await (route.makes ? World.open({ environment: 'staging' }) : staging.foreignFor(route));
    const path = fill(route.path, await world.addressesFor(route));
    const elsewhere = await boundKey(world, 'production');
    const before = await snapshotOf(world.workspace);
    const answer = await send(
      route.method,
      path,
      await headersOf(elsewhere, route),
      await bodyOf(route, world),
    );
    expect(outcome(answer)).toBe(refusal(route, elsewhere) ?? (route.makes ? 'there' : 'not there'));
    if (!route.makes) expect(await snapshotOf(world.workspace)).toEqual(before);
    if (refusal(route, await boundKey(world, 'staging')) === null)
      await staging.seeThatItIsThere(route, (changed) => boundKey(changed, 'staging'));
  });
});

describe("a team's script, with all that is its, is not there for others", () => {
  it.each(naming(OF_A_SCRIPT))('%s', async (_, route) => {
    const world = await restricted.foreignFor(route);
    const path = fill(route.path, await world.addressesFor(route));
    const outsiders = await outsidersOf(world);
    const before = await snapshotOf(world.workspace);
    for (const outsider of outsiders) {
      const answer = await send(
        route.method,
        path,
        await headersOf(outsider, route),
        await bodyOf(route, world),
      );
      expect.soft(outcome(answer), outsider.name).toBe(refusal(route, outsider) ?? 'not there');
    }
    expect(await snapshotOf(world.workspace)).toEqual(before);
    await restricted.seeThatItIsThere(route, firstEntitled(route));
  });
});

describe('lists show nothing of it either', () => {
  const lists = routesOf(ROUTES).filter(
    ({ method, access, resources, allowed }) =>
      method === 'GET' && access !== 'public' && resources.length === 0 && allowed === undefined,
  );

  /** Where each caller that may read a list sees one of these names in it. */
  async function sightings(callers: Principal[], names: string[]): Promise<string[]> {
    const seen = callers.flatMap((caller) =>
      lists
        .filter((list) => refusal(list, caller) === null)
        .map(async (list) => {
          const answer = await send('GET', list.path, await headersOf(caller, list));
          expect(answer.status, answer.text).toBe(200);
          return names
            .filter((name) => answer.text.includes(JSON.stringify(name)))
            .map((name) => `${list.name}: ${name}`);
        }),
    );
    return (await Promise.all(seen)).flat();
  }

  async function namesIn(world: World, kinds: readonly string[]): Promise<string[]> {
    const names: string[] = [];
    for (const kind of kinds) names.push(...(await world.addresses(kind)));
    return names;
  }

  const named = (seen: string[]): string[] => [...new Set(seen.map((line) => line.split(': ')[1]!))];

  it('of another workspace', async () => {
    const [theirs, own] = await Promise.all([World.open(), World.open()]);
    const names = await namesIn(theirs, LISTED);
    expect(await sightings(await own.entitled({ access: 'public' }), names)).toEqual([]);
    const toThem = await sightings(await theirs.entitled({ access: 'public' }), names);
    // The delivery of a test is listed nowhere but in the audit trail, which names it.
    expect(named(toThem).sort()).toEqual(names.sort());
  });

  it('of another environment, to a key or an app that is bound to one', async () => {
    const world = await World.open({ environment: 'staging' });
    const names = await namesIn(
      world,
      OF_AN_ENVIRONMENT.filter((kind) => LISTED.includes(kind)),
    );
    const seen = async (environment: string) =>
      sightings([await boundKey(world, environment), await boundAgent(world, environment)], names);
    expect(await seen('production')).toEqual([]);
    const delivery = await world.address('delivery');
    expect(named(await seen('staging')).sort()).toEqual(names.filter((name) => name !== delivery).sort());
  });

  it("of a team's script", async () => {
    const world = await World.open({ restricted: true });
    const names = await namesIn(
      world,
      OF_A_SCRIPT.filter((kind) => LISTED.includes(kind)),
    );
    expect(await sightings(await outsidersOf(world), names)).toEqual([]);
    expect(named(await sightings(await world.entitled({ access: 'public' }), names)).sort()).toEqual(
      names.sort(),
    );
  });
});

/** All of the path theirs, under each of its names; and one part theirs, the others one's own. */
async function pathsToForeign(route: Route, theirs: World, own: World): Promise<string[]> {
  const foreign = await Promise.all(route.resources.map((kind) => theirs.addresses(kind)));
  const [firsts, ...rest] = foreign;
  const paths = firsts!.map((first) => fill(route.path, [first, ...rest.map((names) => names[0]!)]));
  const places = route.resources.flatMap((kind, place) => (NAMED_WITHIN.includes(kind) ? [] : [place]));
  if (places.length < 2) return paths;
  const ours = await Promise.all(route.resources.map((kind) => own.address(kind)));
  return [
    ...paths,
    ...places.map((place) => fill(route.path, ours.toSpliced(place, 1, foreign[place]![0]!))),
  ];
}

async function boundAgent({ workspace: { owner, slug } }: World, environment: string): Promise<Principal> {
  const token = await connectApp({ person: owner, workspace: slug, environment });
  const headers = { authorization: `Bearer ${token}` };
  return principal(`agent of ${environment}`, 'agent', 'owner', headers, { bound: true });
}

async function boundKey(world: World, environment: string): Promise<Principal> {
  const authorization = `Bearer ${await world.workspace.apiKey(environment)}`;
  return principal(`key bound to ${environment}`, 'api_key', 'admin', { authorization }, { bound: true });
}

async function outsidersOf({ workspace }: World): Promise<Principal[]> {
  const there = { 'x-workspace': workspace.slug };
  const people = await Promise.all(
    (['member', 'guest'] as const).map(async (role) => ({ role, person: await workspace.person(role) })),
  );
  return people.flatMap(({ role, person }) => [
    principal(`${role} in the app`, 'session', role, { cookie: person.cookie, ...there }),
    principal(`${role} by token`, 'personal_token', role, {
      authorization: `Bearer ${person.token}`,
      ...there,
    }),
  ]);
}

/** A state that forbids it tells as much of a resource as success does. */
function outcome({ status }: Answer): 'there' | 'not there' | number {
  if (status < 300 || status === 409) return 'there';
  return status === 404 ? 'not there' : status;
}

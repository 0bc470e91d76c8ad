import type { Client, TestWorkspace } from '../../../../libs/testing/index.js';
import { client, newWorkspace } from '../../../support/gatehouse.js';
import { connectApp } from './agent-grants.js';
import { refusal } from './expectation.js';
import type { Principal } from './principals.js';
import { RESOURCES } from './resources.js';
import type { Route } from './route-line.js';

export interface WorldOptions {
  /** Where everything in it is made. */
  environment?: string;
  /** Its script is for a team that nobody is in. */
  restricted?: boolean;
}

/** A workspace with one of each kind of resource, made when it is first asked for. */
export class World {
  private readonly made = new Map<string, Promise<string[]>>();
  private everyone: Promise<Principal[]> | undefined;

  private constructor(
    readonly workspace: TestWorkspace,
    readonly environment: string,
    readonly restricted: boolean,
  ) {}

  static async open({ environment = 'production', restricted = false }: WorldOptions = {}): Promise<World> {
    const workspace = await newWorkspace();
    const world = new World(workspace, environment, restricted);
    if (environment !== 'production') {
      const api = client({ token: workspace.owner.token, workspace: workspace.slug });
      await world.post('/v1/workspace/environments', { name: environment }, api);
    }
    return world;
  }

  /** The owner's, by token. */
  get api(): Client {
    const { owner, slug } = this.workspace;
    return client({ token: owner.token, workspace: slug, environment: this.environment });
  }

  /** The owner's, in the app. */
  get app(): Client {
    const { owner, slug } = this.workspace;
    return client({ cookie: owner.cookie, workspace: slug, environment: this.environment });
  }

  /** By what a resource can be named in a path. */
  addresses(kind: string): Promise<string[]> {
    const make = RESOURCES[kind];
    if (!make) throw new Error(`Say in resources.ts how to make the resource "${kind}".`);
    if (!this.made.has(kind))
      this.made.set(
        kind,
        make(this).then((names) => [names].flat()),
      );
    return this.made.get(kind)!;
  }

  async address(kind: string): Promise<string> {
    return (await this.addresses(kind))[0]!;
  }

  /** What stands in a route's path, in its order. */
  async addressesFor({ resources }: Pick<Route, 'resources'>): Promise<string[]> {
    const addresses: string[] = [];
    for (const kind of resources) addresses.push(await this.address(kind));
    return addresses;
  }

  /** The body of what was made; anything but a success is an error of the test. */
  async post(path: string, body?: unknown, api = this.api) {
    const answer = await api.post(path, body);
    if (answer.status >= 300) throw new Error(`POST ${path}: ${answer.text}`);
    return answer.body;
  }

  /** Everyone of the workspace to whom a route can be open at most: its owner in every way, and an API key. */
  async entitled(route: Pick<Route, 'access'>): Promise<Principal[]> {
    this.everyone ??= this.principals();
    return (await this.everyone).filter((one) => refusal(route, one) === null);
  }

  private async principals(): Promise<Principal[]> {
    const { owner, slug } = this.workspace;
    const there = { 'x-workspace': slug, 'x-environment': this.environment };
    const agent = await connectApp({ person: owner, workspace: slug });
    const key = await this.workspace.apiKey();
    return [
      principal('owner in the app', 'session', 'owner', { cookie: owner.cookie, ...there }),
      principal('owner by token', 'personal_token', 'owner', {
        authorization: `Bearer ${owner.token}`,
        ...there,
      }),
      principal('owner by an agent', 'agent', 'owner', { authorization: `Bearer ${agent}`, ...there }),
      principal('API key', 'api_key', 'admin', { authorization: `Bearer ${key}`, ...there }),
    ];
  }
}

/** A world that requests change one after the other, and a new one where an earlier of them has taken something away. */
export class ChangedWorld {
  private world: Promise<World> | undefined;

  constructor(private readonly options: WorldOptions = {}) {}

  /** @param attempt whether it could do in this world what it is about; tried once in a used world, and then in a new one */
  async use(attempt: (world: World) => Promise<boolean>): Promise<boolean> {
    if (this.world && (await attempt(await this.world).catch(() => false))) return true;
    this.world = World.open(this.options);
    return attempt(await this.world);
  }
}

export function principal(
  name: string,
  kind: Principal['kind'],
  role: Principal['role'],
  headers: Record<string, string>,
  special: Pick<Principal, 'bound' | 'stoppedAt'> = {},
): Principal {
  return { name, kind, role, ...special, headers: async () => headers };
}

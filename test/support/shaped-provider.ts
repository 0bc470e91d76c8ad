import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { Provider } from 'oidc-provider';

type Claims = Record<string, unknown>;

/** In what a maker's provider differs from `oidc-provider` as it comes. */
export interface Shape {
  /** Of the issuer, such as `/realms/acme`. */
  path?: string;
  /** The claims that a scope brings. */
  scopes: Record<string, string[]>;
  /** Whether all of them are in the ID token, and not only where the access token leads. */
  inIdToken: boolean;
  /** Parameters of the authorization that it acts as if nobody had sent. */
  ignores?: readonly string[];
}

/** As their makers describe them in public. */
export const SHAPES = {
  entra: {
    path: '/9a9a9a9a-0000-4000-8000-000000000000/v2.0',
    scopes: {
      openid: ['sub', 'oid', 'tid', 'acct', 'groups', 'roles', 'xms_edov', '_claim_names', 'hasgroups'],
      email: ['email'],
      profile: ['name', 'preferred_username'],
    },
    inIdToken: true,
  },
  okta: {
    scopes: {
      openid: ['sub'],
      email: ['email', 'email_verified'],
      profile: ['name', 'preferred_username'],
      groups: ['groups'],
    },
    inIdToken: false,
  },
  google: {
    scopes: { openid: ['sub', 'hd'], email: ['email', 'email_verified'], profile: ['name', 'picture'] },
    inIdToken: true,
    ignores: ['max_age', 'prompt'],
  },
  keycloak: {
    path: '/realms/acme',
    scopes: {
      openid: ['sub', 'groups', 'realm_access'],
      email: ['email', 'email_verified'],
      profile: ['name', 'preferred_username'],
    },
    inIdToken: true,
  },
} satisfies Record<string, Shape>;

/** A provider on this machine that says what another maker's would. Whoever comes to it is who was named last. */
export class ShapedProvider {
  readonly client = { id: 'gatehouse', secret: 'a-secret-of-the-test' };
  /** What the provider was asked for, the newest last. */
  readonly asked: URLSearchParams[] = [];
  private readonly people = new Map<string, Claims>();
  private turn = '';
  private handle: RequestListener = (_, response) => void response.writeHead(503).end();
  private readonly server: Server = createServer((request, response) => this.handle(request, response));

  constructor(private readonly shape: Shape) {}

  async listen(): Promise<this> {
    await new Promise<void>((done) => this.server.listen(0, '127.0.0.1', done));
    return this;
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  get issuer(): string {
    return `${this.origin}${this.shape.path ?? ''}`;
  }

  /** Who signs in from now on, by what the provider calls them, and what it says of them. */
  expects(subject: string, claims: Claims): void {
    this.turn = subject;
    this.people.set(subject, claims);
  }

  /** Once it is known where browsers are sent back to. */
  serve(redirectUri: string): void {
    const { path = '', scopes, inIdToken } = this.shape;
    const clientId = this.client.id;
    const provider = new Provider(this.issuer, {
      clients: [{ client_id: clientId, client_secret: this.client.secret, redirect_uris: [redirectUri] }],
      claims: { ...scopes, auth_time: null },
      conformIdTokenClaims: !inIdToken,
      features: { devInteractions: { enabled: false } },
      interactions: { url: (_, { uid }) => `${path}/sign-in/${uid}` },
      findAccount: (_, sub) => ({ accountId: sub, claims: () => ({ sub, ...this.people.get(sub) }) }),
      loadExistingGrant: async ({ oidc }) => {
        const grant = new oidc.provider.Grant({ clientId, accountId: oidc.session!.accountId! });
        grant.addOIDCScope(Object.keys(scopes).join(' '));
        await grant.save();
        return grant;
      },
    });
    const rest = provider.callback();
    this.handle = (request, response) => {
      this.remember(request);
      // As a router does that a provider is mounted on.
      Object.assign(request, { originalUrl: request.url, url: request.url!.slice(path.length) });
      const login = { login: { accountId: this.turn } };
      void (request.url!.startsWith('/sign-in/')
        ? provider.interactionFinished(request, response, login)
        : rest(request, response));
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((done) => this.server.close(done));
  }

  private remember(request: IncomingMessage): void {
    const url = new URL(request.url!, this.origin);
    if (!url.searchParams.has('client_id')) return;
    this.asked.push(new URLSearchParams(url.searchParams));
    for (const name of this.shape.ignores ?? []) url.searchParams.delete(name);
    request.url = `${url.pathname}${url.search}`;
  }
}

import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { Provider } from 'oidc-provider';

export interface Employee {
  email: string;
  email_verified: boolean;
  name: string;
  groups: string[];
}

const CLAIMS = { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'], groups: ['groups'] };
const SCOPES = Object.keys(CLAIMS).join(' ');

/** A company's provider on this machine. Whoever comes to it is signed in as the employee whose turn it is. */
export class CompanyProvider {
  readonly client = { clientId: 'gatehouse', clientSecret: 'a secret of the test' };
  readonly employees = new Map<string, Employee>();
  turn = '';
  private handle: RequestListener = (_, response) => void response.writeHead(503).end();
  private readonly server: Server = createServer((request, response) => this.handle(request, response));

  async listen(): Promise<this> {
    await new Promise<void>((done) => this.server.listen(0, '127.0.0.1', done));
    return this;
  }

  get issuer(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Once it is known where browsers are sent back to. */
  serve(redirectUri: string): void {
    const { clientId: client_id, clientSecret: client_secret } = this.client;
    const provider = new Provider(this.issuer, {
      clients: [{ client_id, client_secret, redirect_uris: [redirectUri] }],
      claims: CLAIMS,
      features: { devInteractions: { enabled: false } },
      interactions: { url: (_, { uid }) => `/sign-in/${uid}` },
      findAccount: (_, sub) => ({
        accountId: sub,
        claims: () => ({ sub, ...this.employees.get(sub) }),
      }),
      loadExistingGrant: async ({ oidc }) => {
        const grant = new oidc.provider.Grant({ clientId: client_id, accountId: oidc.session!.accountId! });
        grant.addOIDCScope(SCOPES);
        await grant.save();
        return grant;
      },
    });
    const rest = provider.callback();
    const login = () => ({ login: { accountId: this.turn } });
    this.handle = (request, response) =>
      void (request.url!.startsWith('/sign-in/')
        ? provider.interactionFinished(request, response, login())
        : rest(request, response));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((done) => this.server.close(done));
  }
}

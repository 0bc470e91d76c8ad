import { randomBytes } from 'node:crypto';

import {
  Client,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
  type StoredOAuthClientInformation,
  type StoredOAuthTokens,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client';

import { baseUrl } from './gatehouse.js';
import { clientOf, type McpVersion } from './mcp.js';

/** What the official client is given to sign in with: it keeps what it gets, and has a person open addresses. */
class AppMemory implements OAuthClientProvider {
  readonly clientMetadata;
  /** Where the person was sent last. */
  asked: URL | null = null;
  registered: StoredOAuthClientInformation | undefined;
  granted: StoredOAuthTokens | undefined;
  private verifier = '';
  private discovered: OAuthDiscoveryState | undefined;

  constructor(
    name: string,
    readonly redirectUrl: string,
  ) {
    this.clientMetadata = {
      client_name: name,
      redirect_uris: [redirectUrl],
      token_endpoint_auth_method: 'none',
    };
  }

  state = (): string => randomBytes(8).toString('hex');
  clientInformation = (): StoredOAuthClientInformation | undefined => this.registered;
  saveClientInformation = (client: StoredOAuthClientInformation): void => void (this.registered = client);
  tokens = (): StoredOAuthTokens | undefined => this.granted;
  saveTokens = (tokens: StoredOAuthTokens): void => void (this.granted = tokens);
  redirectToAuthorization = (url: URL): void => void (this.asked = url);
  saveCodeVerifier = (verifier: string): void => void (this.verifier = verifier);
  codeVerifier = (): string => this.verifier;
  saveDiscoveryState = (state: OAuthDiscoveryState): void => void (this.discovered = state);
  discoveryState = (): OAuthDiscoveryState | undefined => this.discovered;
}

/** Goes to an address in a browser, and gives what the browser brought back to the app. */
export type Person = (address: URL) => Promise<URLSearchParams>;

/** The official client, which knows no more than an address: everything about signing in it finds out by itself. */
export class SigningInClient {
  readonly memory: AppMemory;
  private client: Client;
  private transport: StreamableHTTPClientTransport;

  constructor(
    name: string,
    redirectUri: string,
    private readonly version: McpVersion,
  ) {
    this.memory = new AppMemory(name, redirectUri);
    this.client = clientOf(version);
    this.transport = this.newTransport();
  }

  /** Connects, for which a person has to sign in and consent. */
  async connect(person: Person): Promise<void> {
    await this.withPerson(person, () => this.client.connect(this.transport));
  }

  /** The names of the tools that are listed. */
  async tools(): Promise<string[]> {
    return (await this.client.listTools()).tools.map(({ name }) => name);
  }

  /** Calls a tool. Where it was not granted what that needs, the person is asked for it. */
  callTool(name: string, args: Record<string, unknown>, person: Person) {
    return this.withPerson(person, () => this.client.callTool({ name, arguments: args }));
  }

  close(): Promise<void> {
    return this.client.close();
  }

  /** As an app does it: it waits for the person, and tries again. */
  private async withPerson<T>(person: Person, work: () => Promise<T>): Promise<T> {
    this.memory.asked = null;
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof UnauthorizedError) || !this.memory.asked) throw error;
    }
    await this.transport.finishAuth(await person(this.memory.asked));
    if (this.client.transport === undefined) {
      this.client = clientOf(this.version);
      this.transport = this.newTransport();
    }
    return work();
  }

  private newTransport(): StreamableHTTPClientTransport {
    return new StreamableHTTPClientTransport(new URL('/mcp', baseUrl()), { authProvider: this.memory });
  }
}

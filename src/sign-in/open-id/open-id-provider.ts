import * as client from 'openid-client';

import { isLoopbackHost } from '../../core/config/index.js';
import { Forbidden } from '../../core/errors/index.js';
import type { BegunSignIn, ProvenPerson } from '../sign-in-way.js';
import { whyUnusable } from './why-unusable.js';
import { type OpenIdClaims, authenticatedAt, joinedClaims, personOf } from './open-id-claims.js';

/** What a provider is known by, and what it knows Gatehouse by. */
export interface OpenIdProviderOptions {
  /** As the provider writes it, such as `https://login.acme.example`. Without TLS only on this machine. */
  issuer: string;
  clientId: string;
  /** Left out for a client without one. */
  clientSecret?: string;
  /** What is asked for; by default `openid email profile`. */
  scopes?: readonly string[];
}

/** Who somebody is, without memberships, and all that the provider says of them. */
export interface OpenIdPerson extends Omit<ProvenPerson, 'memberships'> {
  claims: OpenIdClaims;
}

/** So that a provider's new addresses are known within the hour. Its keys are asked for again as it changes them. */
const KEPT_MS = 3_600_000;
const TIMEOUT_SECONDS = 10;

/** A provider of OpenID Connect: the authorization code flow with PKCE, state and nonce, carried out by `openid-client`. */
export class OpenIdProvider {
  private readonly issuer: URL;
  private found: { configuration: Promise<client.Configuration>; at: number } | null = null;

  /** @internal made by `OpenId` */
  constructor(
    private readonly options: OpenIdProviderOptions,
    private readonly fetch: typeof globalThis.fetch,
  ) {
    this.issuer = new URL(options.issuer);
    const { protocol, hostname } = this.issuer;
    if (protocol !== 'https:' && !(protocol === 'http:' && isLoopbackHost(hostname))) {
      throw new TypeError(`The issuer has to be an https: address, not ${options.issuer}.`);
    }
    if (options.clientId === '') throw new TypeError('The client id is empty.');
  }

  /**
   * Asks the provider about itself.
   *
   * @internal
   * @throws Error that says why it cannot
   */
  async check(): Promise<void> {
    await this.configuration();
  }

  /**
   * The address at which the browser signs in, as `SignInWayProvider.begin` returns it.
   *
   * @throws Error where the provider says nothing usable of itself
   */
  async begin({ redirectUri, state, nonce, codeVerifier, maxAgeSeconds }: BegunSignIn): Promise<URL> {
    const { scopes = ['openid', 'email', 'profile'] } = this.options;
    return client.buildAuthorizationUrl(await this.configuration(), {
      redirect_uri: redirectUri,
      scope: [...new Set(['openid', ...scopes])].join(' '),
      state,
      nonce,
      code_challenge: await client.calculatePKCECodeChallenge(codeVerifier),
      code_challenge_method: 'S256',
      max_age: String(maxAgeSeconds),
      ...(maxAgeSeconds === 0 && { prompt: 'login' }),
    });
  }

  /**
   * Who has come back. Issuer, audience, nonce, moments and signature of the ID token are checked.
   *
   * @throws Forbidden where the person has declined, or the provider does not let them; Error for what does not fit
   */
  async finish(signIn: BegunSignIn, callback: URL): Promise<OpenIdPerson> {
    const configuration = await this.configuration();
    const tokens = await this.exchange(configuration, signIn, callback);
    const idToken = tokens.claims()!;
    if (idToken['azp'] !== undefined && idToken['azp'] !== this.options.clientId) {
      throw new Error('The ID token was made for another client (azp).');
    }
    const { userinfo_endpoint: hasUserInfo } = configuration.serverMetadata();
    const userInfo =
      hasUserInfo === undefined
        ? {}
        : await client.fetchUserInfo(configuration, tokens.access_token, idToken.sub);
    const claims = joinedClaims(idToken, userInfo);
    return { ...personOf(claims), authenticatedAt: authenticatedAt(claims, signIn.maxAgeSeconds), claims };
  }

  private async exchange(
    configuration: client.Configuration,
    { state, nonce, codeVerifier }: BegunSignIn,
    callback: URL,
  ): Promise<client.TokenEndpointResponse & client.TokenEndpointResponseHelpers> {
    const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: codeVerifier };
    try {
      return await client.authorizationCodeGrant(configuration, callback, checks);
    } catch (error) {
      if (error instanceof client.AuthorizationResponseError && error.error === 'access_denied') {
        throw new Forbidden('The provider did not let the person in, or they declined.');
      }
      throw error;
    }
  }

  /** What the provider says of itself, asked for anew from time to time, and where it could not be had. */
  private configuration(): Promise<client.Configuration> {
    if (this.found && performance.now() - this.found.at < KEPT_MS) return this.found.configuration;
    const found = { configuration: this.discover(), at: performance.now() };
    found.configuration.catch(() => (this.found = this.found === found ? null : this.found));
    this.found = found;
    return found.configuration;
  }

  private async discover(): Promise<client.Configuration> {
    const found = await this.asked().catch((error: unknown) => {
      throw new Error(`${this.options.issuer} ${whyUnusable(error)}`, { cause: error });
    });
    const { issuer, authorization_endpoint: page = '' } = found.serverMetadata();
    // As those say of themselves that let in people of any company, whom the library tells apart by another claim.
    if (issuer.includes('{')) throw new Error(`${this.options.issuer} is of no tenant: ${issuer}.`);
    if (this.issuer.protocol === 'https:' && !page.startsWith('https:')) {
      throw new Error(`${this.options.issuer} would have people sign in at an address without TLS.`);
    }
    return found;
  }

  private asked(): Promise<client.Configuration> {
    const { clientId, clientSecret } = this.options;
    const execute = [client.enableNonRepudiationChecks];
    if (this.issuer.protocol === 'http:') execute.push(client.allowInsecureRequests);
    const authentication = clientSecret === undefined ? client.None() : bySecret(clientSecret);
    return client.discovery(this.issuer, clientId, undefined, authentication, {
      execute,
      timeout: TIMEOUT_SECONDS,
      [client.customFetch]: this.fetch as client.CustomFetch,
    });
  }
}

/** In the header, as the specification has it, unless the provider takes it in the body alone. */
function bySecret(secret: string): client.ClientAuth {
  const inHeader = client.ClientSecretBasic(secret);
  const inBody = client.ClientSecretPost(secret);
  return (server, ...rest) => {
    const taken = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    const authenticate = taken.includes('client_secret_basic') ? inHeader : inBody;
    return authenticate(server, ...rest);
  };
}

import { DiscoveryService } from '@nestjs/core';

import type { Role } from '../core/access/index.js';

/** What is a secret between this service, the browser that signs in, and the provider. Each is used for one sign-in. */
export interface BegunSignIn {
  /** Where the provider sends the browser afterwards: `<base URL>/v1/auth/ways/<id>/callback`. It is registered there. */
  redirectUri: string;
  /** Comes back with the browser, which is checked before `finish` is called. */
  state: string;
  /** Binds what the provider signs to this sign-in. */
  nonce: string;
  /** The secret of PKCE, of which only the challenge leaves the service before `finish`. */
  codeVerifier: string;
  /** Seconds: who gave the provider their password longer ago is to give it again; with 0, everybody. */
  maxAgeSeconds: number;
}

/** A place in a workspace that a provider decides about. */
export interface ProvidedMembership {
  /** The workspace's slug. */
  workspace: string;
  /** null: the person is not to be in it, and is taken out. The last owner of a workspace stays as they are. */
  role: Role | null;
  /** By its name, whether the person is to be in a team. Teams that are not named stay as they are. */
  teams?: Readonly<Record<string, boolean>>;
}

/** Who a provider says has signed in. */
export interface ProvenPerson {
  /** Who says so, such as the issuer of OpenID Connect. */
  issuer: string;
  /** Who it is to the issuer: never given to somebody else. */
  subject: string;
  email: string;
  /** Whether the provider has made sure that the address is the person's. */
  emailVerified: boolean;
  name: string;
  /** When they last proved it, such as by a password; null where the provider does not say so. */
  authenticatedAt: Date | null;
  /** Applied at each sign-in. Somebody without an account gets one only where there is a role or an open invitation. */
  memberships: readonly ProvidedMembership[];
}

/** Somebody whose memberships follow from what a directory has told us. */
export interface ProvisionedPerson extends ProvenPerson {
  /** What they are, instead of what `memberships` says: these only name the workspaces. Read while nobody changes who is in those. */
  membershipsNow: () => Promise<readonly ProvidedMembership[]>;
}

/** Who that is, without what follows from it. */
export type ProvenIdentity = Pick<ProvenPerson, 'issuer' | 'subject' | 'email' | 'emailVerified'>;

/**
 * A way to sign in besides a password, such as a company's provider. One provider per way, marked with `@SignInWay()`. The
 * page for signing in has a button for it. State, cookies, accounts, sessions and the audit trail are Gatehouse's.
 */
export interface SignInWayProvider {
  /** The extension's name, or `<name>-…`; it is in the address that the provider sends browsers to. */
  readonly id: string;
  /** What its button says after `Sign in with`; up to 40 characters. */
  readonly title: string;
  /**
   * The domains of e-mail addresses that this provider speaks for. Nobody with another address is let in; whoever has an
   * account with such an address, which the provider has verified, is let in as that account. If nobody had proved its
   * address before, what opened the account until then ends.
   */
  readonly domains: readonly string[];

  /** Where the browser is sent: an address of the provider. It has 15 seconds. */
  begin(signIn: BegunSignIn): Promise<URL> | URL;

  /**
   * Who it is. Called once for each sign-in, in no transaction. It has 15 seconds.
   *
   * @param callback the address with which the browser came back, whose `state` is right
   * @throws Forbidden where the provider, or this way, does not let the person in; whatever else it throws is logged and
   * fails this sign-in
   */
  finish(signIn: BegunSignIn, callback: URL): Promise<ProvenPerson>;
}

/**
 * An extension point: marks a provider as a way to sign in. Found when the application starts; a second one of the same id
 * stops it.
 *
 * @example
 * ```ts
 * \@SignInWay()
 * export class CompanyWay implements SignInWayProvider {
 *   readonly id = 'company-login';
 *   readonly title = 'Acme';
 *   readonly domains = ['acme.example'];
 *   // begin and finish: `OpenId` has them for OpenID Connect
 * }
 * ```
 */
export const SignInWay: () => ClassDecorator = DiscoveryService.createDecorator();

/** How long each method of a way may take. */
export const WAY_LIMIT = { ms: 15_000 };

/** By what providers of that mark are found. */
export const SIGN_IN_WAY_KEY = (SignInWay as unknown as { KEY: string }).KEY;

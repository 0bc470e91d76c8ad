import { errors, type KoaContextWithOIDC, type Provider } from 'oidc-provider';

import type { Authenticator } from '../../core/access/index.js';
import type { GatehouseRequest } from '../../core/http/index.js';

/**
 * Makes the session of our app the session that the library sees. It is read anew with each request and never written:
 * the library sets no cookie of its own for it.
 */
export function useOwnSessions(provider: Provider, authenticator: Authenticator): void {
  const sessions = provider.Session as unknown as {
    new (): InstanceType<typeof provider.Session>;
    get(context: KoaContextWithOIDC): Promise<object>;
  };
  sessions.get = async (context) => {
    const session = new sessions();
    const identity = await authenticator.identify(context.req as GatehouseRequest);
    if (identity?.caller.kind === 'session') {
      session.uid = identity.caller.credentialId;
      session.accountId = identity.caller.person!.id;
      session.loginTs = Math.floor(Date.now() / 1000);
    }
    // Somebody may send the link to their consent page to another person. That person's decision must not sign the
    // sender in as them. So only whoever is signed in here and now counts.
    session.loginAccount = ({ accountId }) => {
      if (accountId !== session.accountId) throw new errors.AccessDenied();
    };
    // What counts as destroyed is neither saved nor given a cookie.
    Object.defineProperty(session, 'destroyed', { value: true, writable: true, configurable: true });
    context.oidc.entity('Session', session);
    return session;
  };
}

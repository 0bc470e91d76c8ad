import type { KoaContextWithOIDC, Provider } from 'oidc-provider';

import type { AgentGrantsService } from '../../auth/index.js';
import type { OAuthUrls } from '../oauth-urls.js';

const RESPONSE_MODES: readonly unknown[] = [undefined, 'query'];

/**
 * Everybody can publish a page about an app, and send people here. So a browser goes on to an app only when its person
 * has decided about that very request, or has connected the app before. Anything else would redirect to whomever a
 * stranger names, and tell them whether somebody is signed in.
 */
export function keepToOwnPages(provider: Provider, urls: OAuthUrls, grants: AgentGrantsService): void {
  provider.use(async (context, next) => {
    const refuse = (error: string): void => showErrorPage(context, urls, error);
    if (!context.path.startsWith('/oauth/authorize')) return next();
    if (!RESPONSE_MODES.includes(context.query['response_mode'])) {
      return refuse('unsupported_response_mode');
    }
    await next();
    const { location } = context.response.headers;
    // The library's page that would sign out whoever is signed in, since somebody else has decided.
    if (typeof location !== 'string') return refuse('session_not_found');
    // Our own are paths; those of apps are whole addresses.
    if (location.startsWith('/')) return;
    const { entities, session, client } = (context as KoaContextWithOIDC).oidc;
    if (entities.Interaction?.result !== undefined) return;
    const person = session?.accountId;
    if (person && client && (await grants.isConnected(person, client.clientId))) return;
    refuse(errorIn(location));
  });
}

/** Our page says what the app did wrong, by the code alone. */
export function showErrorPage(
  context: Pick<KoaContextWithOIDC, 'redirect' | 'status'>,
  urls: OAuthUrls,
  error: string,
): void {
  context.status = 303;
  context.redirect(urls.errorPage(error));
}

/** Which an app is told in the query, or behind the hash where it asked for a response that goes there. */
function errorIn(location: string): string {
  const { search, hash } = new URL(location);
  return new URLSearchParams(`${search}&${hash.slice(1)}`).get('error') ?? 'invalid_request';
}

import type { OidcProviderSettings } from '../../core/config/index.js';
import { Forbidden } from '../../core/errors/index.js';
import { isTrue, type OpenIdClaims, type OpenIdPerson } from '../open-id/open-id.js';

type VouchedAddress = Pick<OpenIdPerson, 'email' | 'emailVerified'>;

/**
 * The person's address, and whether the provider vouches for it, which each kind says in its own way.
 *
 * @throws Forbidden where it is Google's, and of nobody in the company
 */
export function vouchedAddress(
  { kind, domains }: Pick<OidcProviderSettings, 'kind' | 'domains'>,
  { email, emailVerified, claims }: OpenIdPerson,
): VouchedAddress {
  if (kind === 'entra') return entraAddress(claims);
  if (kind === 'google') assertOfCompany(claims, domains);
  return { email, emailVerified };
}

/**
 * Entra never says `email_verified`, and an administrator can write any address into `email`. It vouches for that with
 * `xms_edov`, and for a member's name in the directory, whose domain belongs to the tenant.
 */
function entraAddress(claims: OpenIdClaims): VouchedAddress {
  const email = textOf(claims['email']);
  if (email !== '' && isTrue(claims['xms_edov'])) return { email, emailVerified: true };
  const name = textOf(claims['preferred_username']) || textOf(claims['upn']);
  return { email: name || email, emailVerified: name !== '' && !isGuest(claims) };
}

/** Somebody of another directory, whose name there says nothing here. */
function isGuest({ acct, idp, iss, tid }: OpenIdClaims): boolean {
  if (acct === 1 || acct === '1') return true;
  if (typeof idp !== 'string' || idp === iss) return false;
  return typeof tid !== 'string' || tid === '' || !idp.includes(tid);
}

/** A private account at Google may have any address, also one of the company. `hd` is said of the company's own alone. */
function assertOfCompany({ hd }: OpenIdClaims, domains: readonly string[]): void {
  if (typeof hd === 'string' && domains.includes(hd.toLowerCase())) return;
  throw new Forbidden(
    hd === undefined
      ? 'It is a private Google account: it belongs to no Google Workspace (`hd` is missing).'
      : 'The Google account belongs to a Google Workspace whose domain (`hd`) is not in DOMAINS of this provider.',
  );
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

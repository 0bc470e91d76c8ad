import { Logger } from '@nestjs/common';

import { cutText } from '../../../libs/cut-text/index.js';
import type { OidcProviderSettings } from '../../core/config/index.js';
import { Forbidden } from '../../core/errors/index.js';
import type { OpenId, OpenIdClaims, OpenIdProvider } from '../open-id/open-id.js';
import type {
  BegunSignIn,
  ProvenIdentity,
  ProvenPerson,
  ProvisionedPerson,
  ProvidedMembership,
  SignInWayProvider,
} from '../sign-in-way.js';
import { claimedGroups, saysGroups } from './claimed-groups.js';
import { membershipsOf } from '../memberships.js';
import { vouchedAddress } from './vouched-address.js';

const NAMED_IN_LOG = 10;
const LONGEST_IN_LOG = 100;

/** The groups that the company's directory has told us of somebody; null: it has told us nothing. */
type ProvisionedGroups = (
  provider: OidcProviderSettings,
  person: ProvenIdentity,
) => Promise<ReadonlySet<string> | null>;

/** A company's provider of the settings, as a way to sign in like those of extensions. */
export class CompanyWay implements SignInWayProvider {
  readonly id: string;
  readonly title: string;
  readonly domains: readonly string[];
  private readonly provider: OpenIdProvider;
  private readonly logger = new Logger(CompanyWay.name);

  constructor(
    private readonly settings: OidcProviderSettings,
    openId: Pick<OpenId, 'provider'>,
    private readonly provisioned: ProvisionedGroups = () => Promise.resolve(null),
  ) {
    const { id, title, domains, issuer, clientId, clientSecret, scopes } = settings;
    this.id = id;
    this.title = title;
    this.domains = domains;
    this.provider = openId.provider({
      ...{ issuer, clientId, scopes },
      ...(clientSecret !== null && { clientSecret }),
    });
  }

  /** @throws Error that says why the provider cannot be asked about itself */
  check(): Promise<void> {
    return this.provider.check();
  }

  async begin(signIn: BegunSignIn): Promise<URL> {
    const address = await this.provider.begin(signIn);
    if (this.settings.kind !== 'google') return address;
    // Google has no `prompt=login`. Of its accounts only the company's are offered.
    if (address.searchParams.has('prompt')) address.searchParams.set('prompt', 'select_account');
    address.searchParams.set('hd', this.domains.length === 1 ? this.domains[0]! : '*');
    return address;
  }

  async finish(signIn: BegunSignIn, callback: URL): Promise<ProvenPerson | ProvisionedPerson> {
    const person = await this.provider.finish(signIn, callback);
    const { issuer, subject, name, authenticatedAt, claims } = person;
    const proven = { issuer, subject, name, ...vouchedAddress(this.settings, person) };
    const now = this.settings.answerConfirms ? new Date() : null;
    const told = { ...proven, authenticatedAt: authenticatedAt ?? now };
    const placesOf = () => this.placesOf(claims, proven);
    if (!this.asksDirectory(claims)) return { ...told, memberships: await placesOf() };
    // Which workspaces these are is up to the settings alone; what somebody is in them is read once, when they are locked.
    return { ...told, memberships: membershipsOf(this.settings, new Set()), membershipsNow: placesOf };
  }

  private async placesOf(claims: OpenIdClaims, person: ProvenIdentity): Promise<ProvidedMembership[]> {
    const { roles, teams, defaultRoles, groupsClaim } = this.settings;
    const isAsked = roles.length + teams.length > 0;
    const groups = isAsked ? await this.groupsOf(claims, person) : null;
    // It may be that the provider was set up wrongly: nobody is to lose a role by that.
    if (isAsked && groups === null && defaultRoles.length === 0) {
      throw new Forbidden(
        `The provider does not say the groups (claim "${groupsClaim}"): have it put them into the ID token, or set GROUPS_CLAIM.`,
      );
    }
    const places = membershipsOf(this.settings, groups ?? new Set());
    if (groups && places.every(({ role }) => role === null)) this.logGroups(groups);
    return places;
  }

  /** The token is the freshest. What it leaves out may have come by SCIM. */
  private async groupsOf(claims: OpenIdClaims, person: ProvenIdentity): Promise<ReadonlySet<string> | null> {
    const told = this.asksDirectory(claims) ? await this.provisioned(this.settings, person) : null;
    return told ?? claimedGroups(claims, this.settings.groupsClaim);
  }

  private asksDirectory(claims: OpenIdClaims): boolean {
    const { scimToken, groupsClaim } = this.settings;
    return scimToken !== null && !saysGroups(claims, groupsClaim);
  }

  /** For the operator, who compares them with the settings. */
  private logGroups(groups: ReadonlySet<string>): void {
    const named = [...groups].slice(0, NAMED_IN_LOG).map((group) => cutText(group, LONGEST_IN_LOG));
    const more = groups.size > NAMED_IN_LOG ? ` and ${groups.size - NAMED_IN_LOG} more` : '';
    this.logger.warn(
      `Somebody of ${this.title} is in no group that has a role. Their groups are ${JSON.stringify(named)}${more}.`,
    );
  }
}

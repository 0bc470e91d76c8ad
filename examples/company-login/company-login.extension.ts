import {
  type BegunSignIn,
  checkedSettings,
  Extension,
  type ExtensionSettings,
  Forbidden,
  OpenId,
  type OpenIdProvider,
  type ProvenPerson,
  type ProvidedMembership,
  SignInWay,
  type SignInWayProvider,
} from '@gatehouse/extension';
import { type DynamicModule, Module } from '@nestjs/common';

// #region mapping
/** Groups at the provider, from the one with most rights. Who is in none of them has no business here. */
const ROLES = [
  ['gatehouse-admins', 'admin'],
  ['gatehouse-users', 'member'],
] as const;

/** Teams of the workspace whose members the provider knows: the group `team-support` is in `Support`. */
const TEAMS = ['Support', 'Engineering'];

function membershipIn(workspace: string, groups: readonly unknown[]): ProvidedMembership {
  const role = ROLES.find(([group]) => groups.includes(group))?.[1] ?? null;
  const teams = TEAMS.map((name) => [name, groups.includes(`team-${name.toLowerCase()}`)] as const);
  return { workspace, role, teams: Object.fromEntries(teams) };
}

// #region way
/** What the operator has set: `EXTENSION_COMPANY_LOGIN_ISSUER` and so on. */
export class CompanySettings {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly domains: readonly string[];
  readonly workspace: string;
  readonly title: string;

  constructor(given: ExtensionSettings) {
    const needed = ['issuer', 'clientId', 'clientSecret', 'domains', 'workspace'] as const;
    const { title = 'your company', domains, ...settings } = checkedSettings(given, needed, ['title']);
    this.issuer = settings.issuer;
    this.clientId = settings.clientId;
    this.clientSecret = settings.clientSecret;
    this.domains = domains.split(',').map((domain) => domain.trim());
    this.workspace = settings.workspace;
    this.title = title;
  }
}

@SignInWay()
export class CompanyWay implements SignInWayProvider {
  readonly id = 'company-login';
  readonly title: string;
  readonly domains: readonly string[];
  private readonly provider: OpenIdProvider;

  constructor(
    private readonly company: CompanySettings,
    openId: OpenId,
  ) {
    const { issuer, clientId, clientSecret, title, domains } = company;
    this.title = title;
    this.domains = domains;
    const scopes = ['openid', 'email', 'profile', 'groups'];
    this.provider = openId.provider({ issuer, clientId, clientSecret, scopes });
  }

  begin(signIn: BegunSignIn): Promise<URL> {
    return this.provider.begin(signIn);
  }

  async finish(signIn: BegunSignIn, callback: URL): Promise<ProvenPerson> {
    const { claims, ...person } = await this.provider.finish(signIn, callback);
    // Without the claim nobody would be in any group, and everybody taken out of the workspace.
    if (!Array.isArray(claims['groups'])) throw new Forbidden('The provider does not say the groups.');
    return { ...person, memberships: [membershipIn(this.company.workspace, claims['groups'])] };
  }
}

// #region module
@Extension({ name: 'company-login' })
@Module({ providers: [CompanyWay] })
export class CompanyLoginExtension {
  static readonly version = '1.0.0';

  static with(settings: CompanySettings): DynamicModule {
    const given = { provide: CompanySettings, useValue: settings };
    return { module: CompanyLoginExtension, providers: [given] };
  }
}

export default (settings: ExtensionSettings): DynamicModule =>
  CompanyLoginExtension.with(new CompanySettings(settings));

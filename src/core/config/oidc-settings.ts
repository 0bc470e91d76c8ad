import {
  parseGroupRoles,
  parseGroupTeams,
  parsePlaces,
  type GroupRole,
  type GroupTeam,
  type Place,
} from './oidc-mappings.js';
import { isLoopbackHost } from './loopback-host.js';
import type { SettingsReader } from './settings-reader.js';

/** Whose peculiarities a provider has besides the standard. */
export type OidcKind = 'standard' | 'entra' | 'google';

/** A company's provider of OpenID Connect. */
export interface OidcProviderSettings {
  /** In the address that browsers come back to. */
  id: string;
  kind: OidcKind;
  issuer: string;
  clientId: string;
  /** null: a client without one. */
  clientSecret: string | null;
  /** What its button says after `Sign in with`. */
  title: string;
  /** Of the e-mail addresses that it speaks for. */
  domains: string[];
  scopes: string[];
  groupsClaim: string;
  roles: GroupRole[];
  teams: GroupTeam[];
  /** Of whoever no group gives a role in that workspace. */
  defaultRoles: Place[];
  /** Whether its answer counts as a fresh sign-in where it does not say when the person signed in there. */
  answerConfirms: boolean;
  /** With which the company's directory manages accounts here, by SCIM; null: it does not. */
  scimToken: string | null;
}

/** Of the provider that has no name of its own. */
const UNNAMED = 'company';
const LIST = 'GATEHOUSE_OIDC';
const ID = /^[a-z]+(-[a-z]+)*$/;
const DOMAIN = /^[a-z0-9-]+(\.[a-z0-9-]+)+$/;
const ENTRA_HOST =
  /^(login\.microsoftonline\.(com|us)|login\.partner\.microsoftonline\.cn|sts\.windows\.net)$/;
const ENTRA_FOR_ALL = /^\/(common|organizations|consumers)(\/|$)/i;
const GOOGLE = 'https://accounts.google.com';
const PRINTABLE = /^[\x21-\x7e]{1,1000}$/;
const TITLE = /^[^\p{Cc}]{1,40}$/u;
const CLAIM = /^\S{1,200}$/;
const SCIM_TOKEN = /^[\x21-\x7e]{32,500}$/;
const ISSUER = 'the https: address that the provider calls itself, such as https://login.example.com';

/** The one of `GATEHOUSE_OIDC_ISSUER`, and those that `GATEHOUSE_OIDC` names. */
export function readOidc(read: SettingsReader): OidcProviderSettings[] {
  const ids = read.list(LIST);
  const named = ids.filter((id) => ID.test(id) && id !== UNNAMED);
  if (new Set(named).size < ids.length) {
    read.refuseShowing(
      LIST,
      ids.join(','),
      `different names in lower case, such as entra,okta, and not ${UNNAMED}`,
    );
  }
  const providers = [
    readProvider(read, UNNAMED, `${LIST}_`, false),
    ...named.map((id) => readProvider(read, id, `${LIST}_${id.toUpperCase().replaceAll('-', '_')}_`, true)),
  ];
  const given = providers.filter((provider) => provider !== null);
  refuseSharedTokens(read, given);
  return given;
}

/** A token says which of the directories comes with it. */
function refuseSharedTokens(read: SettingsReader, providers: readonly OidcProviderSettings[]): void {
  const tokens = providers.flatMap(({ scimToken }) => scimToken ?? []);
  if (new Set(tokens).size === tokens.length) return;
  read.refuseShowing(
    LIST,
    providers.map(({ id }) => id).join(','),
    'providers of which each has a SCIM_TOKEN of its own',
  );
}

/** null: nothing is set of it, and nothing has to be. */
function readProvider(
  read: SettingsReader,
  id: string,
  prefix: string,
  isWanted: boolean,
): OidcProviderSettings | null {
  const given = {
    issuer: read.text(`${prefix}ISSUER`),
    clientId: read.matching(`${prefix}CLIENT_ID`, PRINTABLE, 'printable characters without blanks'),
    title: read.matching(`${prefix}NAME`, TITLE, 'up to 40 characters'),
    domains: read.list(`${prefix}DOMAINS`).map((domain) => domain.toLowerCase()),
    scopes: read.text(`${prefix}SCOPES`),
    groupsClaim: read.matching(`${prefix}GROUPS_CLAIM`, CLAIM, 'the name of a claim'),
    roles: mapped(read, `${prefix}ROLES`, parseGroupRoles),
    teams: mapped(read, `${prefix}TEAMS`, parseGroupTeams),
    defaultRoles: mapped(read, `${prefix}DEFAULT_ROLE`, parsePlaces),
    kind: read.text(`${prefix}KIND`),
    authTime: read.text(`${prefix}AUTH_TIME`),
  };
  const clientSecret = read.matching(
    `${prefix}CLIENT_SECRET`,
    PRINTABLE,
    'printable characters without blanks',
  );
  const scimToken = read.matching(
    `${prefix}SCIM_TOKEN`,
    SCIM_TOKEN,
    '32 to 500 printable characters without blanks, such as `openssl rand -hex 32` prints',
  );
  const isGiven = Object.values(given).some((value) => value !== null && value.length > 0);
  if (!isWanted && !isGiven) return null;
  const issuer = given.issuer ?? '';
  if (given.issuer === null) read.lacks(`${prefix}ISSUER`, ISSUER);
  else if (!isIssuer(issuer)) read.refuse(`${prefix}ISSUER`, ISSUER);
  if (given.clientId === null) read.lacks(`${prefix}CLIENT_ID`, 'what the provider calls this Gatehouse');
  checkDomains(read, `${prefix}DOMAINS`, given.domains);
  const kind = kindOf(read, prefix, issuer);
  checkPlaces(read, prefix, kind, given);
  const { roles, teams, defaultRoles, domains } = given;
  return {
    ...{ id, kind, issuer, clientSecret, domains, roles, teams, defaultRoles, scimToken },
    clientId: given.clientId ?? '',
    title: given.title ?? titleOf(id),
    scopes: (given.scopes ?? 'openid email profile').split(/\s+/),
    groupsClaim: given.groupsClaim ?? 'groups',
    answerConfirms: read.oneOf(`${prefix}AUTH_TIME`, ['required', 'optional'], 'required') === 'optional',
  };
}

function isIssuer(text: string): boolean {
  if (!URL.canParse(text) || /[?#]|\/\/[^/]*@/.test(text)) return false;
  const { protocol, hostname } = new URL(text);
  return protocol === 'https:' || (protocol === 'http:' && isLoopbackHost(hostname));
}

function checkDomains(read: SettingsReader, name: string, domains: readonly string[]): void {
  const takes = 'the domains of the e-mail addresses that the provider speaks for, such as example.com';
  const wrong = domains.find((domain) => !DOMAIN.test(domain));
  if (domains.length === 0) read.lacks(name, takes);
  else if (wrong !== undefined) read.refuseShowing(name, wrong, `${takes}, separated by commas`);
}

function kindOf(read: SettingsReader, prefix: string, issuer: string): OidcKind {
  const known = URL.canParse(issuer) ? knownKind(new URL(issuer)) : null;
  const kind = read.oneOf(`${prefix}KIND`, ['standard', 'entra', 'google'], known ?? 'standard');
  if (known !== null && kind !== known) read.refuseShowing(`${prefix}KIND`, kind, `${known} for this issuer`);
  if (known === 'entra' && ENTRA_FOR_ALL.test(new URL(issuer).pathname)) {
    const takes =
      "your own tenant's address, https://login.microsoftonline.com/<tenant id>/v2.0: this one lets in people of every company";
    read.refuse(`${prefix}ISSUER`, takes);
  }
  return kind;
}

function knownKind({ hostname, href }: URL): OidcKind | null {
  if (ENTRA_HOST.test(hostname)) return 'entra';
  return href === `${GOOGLE}/` ? 'google' : null;
}

function checkPlaces(
  read: SettingsReader,
  prefix: string,
  kind: OidcKind,
  { roles, teams, defaultRoles }: Pick<OidcProviderSettings, 'roles' | 'teams' | 'defaultRoles'>,
): void {
  if (kind === 'google' && roles.length + teams.length > 0) {
    const name = roles.length > 0 ? 'ROLES' : 'TEAMS';
    const value = roles.length > 0 ? roles[0]!.group : teams[0]!.group;
    read.refuseShowing(
      `${prefix}${name}`,
      value,
      `nothing, as Google names no groups: set ${prefix}DEFAULT_ROLE`,
    );
  }
  const decided = decidedWorkspaces({ roles, defaultRoles });
  const other = teams.find(({ workspace }) => !decided.has(workspace));
  if (other) {
    const takes = `teams of workspaces for which ${prefix}ROLES or ${prefix}DEFAULT_ROLE has a role`;
    read.refuseShowing(`${prefix}TEAMS`, other.workspace, takes);
  }
}

/** The slugs of the workspaces in which a provider says what somebody is. */
export function decidedWorkspaces({
  roles,
  defaultRoles,
}: Pick<OidcProviderSettings, 'roles' | 'defaultRoles'>): Set<string> {
  return new Set([...roles, ...defaultRoles].map(({ workspace }) => workspace));
}

/** What stands in a variable, or nothing where that is refused. */
function mapped<T>(read: SettingsReader, name: string, parse: (text: string) => T[]): T[] {
  const text = read.text(name);
  if (text === null) return [];
  try {
    return parse(text);
  } catch (error) {
    read.refuseShowing(name, text, (error as Error).message);
    return [];
  }
}

function titleOf(id: string): string {
  if (id === UNNAMED) return 'your company';
  return id.replace(/(^|-)[a-z]/g, (letter) => letter.replace('-', ' ').toUpperCase());
}

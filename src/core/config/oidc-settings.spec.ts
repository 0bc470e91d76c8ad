import { describe, expect, it } from 'vitest';

import { Settings } from './settings.js';

const ONE = {
  GATEHOUSE_OIDC_ISSUER: 'https://login.acme.example/realms/acme',
  GATEHOUSE_OIDC_CLIENT_ID: 'gatehouse',
  GATEHOUSE_OIDC_DOMAINS: 'Acme.example, acme.test',
};
const ENTRA = 'https://login.microsoftonline.com/9a9a9a9a-0000-4000-8000-000000000000/v2.0';
const GOOGLE = 'https://accounts.google.com';

const read = (environment: Record<string, string>) => new Settings(environment).oidc;

describe("a company's provider", () => {
  it('is none, unless something is set of it', () => {
    expect(read({})).toEqual([]);
  });

  it('has defaults for all but who it is', () => {
    expect(read(ONE)).toEqual([
      {
        id: 'company',
        kind: 'standard',
        issuer: ONE.GATEHOUSE_OIDC_ISSUER,
        clientId: 'gatehouse',
        clientSecret: null,
        title: 'your company',
        domains: ['acme.example', 'acme.test'],
        scopes: ['openid', 'email', 'profile'],
        groupsClaim: 'groups',
        roles: [],
        teams: [],
        defaultRoles: [],
        answerConfirms: false,
        scimToken: null,
      },
    ]);
    const scimToken = 'a-token-of-the-directory-of-acme';
    expect(read({ ...ONE, GATEHOUSE_OIDC_SCIM_TOKEN: scimToken })).toMatchObject([{ scimToken }]);
  });

  it('says what groups are here, whatever is in their names', () => {
    const [provider] = read({
      ...ONE,
      GATEHOUSE_OIDC_ROLES: '/gatehouse/admins = main:admin; cn=users,dc=acme=main:member ;a:b=ops:owner;',
      GATEHOUSE_OIDC_TEAMS: '/staff/support=main:Customer support;x=ops:Night',
      GATEHOUSE_OIDC_DEFAULT_ROLE: 'main:guest',
    });
    expect(provider).toMatchObject({
      roles: [
        { group: '/gatehouse/admins', workspace: 'main', role: 'admin' },
        { group: 'cn=users,dc=acme', workspace: 'main', role: 'member' },
        { group: 'a:b', workspace: 'ops', role: 'owner' },
      ],
      teams: [
        { group: '/staff/support', workspace: 'main', team: 'Customer support' },
        { group: 'x', workspace: 'ops', team: 'Night' },
      ],
      defaultRoles: [{ workspace: 'main', role: 'guest' }],
    });
  });

  it('may be one of several, each with a name', () => {
    const providers = read({
      ...ONE,
      GATEHOUSE_OIDC: 'entra,old-okta',
      GATEHOUSE_OIDC_ENTRA_ISSUER: ENTRA,
      GATEHOUSE_OIDC_ENTRA_CLIENT_ID: 'a',
      GATEHOUSE_OIDC_ENTRA_DOMAINS: 'acme.example',
      GATEHOUSE_OIDC_OLD_OKTA_ISSUER: 'https://acme.okta.com/',
      GATEHOUSE_OIDC_OLD_OKTA_CLIENT_ID: 'b',
      GATEHOUSE_OIDC_OLD_OKTA_DOMAINS: 'acme.test',
      GATEHOUSE_OIDC_OLD_OKTA_SCOPES: 'openid email groups',
      GATEHOUSE_OIDC_OLD_OKTA_AUTH_TIME: 'optional',
    });
    expect(providers).toMatchObject([
      { id: 'company' },
      { id: 'entra', kind: 'entra', title: 'Entra', issuer: ENTRA },
      {
        id: 'old-okta',
        kind: 'standard',
        title: 'Old Okta',
        issuer: 'https://acme.okta.com/',
        scopes: ['openid', 'email', 'groups'],
        answerConfirms: true,
      },
    ]);
  });

  it.each<[string, Record<string, string>, string]>([
    [
      'no issuer',
      { GATEHOUSE_OIDC_ISSUER: '' },
      'GATEHOUSE_OIDC_ISSUER is missing; it takes the https: address',
    ],
    ['no client id', { GATEHOUSE_OIDC_CLIENT_ID: '' }, 'GATEHOUSE_OIDC_CLIENT_ID is missing'],
    ['no domains', { GATEHOUSE_OIDC_DOMAINS: '' }, 'GATEHOUSE_OIDC_DOMAINS is missing; it takes the domains'],
    [
      'a wrong domain',
      { GATEHOUSE_OIDC_DOMAINS: '@acme.example' },
      'GATEHOUSE_OIDC_DOMAINS: got a value that does not fit; it takes the domains',
    ],
    ['every domain', { GATEHOUSE_OIDC_DOMAINS: '*' }, 'GATEHOUSE_OIDC_DOMAINS: got "*"'],
    ['no TLS', { GATEHOUSE_OIDC_ISSUER: 'http://login.acme.example' }, 'GATEHOUSE_OIDC_ISSUER: got a value'],
    ['a query', { GATEHOUSE_OIDC_ISSUER: 'https://a.example/?x=1' }, 'it takes the https: address'],
    [
      'any tenant',
      { GATEHOUSE_OIDC_ISSUER: 'https://login.microsoftonline.com/common/v2.0' },
      "it takes your own tenant's address",
    ],
    [
      'an unknown role',
      { GATEHOUSE_OIDC_ROLES: 'a=main:boss' },
      'it takes groups with a workspace and a role',
    ],
    ['no workspace', { GATEHOUSE_OIDC_ROLES: 'a=admin' }, 'GATEHOUSE_OIDC_ROLES: got "a=admin"'],
    ['two defaults', { GATEHOUSE_OIDC_DEFAULT_ROLE: 'main:guest;main:admin' }, 'of each workspace once'],
    ['teams alone', { GATEHOUSE_OIDC_TEAMS: 'a=main:Support' }, 'it takes teams of workspaces for which'],
    ['a kind', { GATEHOUSE_OIDC_KIND: 'okta' }, 'one of standard, entra, google'],
    [
      'another kind',
      { GATEHOUSE_OIDC_ISSUER: GOOGLE, GATEHOUSE_OIDC_KIND: 'standard' },
      'GATEHOUSE_OIDC_KIND: got "standard"; it takes google',
    ],
    [
      'groups of Google',
      { GATEHOUSE_OIDC_ISSUER: GOOGLE, GATEHOUSE_OIDC_ROLES: 'a=main:admin' },
      'Google names no groups: set GATEHOUSE_OIDC_DEFAULT_ROLE',
    ],
    ['a name that another one has', { GATEHOUSE_OIDC: 'company' }, 'and not company'],
    ['a name twice', { GATEHOUSE_OIDC: 'okta,okta' }, 'different names in lower case'],
    ['a wrong name', { GATEHOUSE_OIDC: 'Entra ID' }, 'different names in lower case'],
    [
      'a short token of its directory',
      { GATEHOUSE_OIDC_SCIM_TOKEN: 'x'.repeat(31) },
      'GATEHOUSE_OIDC_SCIM_TOKEN: got a value that does not fit; it takes 32 to 500 printable characters',
    ],
    [
      'a token that two directories have',
      {
        GATEHOUSE_OIDC_SCIM_TOKEN: 'x'.repeat(32),
        GATEHOUSE_OIDC: 'okta',
        GATEHOUSE_OIDC_OKTA_ISSUER: 'https://acme.okta.com',
        GATEHOUSE_OIDC_OKTA_CLIENT_ID: 'a',
        GATEHOUSE_OIDC_OKTA_DOMAINS: 'acme.example',
        GATEHOUSE_OIDC_OKTA_SCIM_TOKEN: 'x'.repeat(32),
      },
      'it takes providers of which each has a SCIM_TOKEN of its own',
    ],
    ['a misspelt one', { GATEHOUSE_OIDC_DOMAIN: 'x' }, 'Did you mean GATEHOUSE_OIDC_DOMAINS?'],
  ])('stops the start with %s', (_, wrong, sentence) => {
    expect(() => new Settings({ ...ONE, ...wrong })).toThrow(sentence);
  });

  it('is missed where it is named, and its secret is not repeated', () => {
    const start = () =>
      new Settings({
        GATEHOUSE_OIDC: 'entra',
        GATEHOUSE_OIDC_ENTRA_CLIENT_SECRET: 'hidden secret',
        GATEHOUSE_OIDC_ENTRA_GROUP_CLAIM: 'x',
      });
    expect(start).toThrow('GATEHOUSE_OIDC_ENTRA_ISSUER is missing');
    expect(start).toThrow('GATEHOUSE_OIDC_ENTRA_CLIENT_SECRET: got a value that does not fit');
    expect(start).toThrow('Did you mean GATEHOUSE_OIDC_ENTRA_GROUPS_CLAIM?');
    expect(start).not.toThrow('hidden');
  });
});

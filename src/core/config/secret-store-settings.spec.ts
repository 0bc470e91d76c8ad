import { describe, expect, it } from 'vitest';

import { Settings } from './settings.js';

const VAULT = {
  GATEHOUSE_VAULT_ADDRESS: 'https://vault.acme.example:8200/',
  GATEHOUSE_VAULT_TOKEN_FILE: '/vault/token',
};
const AWS = { GATEHOUSE_AWS_SECRETS_REGION: 'eu-west-1' };
const read = (environment: Record<string, string>) => new Settings(environment).secretStores;

describe('stores of secrets', () => {
  it('are none, unless something is set of them', () => {
    expect(read({})).toEqual({ vault: null, aws: null });
  });

  it('keep workspaces apart by their ids, unless the operator says otherwise', () => {
    expect(read({ ...VAULT, ...AWS })).toEqual({
      vault: {
        address: 'https://vault.acme.example:8200',
        namespace: null,
        mount: 'secret',
        prefix: 'gatehouse/{workspace_id}/',
        ca: null,
        login: { kind: 'token', token: { file: '/vault/token' } },
      },
      aws: { region: 'eu-west-1', endpoint: null, prefix: 'gatehouse/{workspace_id}/', keys: null },
    });
    const { vault } = read({ ...VAULT, GATEHOUSE_VAULT_PREFIX: 'teams/{workspace}/{environment}' });
    expect(vault!.prefix).toBe('teams/{workspace}/{environment}/');
  });

  it('log in by an AppRole or a role of Kubernetes', () => {
    const { GATEHOUSE_VAULT_ADDRESS } = VAULT;
    const role = { GATEHOUSE_VAULT_ROLE_ID: 'role', GATEHOUSE_VAULT_SECRET_ID: 'other-half' };
    expect(read({ GATEHOUSE_VAULT_ADDRESS, ...role }).vault!.login).toEqual({
      kind: 'approle',
      mount: 'approle',
      roleId: 'role',
      secretId: { value: 'other-half' },
    });
    const cluster = { GATEHOUSE_VAULT_KUBERNETES_ROLE: 'gatehouse', GATEHOUSE_VAULT_LOGIN_MOUNT: 'cluster' };
    expect(read({ GATEHOUSE_VAULT_ADDRESS, ...cluster }).vault!.login).toEqual({
      kind: 'kubernetes',
      mount: 'cluster',
      role: 'gatehouse',
      token: { file: '/var/run/secrets/kubernetes.io/serviceaccount/token' },
    });
  });

  it.each([
    ['no folder of the workspace', 'shared/', 'folders of which one is {workspace_id} or {workspace}'],
    ['a folder that begins as another', 'gatehouse/x-{workspace}/', 'folders of which one is'],
    ['two in one folder', '{workspace}{environment}/', 'folders of which one is'],
    ['an unknown name', '{workspace}/{team}/', 'folders of which one is'],
    ['a way out', '../{workspace}/', 'folders of which one is'],
    ['a way out at the end', '{workspace}/..', 'folders of which one is'],
    ['a beginning at the root', '/{workspace}/', 'folders of which one is'],
    ['an empty folder', 'a//{workspace}/', 'folders of which one is'],
    ['an escape', '%2e%2e/{workspace}/', 'folders of which one is'],
  ])('have no prefix with %s', (_, prefix, takes) => {
    for (const name of ['GATEHOUSE_VAULT_PREFIX', 'GATEHOUSE_AWS_SECRETS_PREFIX'])
      expect(() => read({ ...VAULT, ...AWS, [name]: prefix })).toThrow(
        `${name}: got "${prefix}"; it takes ${takes}`,
      );
  });

  it.each<[string, Record<string, string>, string]>([
    ['no way to log in', { GATEHOUSE_VAULT_TOKEN_FILE: '' }, 'GATEHOUSE_VAULT_TOKEN_FILE is missing'],
    ['two of them', { GATEHOUSE_VAULT_KUBERNETES_ROLE: 'gatehouse' }, 'GATEHOUSE_VAULT_TOKEN: got a value'],
    ['half a role', { GATEHOUSE_VAULT_ROLE_ID: 'role' }, 'GATEHOUSE_VAULT_SECRET_ID_FILE is missing'],
    [
      'a token twice',
      { GATEHOUSE_VAULT_TOKEN: 'hvs.hidden' },
      'GATEHOUSE_VAULT_TOKEN_FILE: got a value that does not fit; it takes nothing where',
    ],
    [
      'a file somewhere',
      { GATEHOUSE_VAULT_TOKEN_FILE: 'token' },
      'GATEHOUSE_VAULT_TOKEN_FILE: got a value that',
    ],
    ['no address', { GATEHOUSE_VAULT_ADDRESS: '' }, 'GATEHOUSE_VAULT_ADDRESS is missing'],
    ['no TLS', { GATEHOUSE_VAULT_ADDRESS: 'http://vault.acme.example' }, 'it takes an https: address'],
    ['a password', { GATEHOUSE_VAULT_ADDRESS: 'https://u:p@vault.example' }, 'it takes an https: address'],
    ['no such authority', { GATEHOUSE_VAULT_CA_FILE: '/nowhere/ca.pem' }, 'as PEM (ENOENT)'],
    [
      'half of the keys',
      { ...AWS, GATEHOUSE_AWS_SECRETS_ACCESS_KEY_ID: 'AKIA' },
      'SECRET_ACCESS_KEY is missing',
    ],
    [
      'no region',
      { GATEHOUSE_AWS_SECRETS_ENDPOINT: 'https://a.example' },
      'GATEHOUSE_AWS_SECRETS_REGION is missing',
    ],
    ['no such region', { GATEHOUSE_AWS_SECRETS_REGION: 'x.evil.example/' }, 'a region such as eu-west-1'],
  ])('stop the start with %s', (_, changed, words) => {
    expect(() => read({ ...VAULT, ...changed })).toThrow(words);
  });
});

import { readFileSync } from 'node:fs';
import { isAbsolute } from 'node:path';

import { isLoopbackHost } from './loopback-host.js';
import type { SettingsReader } from './settings-reader.js';

/** A credential that is set as it is, or stands in a file that is read whenever it is needed. */
export type KeptCredential = { value: string } | { file: string };

/** How the service proves to Vault who it is. */
export type VaultLogin =
  | { kind: 'token'; token: KeptCredential }
  | { kind: 'approle'; mount: string; roleId: string; secretId: KeptCredential }
  | { kind: 'kubernetes'; mount: string; role: string; token: KeptCredential };

/** A Vault, or an OpenBao, from which secrets are read. */
export interface VaultSettings {
  address: string;
  namespace: string | null;
  /** Of its key/value store, version 2. */
  mount: string;
  /** Below what each workspace's secrets are: whole folders, with names in braces for what differs. */
  prefix: string;
  /** Authorities to trust besides those of the process, PEM. */
  ca: string | null;
  login: VaultLogin;
}

/** An AWS Secrets Manager from which secrets are read. */
export interface AwsSecretsSettings {
  region: string;
  /** null: that of the region. */
  endpoint: string | null;
  prefix: string;
  /** null: they are found as AWS's programs find them. */
  keys: { accessKeyId: string; secretAccessKey: string } | null;
}

/** Where companies keep secrets, besides what is stored here. */
export interface SecretStoreSettings {
  vault: VaultSettings | null;
  aws: AwsSecretsSettings | null;
}

/** By the id: its name may be another workspace's later. */
const DEFAULT_PREFIX = 'gatehouse/{workspace_id}/';
const FOLDER = String.raw`(?:\{(?:workspace|workspace_id|environment)\}|(?!\.+(?:\/|$))[A-Za-z0-9_.+=@-]{1,100})`;
const PREFIX = new RegExp(`^${FOLDER}(?:/${FOLDER})*/?$`);
const OF_WORKSPACE = /\{(?:workspace|workspace_id)\}/;
const PATH = /^[\w-]+(?:\/[\w-]+)*$/;
const PRINTABLE = /^[\x21-\x7e]{1,4096}$/;
const REGION = /^[a-z]{2,}(?:-[a-z]+)+-\d{1,2}$/;
const SERVICE_ACCOUNT = '/var/run/secrets/kubernetes.io/serviceaccount/token';
const WORDS = 'printable characters without blanks';
const VAULT = 'GATEHOUSE_VAULT_';
const AWS = 'GATEHOUSE_AWS_SECRETS_';

export function readSecretStores(read: SettingsReader): SecretStoreSettings {
  return { vault: readVault(read), aws: readAwsSecrets(read) };
}

/** null: none is set. */
function readVault(read: SettingsReader): VaultSettings | null {
  const address = addressAt(read, `${VAULT}ADDRESS`);
  const mount = read.matching(`${VAULT}MOUNT`, PATH, 'the path of a key/value store, such as secret');
  const settings = {
    namespace: read.matching(`${VAULT}NAMESPACE`, PATH, 'a namespace, such as admin/teams'),
    mount: mount ?? 'secret',
    prefix: prefixAt(read, `${VAULT}PREFIX`),
    ca: certificateAt(read, `${VAULT}CA_FILE`),
  };
  const login = readLogin(read);
  if (login !== null && address === null && read.text(`${VAULT}ADDRESS`) === null) {
    read.lacks(`${VAULT}ADDRESS`, 'the address of Vault, such as https://vault.example.com:8200');
  }
  if (address === null) return null;
  if (login === null) {
    read.lacks(
      `${VAULT}TOKEN_FILE`,
      'the path of a file with a token; or set …_ROLE_ID or …_KUBERNETES_ROLE',
    );
    return null;
  }
  return { address, ...settings, login };
}

/** The one way that is set; two are one too many. */
function readLogin(read: SettingsReader): VaultLogin | null {
  const token = keptAt(read, `${VAULT}TOKEN`);
  const roleId = read.matching(`${VAULT}ROLE_ID`, PRINTABLE, WORDS);
  const secretId = keptAt(read, `${VAULT}SECRET_ID`);
  const role = read.matching(`${VAULT}KUBERNETES_ROLE`, PRINTABLE, WORDS);
  const jwtFile = fileAt(read, `${VAULT}KUBERNETES_TOKEN_FILE`);
  const mount = read.matching(`${VAULT}LOGIN_MOUNT`, PATH, 'the path of a way to log in, such as approle');
  if ((roleId === null) !== (secretId === null)) {
    read.lacks(`${VAULT}${roleId === null ? 'ROLE_ID' : 'SECRET_ID_FILE'}`, 'the other half of an AppRole');
    return null;
  }
  const ways: VaultLogin[] = [
    ...(token ? [{ kind: 'token', token } as const] : []),
    ...(roleId && secretId
      ? [{ kind: 'approle', mount: mount ?? 'approle', roleId, secretId } as const]
      : []),
    ...(role
      ? [
          {
            kind: 'kubernetes',
            mount: mount ?? 'kubernetes',
            role,
            token: { file: jwtFile ?? SERVICE_ACCOUNT },
          } as const,
        ]
      : []),
  ];
  if (ways.length > 1) {
    read.refuse(`${VAULT}TOKEN`, 'one way to log in: a token, an AppRole or a role of Kubernetes');
  }
  return ways[0] ?? null;
}

/** null: none is set. */
function readAwsSecrets(read: SettingsReader): AwsSecretsSettings | null {
  const region = read.matching(`${AWS}REGION`, REGION, 'a region such as eu-west-1');
  const settings = { endpoint: addressAt(read, `${AWS}ENDPOINT`), prefix: prefixAt(read, `${AWS}PREFIX`) };
  const accessKeyId = read.matching(`${AWS}ACCESS_KEY_ID`, PRINTABLE, WORDS);
  const secretAccessKey = read.matching(`${AWS}SECRET_ACCESS_KEY`, PRINTABLE, WORDS);
  if ((accessKeyId === null) !== (secretAccessKey === null)) {
    const other = accessKeyId === null ? 'ACCESS_KEY_ID' : 'SECRET_ACCESS_KEY';
    read.lacks(`${AWS}${other}`, 'the other half of the keys');
  }
  if (region === null && (accessKeyId !== null || settings.endpoint !== null)) {
    read.lacks(`${AWS}REGION`, 'the region of the secrets, such as eu-west-1');
  }
  if (region === null) return null;
  const keys = accessKeyId !== null && secretAccessKey !== null ? { accessKeyId, secretAccessKey } : null;
  return { region, ...settings, keys };
}

/** `https:`, or this machine: what comes from there is nobody else's to read. */
function addressAt(read: SettingsReader, name: string): string | null {
  const address = read.url(name, ['http:', 'https:']);
  if (address === null) return null;
  const { protocol, hostname } = new URL(address);
  const isSafe = protocol === 'https:' || isLoopbackHost(hostname);
  if (isSafe && !/[?#]|\/\/[^/]*@/.test(address)) return address;
  read.refuse(name, 'an https: address without a user, a password or a query');
  return null;
}

function prefixAt(read: SettingsReader, name: string): string {
  const prefix = read.text(name) ?? DEFAULT_PREFIX;
  if (!PREFIX.test(prefix) || !OF_WORKSPACE.test(prefix)) {
    const takes = 'folders of which one is {workspace_id} or {workspace}, such as';
    read.refuseShowing(name, prefix, `${takes} ${DEFAULT_PREFIX}: no workspace reads another's secrets`);
  }
  return prefix.endsWith('/') ? prefix : `${prefix}/`;
}

function keptAt(read: SettingsReader, name: string): KeptCredential | null {
  const value = read.matching(name, PRINTABLE, WORDS);
  const file = fileAt(read, `${name}_FILE`);
  if (value !== null && file !== null) read.refuse(`${name}_FILE`, `nothing where ${name} is set`);
  if (value !== null) return { value };
  return file === null ? null : { file };
}

/** It need not be there yet: whoever keeps it there replaces it. */
function fileAt(read: SettingsReader, name: string): string | null {
  const file = read.text(name);
  if (file !== null && !isAbsolute(file)) {
    read.refuse(name, 'the absolute path of a file, which is read whenever it is needed');
  }
  return file;
}

function certificateAt(read: SettingsReader, name: string): string | null {
  const file = read.text(name);
  if (file === null) return null;
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const code = (error as { code?: string }).code ?? '';
    read.refuse(name, `the path of a file with certificates as PEM (${code})`);
    return null;
  }
}

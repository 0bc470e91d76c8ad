import { readFile } from 'node:fs/promises';

import { Injectable, Logger } from '@nestjs/common';

import { Settings } from '../../core/config/index.js';
import { ClientUnusable } from './ask-client.js';
import { type NpmConfiguration, readNpmConfiguration } from './npm-configuration.js';
import { type PipConfiguration, type PipIndex, readPipConfiguration } from './pip-configuration.js';
import { type RegistryAccess, RegistryAddresses } from './registry-access.js';

/** The registries that this machine is configured for, and the configuration for pip and npm in a box. */
export interface Registries {
  access: RegistryAccess;
  /** Further certificates to trust, PEM. Those that this process trusts are not repeated. */
  ca: string[];
  /** The text of pip's configuration file in the box, or why there is no pip. */
  pip: { config: string } | { missing: string };
  npm: { config: string } | { missing: string };
}

/** Variables that name files of certificates to trust. This process trusts those of NODE_EXTRA_CA_CERTS already. */
const CA_VARIABLES = ['PIP_CERT', 'REQUESTS_CA_BUNDLE', 'SSL_CERT_FILE', 'CURL_CA_BUNDLE'];
/** Endings of what pip downloads. An index links to files beside it, as from `/simple/` to `/packages/`. */
const DISTRIBUTIONS = ['.whl', '.tar.gz', '.tar.bz2', '.zip'].flatMap((ending) => [
  ending,
  `${ending}.metadata`,
]);
/** The configuration is read again after this time, so that a change needs no restart. */
const FRESH_MS = 60_000;

/**
 * Reads this machine's configuration of pip and npm and translates it for a box. The gate gets the real addresses and the
 * credentials; the box's configuration holds no credential.
 */
@Injectable()
export class RegistryReader {
  private readonly logger = new Logger('Builds');
  private known: { at: number; python: string | null; registries: Promise<Registries> } | null = null;

  constructor(private readonly settings: Settings) {}

  read(python: string | null): Promise<Registries> {
    if (!this.known || this.known.python !== python || Date.now() - this.known.at > FRESH_MS)
      this.known = { at: Date.now(), python, registries: this.ask(python) };
    return this.known.registries;
  }

  private async ask(python: string | null): Promise<Registries> {
    const pip = python === null ? 'there is no python3' : await unlessUnusable(readPipConfiguration(python));
    const npm = await unlessUnusable(readNpmConfiguration(this.settings.nodePath));
    const addresses = new RegistryAddresses();
    const configured = {
      pip: typeof pip === 'string' ? { missing: pip } : { config: this.pipConfig(pip, addresses) },
      npm: typeof npm === 'string' ? { missing: npm } : { config: this.npmConfig(npm, addresses) },
    };
    const files = [
      ...(typeof pip === 'string' ? [] : [pip.cert]),
      ...(typeof npm === 'string' ? [] : [npm.cafile]),
      ...CA_VARIABLES.map((name) => process.env[name] ?? null),
    ];
    const ca = [...(await readAll(files)), ...(typeof npm === 'string' ? [] : npm.ca)];
    return { access: addresses, ca, ...configured };
  }

  private pipConfig(pip: PipConfiguration, addresses: RegistryAddresses): string {
    const map = (sources: PipIndex[]): string[] =>
      sources.flatMap((source) => {
        const credentials = credentialsFor(source, [...pip.indexes, ...pip.findLinks]);
        return this.address(addresses, source.url, credentials && basic(credentials), DISTRIBUTIONS);
      });
    const [main, ...extra] = pip.noIndex ? [] : map(pip.indexes);
    const links = map(pip.findLinks);
    if (pip.filesHost !== null) addresses.add(`https://${pip.filesHost}/`, null);
    const lines = Object.entries(pip.other).map(([name, value]) => `${name} = ${value}`);
    if (main !== undefined) lines.push(`index-url = ${main}`);
    else lines.push('no-index = true');
    if (extra.length > 0) lines.push('extra-index-url =', ...extra.map((url) => `    ${url}`));
    if (links.length > 0) lines.push('find-links =', ...links.map((url) => `    ${url}`));
    return `[global]\n${lines.join('\n')}\n`;
  }

  private npmConfig(npm: NpmConfiguration, addresses: RegistryAddresses): string {
    const lines: string[] = [];
    let renamed = false;
    for (const { scope, url, authorization } of npm.registries) {
      const [address] = this.address(addresses, url, authorization);
      if (address === undefined) continue;
      renamed ||= new URL(address).host !== new URL(url).host;
      lines.push(`${scope === null ? '' : `${scope}:`}registry=${address}`);
    }
    // In its responses a registry names the files by its own address, which a box cannot reach.
    lines.push(`replace-registry-host=${renamed ? 'always' : npm.replaceRegistryHost}`);
    return `${lines.join('\n')}\n`;
  }

  private address(
    addresses: RegistryAddresses,
    url: string,
    authorization: string | null,
    siblingEndings?: readonly string[],
  ): string[] {
    try {
      return [addresses.add(url, authorization, siblingEndings)];
    } catch {
      this.logger.warn('A registry of pip or npm is left out: its address is not one by HTTP.');
      return [];
    }
  }
}

/** As pip does it: the credentials of one address count for all addresses of its host. */
function credentialsFor(source: PipIndex, all: readonly PipIndex[]): PipIndex['credentials'] {
  const host = URL.canParse(source.url) ? new URL(source.url).host : null;
  const alike = all.find(
    ({ url, credentials }) => credentials && URL.canParse(url) && new URL(url).host === host,
  );
  return source.credentials ?? alike?.credentials ?? null;
}

function basic({ user, password }: { user: string; password: string }): string {
  return `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
}

/** The configuration, or why it cannot be read. */
async function unlessUnusable<T>(reading: Promise<T>): Promise<T | string> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof ClientUnusable) return error.message;
    throw error;
  }
}

async function readAll(paths: (string | null)[]): Promise<string[]> {
  const wanted = [...new Set(paths.filter((path) => path !== null && path !== ''))] as string[];
  const texts = await Promise.all(wanted.map((path) => readFile(path, 'utf8').catch(() => null)));
  return texts.filter((text) => text !== null);
}

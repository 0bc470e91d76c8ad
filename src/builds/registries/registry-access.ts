import { isIP } from 'node:net';

import {
  type Folder,
  type GateSecret,
  HostSet,
  type Origin,
  hostLabel,
  isHostName,
} from '../../../libs/egress/index.js';

/** The hosts that the gate of an installation lets through, their real addresses, and the credentials that it adds. */
export interface RegistryAccess {
  /** As the gate knows them: `host` or `host:port`. */
  hosts: string[];
  origins: Map<string, Origin>;
  secrets: GateSecret[];
}

/** With the operator's credentials an installation may only read packages. */
const METHODS = ['GET', 'HEAD'];
const DEFAULT_PORTS: Record<string, number> = { 'https:': 443, 'http:': 80 };

/**
 * Collects the addresses of registries. The box reaches each by HTTPS and without credentials, whatever the real one is.
 *
 * @example
 * const access = new RegistryAddresses();
 * access.add('http://10.0.0.5:8081/simple', 'Basic …'); // 'https://mirror-1.registry.internal/simple'
 */
export class RegistryAddresses implements RegistryAccess {
  readonly origins = new Map<string, Origin>();
  readonly secrets: GateSecret[] = [];
  private readonly labels = new Map<string, string>();

  get hosts(): string[] {
    return [...this.origins.keys()];
  }

  /**
   * @param authorization the value of the `Authorization` header that is added to requests below the address
   * @param siblingEndings endings of files beside the address to whose requests the header is added as well
   * @returns the address that the box uses
   * @throws TypeError for an address that is neither HTTP nor HTTPS
   */
  add(address: string, authorization: string | null, siblingEndings: readonly string[] = []): string {
    const url = new URL(address);
    const defaultPort = DEFAULT_PORTS[url.protocol];
    if (defaultPort === undefined) throw new TypeError(`${url.protocol} is not a way to a registry`);
    const protocol = url.protocol as Origin['protocol'];
    const host = url.hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');
    const origin: Origin = { host, port: url.port === '' ? defaultPort : Number(url.port), protocol };
    const label = this.labelOf(origin);
    const name = `registry ${label}${url.pathname}`;
    if (authorization !== null && !this.secrets.some((secret) => secret.name === name)) {
      this.secrets.push({
        name,
        hosts: new HostSet([label]),
        header: 'authorization',
        value: authorization,
        userIsPublic: true,
        scope: { methods: METHODS, folders: foldersOf(url.pathname, siblingEndings) },
      });
    }
    return `https://${label}${url.pathname}${url.search}`;
  }

  private labelOf(origin: Origin): string {
    const real = `${origin.protocol}${origin.host}:${origin.port}`;
    const known = this.labels.get(real);
    if (known !== undefined) return known;
    const plain = origin.protocol === 'https:' ? hostLabel(origin.host, origin.port) : origin.host;
    const usable = isIP(origin.host) === 0 && isHostName(origin.host) && !this.origins.has(plain);
    // An IP address, for instance, gets a name that the box can ask the gate for.
    const label = usable ? plain : `mirror-${this.origins.size + 1}.registry.internal`;
    this.labels.set(real, label);
    this.origins.set(label, origin);
    return label;
  }
}

function foldersOf(path: string, siblingEndings: readonly string[]): Folder[] {
  const below = { path };
  const parent = path.replace(/[^/]*\/?$/, '');
  return siblingEndings.length > 0 ? [below, { path: parent, endings: siblingEndings }] : [below];
}

import { isIP } from 'node:net';

import {
  type Folder,
  type GateSecret,
  HostSet,
  type Origin,
  hostLabel,
  isHostName,
} from '../../../libs/egress/index.js';

/** What the gate of an installation lets through, where it leads, and what it attaches. */
export interface RegistryAccess {
  /** As declared to the gate: `host` or `host:port`. */
  hosts: string[];
  origins: Map<string, Origin>;
  secrets: GateSecret[];
}

/** Reading packages is all that an installation may do as the operator. */
const METHODS = ['GET', 'HEAD'];
const DEFAULT_PORTS: Record<string, number> = { 'https:': 443, 'http:': 80 };

/**
 * Gathers the registries' addresses. In the box each is reached by HTTPS, whatever the real one, and without its credentials.
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
   * @param authorization the value of the header that requests get which read something below the address
   * @param besides endings of files that get it also beside the address: pip's indexes lead to them there
   * @returns the address to be used in the box
   * @throws TypeError for an address that is not one by HTTP
   */
  add(address: string, authorization: string | null, besides: readonly string[] = []): string {
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
        scope: { methods: METHODS, folders: foldersOf(url.pathname, besides) },
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
    // What the gate cannot be asked for by its own name gets one.
    const label = usable ? plain : `mirror-${this.origins.size + 1}.registry.internal`;
    this.labels.set(real, label);
    this.origins.set(label, origin);
    return label;
  }
}

function foldersOf(path: string, besides: readonly string[]): Folder[] {
  const below = { path };
  const parent = path.replace(/[^/]*\/?$/, '');
  return besides.length > 0 ? [below, { path: parent, endings: besides }] : [below];
}

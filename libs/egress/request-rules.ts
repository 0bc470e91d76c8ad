import { cutText } from '../cut-text/index.js';
import { hostLabel } from './host-pattern.js';
import { HostSet } from './host-set.js';
import { overridingHeader } from './overriding-headers.js';
import { pathReadings } from './path-readings.js';
import type { PlannedResponse, Refusal } from './refusal.js';
import type { ScopedRequest } from './request-scope.js';

/** What a host may be asked otherwise than by HTTPS. */
export type HostProtocol = 'http' | 'tls' | 'tcp' | 'postgres';

/** Which requests a host may get, or how else it is spoken to. Several for one host are alternatives. */
export interface HostRule {
  /** As it is declared: `api.example.com`, `*.example.com:8443`. */
  host: string;
  /** In upper case. null: any. A websocket is a GET. */
  methods: string[] | null;
  /** Each as in a URL: exact, or with a `*` at its end everything that begins so. null: any. */
  paths: string[] | null;
  /** Absent: HTTPS. */
  protocol?: HostProtocol;
  /** Of PostgreSQL: what holds on each connection. */
  postgres?: PostgresRule;
  /** Each request that fits is held until a person has said yes; `agents`: where an agent has started the run. */
  ask?: 'always' | 'agents';
  /** What a request that fits gets in a plan, where it is not sent. Of HTTP and HTTPS. Absent: 409. */
  plan?: PlannedResponse;
}

export interface PostgresRule {
  /** The only one; null: the one that the secret or the client names. */
  database: string | null;
  /** Taken after the sign-in; null: none. */
  role: string | null;
  readOnly: boolean;
  /** In seconds; null: what the server has. */
  statementTimeout: number | null;
  maxConnections: number;
}

const MAX_SHOWN_PATH = 200;
const MAX_SHOWN_HEADER = 50;
/** Names of query parameters that frameworks take for the real method. */
const OVERRIDING_PARAMETER =
  /^(?:_method|_?\$?http_?method|(?:x-)?http-method(?:-override)?|(?:x-)?method-override)$/i;

/**
 * What may be asked of hosts that are declared with rules; of every other host, anything. Where several declarations fit
 * one name, each has to let a request through.
 *
 * @example
 * const rules = new RequestRules([{ host: 'api.example.com', methods: ['GET'], paths: ['/v1/*'] }]);
 * rules.check('api.example.com', 443, { method: 'POST', target: '/v1/x', rawHeaders: [] })?.status; // 403
 */
export class RequestRules {
  private readonly declarations: { hosts: HostSet; rules: HostRule[] }[];

  /** @throws InvalidHost */
  constructor(rules: readonly HostRule[]) {
    this.declarations = [...new Set(rules.map(({ host }) => host))].map((host) => ({
      hosts: new HostSet([host]),
      rules: rules.filter((rule) => rule.host === host),
    }));
  }

  /** @param name of a declared host, in its one form */
  check(name: string, port: number, request: ScopedRequest): Refusal | null {
    const fitting = this.declarations.filter(({ hosts }) => hosts.matches(name, port));
    if (fitting.length === 0) return null;
    const doubt = doubtAbout(request);
    if (doubt === null && fitting.every(({ rules }) => rules.some((rule) => fits(rule, request))))
      return null;
    const scheme = fitting.some(({ rules }) => rules.some(({ protocol }) => protocol === 'http'))
      ? 'http'
      : 'https';
    return refusal(
      `${request.method} ${scheme}://${hostLabel(name, port)}${shownPath(request.target)}`,
      doubt,
    );
  }

  /**
   * Whether any rule that asks may fit, in whatever way the host may read the path, even if another one that does not ask
   * fits better. Who has started the run is not known here: rules that do not apply to it have to be left out.
   */
  asks(name: string, port: number, request: ScopedRequest): boolean {
    const asking = this.declarations
      .filter(({ hosts }) => hosts.matches(name, port))
      .flatMap(({ rules }) => rules.filter(({ ask }) => ask));
    if (asking.length === 0) return false;
    if (doubtAbout(request) !== null) return true;
    const readings = pathReadings(request.target.replace(/\?.*$/s, ''))?.map(folded) ?? null;
    return asking.some((rule) => mayFit(rule, request.method, readings));
  }

  /** What the first rule that fits, and says so, declares for a plan; null: none does. */
  planned(
    name: string,
    port: number,
    request: Pick<ScopedRequest, 'method' | 'target'>,
  ): PlannedResponse | null {
    const rules = this.declarations
      .filter(({ hosts }) => hosts.matches(name, port))
      .flatMap((declared) => declared.rules);
    return rules.find((rule) => rule.plan && fits(rule, request))?.plan ?? null;
  }
}

/** Why the host might do something else than what the request's line says. */
export function doubtAbout({ target, rawHeaders }: ScopedRequest): string | null {
  const header = overridingHeader(rawHeaders);
  if (header !== null)
    return `its header ${header.slice(0, MAX_SHOWN_HEADER)} may stand for another method or path`;
  if (target.includes('#')) return 'its path has a #';
  const query = target.split('?').slice(1).join('?');
  const names = [...new URLSearchParams(query.replaceAll(';', '&')).keys()];
  const parameter = names.find((name) => OVERRIDING_PARAMETER.test(name.trim()));
  return parameter === undefined ? null : 'its query names another method';
}

function fits(
  { methods, paths }: HostRule,
  { method, target }: Pick<ScopedRequest, 'method' | 'target'>,
): boolean {
  if (methods !== null && !methods.includes(method)) return false;
  if (paths === null) return true;
  const path = target.replace(/\?.*$/s, '');
  const readings = pathReadings(path);
  return readings !== null && paths.some((declared) => isDeclared(path, readings, declared));
}

/** The other way round than `fits`: in doubt it does. Hosts may not tell capitals apart, or leave out a slash at the end. */
function mayFit({ methods, paths }: HostRule, method: string, readings: readonly string[] | null): boolean {
  if (methods !== null && !methods.includes(method)) return false;
  if (paths === null || readings === null) return true;
  return paths.some((declared) => {
    const isPrefix = declared.endsWith('*');
    const wanted = pathReadings(isPrefix ? declared.slice(0, -1) : declared);
    if (wanted === null) return true;
    return wanted.some((one) =>
      readings.some((path) => (isPrefix ? path.startsWith(one.toLowerCase()) : path === folded(one))),
    );
  });
}

function folded(path: string): string {
  return `${path.toLowerCase().replace(/(?<![/\s])[/\s]+$/, '')}/`;
}

/** As it stands, and in whatever way the host may read it. */
function isDeclared(path: string, readings: readonly string[], declared: string): boolean {
  if (!declared.endsWith('*')) return path === declared;
  const prefix = declared.slice(0, -1);
  const prefixes = pathReadings(prefix) ?? [];
  return (
    path.startsWith(prefix) && readings.every((reading) => prefixes.some((one) => reading.startsWith(one)))
  );
}

/** Without the query, which may hold what is nobody's business. */
function shownPath(target: string): string {
  const path = target.replace(/[?#].*$/s, '');
  return cutText(path, MAX_SHOWN_PATH, '…');
}

function refusal(request: string, doubt: string | null): Refusal {
  const reason = `${request} is not among what this version declares${doubt === null ? '' : `: ${doubt}`}`;
  const message = `${reason}. Add its method and path to those of this host, and send it as they say.`;
  return { status: 403, code: 'request_not_declared', reason, message };
}

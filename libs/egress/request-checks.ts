import { hostLabel } from './host-pattern.js';
import { isHostName } from './host-name.js';
import type { HostSet } from './host-set.js';
import type { Refusal } from './refusal.js';

/** What is known of a request before anything is done for it. */
interface RequestHead {
  /** As in the TLS handshake, lower case. */
  serverName: string | null;
  /** Of the listener that took the connection. */
  port: number;
  method: string;
  target: string;
  httpVersion: string;
  rawHeaders: readonly string[];
}

/** Names and values cost memory beyond their bytes. */
const MAX_HEADERS = 256;
const FORBIDDEN_METHODS = new Set(['CONNECT', 'TRACE', 'TRACK']);
/** Printable ASCII: what HTTP allows in a target, and a little more that servers take. */
const TARGET = /^\/[\x21-\x7e]*$/;

/**
 * The first three checks of a request, in order: the host is declared; the request is for the host that the
 * connection was made for; it is of a form that no two readers take for different things.
 *
 * @returns null when it may pass
 */
export function checkRequest(head: RequestHead, hosts: HostSet): Refusal | null {
  return checkServerName(head, hosts) ?? checkHostHeader(head) ?? checkForm(head);
}

/** Whether a server name is declared for a port. */
export function checkServerName(
  { serverName, port }: Pick<RequestHead, 'serverName' | 'port'>,
  hosts: HostSet,
): Refusal | null {
  if (serverName === null) {
    const reason = 'it names no host (TLS server name)';
    const message =
      'The connection names no host (TLS server name): connect by a declared host name, not by an address.';
    return { status: 421, code: 'no_server_name', reason, message };
  }
  if (isHostName(serverName) && hosts.matches(serverName, port)) return null;
  const ports = isHostName(serverName) ? hosts.portsOf(serverName) : [];
  const wrongPort = ports.length > 0 ? `, only with port ${ports.join(' and ')}` : '';
  const reason = `the host is not declared${wrongPort}`;
  const message = `The host ${hostLabel(serverName, port)} is not declared${wrongPort}. Add it to the hosts that this script may reach. The run's log names it, too.`;
  return { status: 403, code: 'host_not_declared', reason, message };
}

function checkHostHeader({ serverName, port, rawHeaders }: RequestHead): Refusal | null {
  const found = valuesOf(rawHeaders, 'host');
  if (found.length !== 1)
    return malformed(`the request has ${found.length === 0 ? 'no' : 'several'} Host headers`);
  const given = (found[0] ?? '').trim().toLowerCase();
  const expected = hostLabel(serverName ?? '', port);
  if (given === expected || given === `${serverName}:${port}`) return null;
  const reason = `the Host header ${JSON.stringify(given.slice(0, 100))} does not match the connection's host`;
  const message = `The Host header ${JSON.stringify(given.slice(0, 255))} does not match the connection's host ${expected}.`;
  return { status: 421, code: 'host_mismatch', reason, message };
}

function checkForm({ method, target, httpVersion, rawHeaders }: RequestHead): Refusal | null {
  if (FORBIDDEN_METHODS.has(method)) return methodRefused(method);
  if (httpVersion !== '1.1' && httpVersion !== '1.0')
    return malformed(`HTTP/${httpVersion} is not spoken here, only HTTP/1.1`);
  if (!TARGET.test(target)) return malformed('the request target must be a path that begins with a slash');
  if (rawHeaders.length > MAX_HEADERS * 2) return headersTooLong();
  const lengths = valuesOf(rawHeaders, 'content-length');
  const codings = valuesOf(rawHeaders, 'transfer-encoding');
  if (codings.length > 0 && lengths.length > 0) {
    return malformed('the request has both Content-Length and Transfer-Encoding');
  }
  if (lengths.length > 1 || !lengths.every((length) => /^\d{1,15}$/.test(length))) {
    return malformed('the Content-Length is not one number');
  }
  const onlyChunked =
    codings.length === 0 || (codings.length === 1 && codings[0]?.toLowerCase() === 'chunked');
  if (!onlyChunked || (codings.length > 0 && httpVersion === '1.0')) {
    return malformed('the Transfer-Encoding must be chunked and nothing else, in HTTP/1.1');
  }
  const expectations = valuesOf(rawHeaders, 'expect');
  if (expectations.some((expectation) => expectation.toLowerCase() !== '100-continue')) {
    return malformed('the only expectation (Expect) that is understood is 100-continue');
  }
  return null;
}

export function methodRefused(method: string): Refusal {
  return {
    status: 405,
    code: 'method_not_allowed',
    ...inWords(`the method ${method} does not pass the gate`),
  };
}

export function headersTooLong(): Refusal {
  return { ...malformed("the request's headers are too long or too many"), status: 431 };
}

export function malformed(reason: string): Refusal {
  return { status: 400, code: 'malformed_request', ...inWords(reason) };
}

function inWords(reason: string): { reason: string; message: string } {
  return { reason, message: `${reason.charAt(0).toUpperCase()}${reason.slice(1)}.` };
}

/** All values of a header. @param name in lower case */
export function valuesOf(rawHeaders: readonly string[], name: string): string[] {
  return rawHeaders.filter((_, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === name);
}

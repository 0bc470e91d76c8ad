import { type ClientRequest, type IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { relayResponse } from './relay-response.js';
import { framingOf, upgradeHeaders } from './forwarded-headers.js';
import type { GateContext } from './gate-context.js';
import { join } from './join.js';
import { type Refusal, refuse } from './refusal.js';
import { malformed } from './request-checks.js';
import type { Route } from './router.js';
import { headBytes, type HostUsage } from './usage-counters.js';
import { describeFailure, UpstreamSilent } from './upstream-failure.js';
import { isMasked, upstreamRequest } from './upstream-request.js';

/** @returns why a request for another protocol may not pass, or null when it asks for a websocket as it should */
export function checkUpgrade(req: IncomingMessage): Refusal | null {
  const isWebsocket = req.headers.upgrade?.trim().toLowerCase() === 'websocket';
  if (isWebsocket && req.method === 'GET' && framingOf(req.rawHeaders) === 'none') return null;
  return malformed(
    'the only change of protocol (Upgrade) that passes the gate is to a websocket, by a GET without a body',
  );
}

/** A response on a connection that Node's HTTP server no longer looks after. It ends the connection. */
export function lastResponse(req: IncomingMessage, socket: Duplex): ServerResponse {
  const res = new ServerResponse(req);
  res.shouldKeepAlive = false;
  res.assignSocket(socket as Parameters<ServerResponse['assignSocket']>[0]);
  socket.on('drain', () => res.emit('drain'));
  res.on('error', () => socket.destroy());
  res.once('finish', () => socket.end());
  return res;
}

/**
 * Asks the host for a websocket and joins the two connections when it agrees.
 *
 * @param onStatus gets the status that the script gets
 */
export function relayWebsocket(
  gate: GateContext,
  route: Route,
  req: IncomingMessage,
  socket: Duplex,
  head: Buffer,
  onStatus: (status: number) => void,
): void {
  const respond = (): ServerResponse => {
    const res = lastResponse(req, socket);
    res.once('finish', () => onStatus(res.statusCode));
    return res;
  };
  const usage = gate.usage.of(route.label);
  const patterns = isMasked(gate) ? gate.patterns : null;
  usage.requests += 1;
  let up: ClientRequest;
  try {
    up = upstreamRequest(gate, route, req, { upgrade: 'websocket' });
  } catch {
    const refusal = malformed('its head cannot be passed on as it is');
    gate.log.refused(route.label, refusal.reason);
    return refuse(respond(), refusal, true);
  }
  let over = false;
  const fail = (error: unknown): void => {
    if (over) return;
    over = true;
    const failure = describeFailure(route.label, error);
    if (failure.code === 'address_refused') usage.denied += 1;
    gate.log.failed(route.label, failure.reason);
    up.destroy();
    if (!socket.destroyed) refuse(respond(), failure);
  };
  up.once('socket', () => {
    usage.bytesOut += headBytes((req.url?.length ?? 0) + 13, req.rawHeaders);
  });
  socket.on('close', () => {
    over = true;
    up.destroy();
  });
  up.setTimeout(gate.timeouts.idleMs, () => fail(new UpstreamSilent(gate.timeouts.idleMs)));
  up.on('error', fail);
  up.on('response', (response) => {
    if (over) return;
    over = true;
    response.on('data', (chunk: Buffer) => (usage.bytesIn += chunk.length));
    const res = respond();
    const broken = (error: unknown): void => {
      const failure = describeFailure(route.label, error);
      gate.log.failed(route.label, failure.reason);
      up.destroy();
      if (res.headersSent) socket.destroy();
      else refuse(res, failure);
    };
    try {
      relayResponse(response, res, {
        method: 'GET',
        patterns,
        secretHeaders: route.secretHeaders,
        signed: route.signing !== null,
        onBroken: broken,
      });
    } catch (error) {
      broken(error);
    }
  });
  up.on('upgrade', (response, upSocket, upHead) => {
    usage.bytesIn += headBytes((response.statusMessage?.length ?? 0) + 13, response.rawHeaders);
    if (over || socket.destroyed) return void upSocket.destroy();
    over = true;
    if (patterns) gate.log.note(route.label, 'the messages of its websocket are not searched for secrets');
    const lines = upgradeHeaders(response.rawHeaders, patterns);
    const fields = lines.flatMap((name, index) =>
      index % 2 === 0 ? [`${name}: ${lines[index + 1] ?? ''}\r\n`] : [],
    );
    onStatus(101);
    socket.write(Buffer.from(`HTTP/1.1 101 Switching Protocols\r\n${fields.join('')}\r\n`, 'latin1'));
    upSocket.setTimeout(0);
    relay(socket, upSocket, head, upHead, usage);
  });
  up.end();
}

function relay(script: Duplex, host: Duplex, fromScript: Buffer, fromHost: Buffer, usage: HostUsage): void {
  usage.bytesOut += fromScript.length;
  usage.bytesIn += fromHost.length;
  if (fromScript.length > 0) host.write(fromScript);
  if (fromHost.length > 0) script.write(fromHost);
  script.on('data', (chunk: Buffer) => (usage.bytesOut += chunk.length));
  host.on('data', (chunk: Buffer) => (usage.bytesIn += chunk.length));
  join(script, host);
}

import type net from 'node:net';
import type tls from 'node:tls';
import { ByteBudget } from '../../byte-budget.js';
import type { Dialer, HostTrustContext } from '../../dialer.js';
import type { LeafContexts } from '../../leaf-contexts.js';
import type { ServiceConnection, ServiceProtocol } from '../service-protocol.js';
import { type CancelKey, CancelKeys } from './cancel-keys.js';
import { type ClientStart, readStart } from './client-start.js';
import { AskJudge } from './ask-judge.js';
import type { AskAbout } from './asking-client.js';
import { Judge } from './judge.js';
import { Mask } from './mask.js';
import { CANCEL_REQUEST, Fatal, int32, message, TYPE } from './messages.js';
import { isJudged, type PostgresOptions } from './postgres-options.js';
import { commandOf, PlanJudge } from './plan-judge.js';
import { ConnectionEnded, Malformed } from './read-bytes.js';
import { Relay } from './relay.js';
import { bindingOf, openLink, type ServerLink } from './server-link.js';
import { readSessionStart, type ServerSession } from './session-start.js';
import { passSignIn, signIn } from './sign-in.js';
import { isReadOtherwise } from './settings.js';
import { TooSlow, whyNotBegun, whyNotOpened } from './start-failure.js';
import {
  databaseOf,
  needsNegotiation,
  negotiation,
  outwardStartup,
  parseStartup,
  startSettings,
  type StartupPacket,
  takesLongKey,
} from './startup-packet.js';
import { Turns } from './turns.js';

export interface PostgresParts {
  /** For clients that ask for TLS; null: they get none. */
  contexts: LeafContexts | null;
  /** Knows what the host's certificate is checked against. */
  dialer: Pick<Dialer, 'trustFor'>;
  /** Until a session is open, for each side. Default 15 s. */
  startMs?: number;
  /** The run only reads, whatever the options say. */
  readsOnly?: boolean;
}

const START_MS = 15_000;
const MAX_HELD_BYTES = 8_388_608;
const OK = message(TYPE.authentication, int32(0));
const READY = message(TYPE.ready, Buffer.from('I'));

/**
 * PostgreSQL of one run to one host. The gate ends the client's start-up, signs in outward with credentials that the box
 * never sees, and relays the session: as it is, or what its judge allows. See docs/decisions/postgres-through-the-gate.md.
 */
export class PostgresProtocol implements ServiceProtocol {
  private readonly mask: Mask;
  private readonly keys = new CancelKeys();
  private readonly turns = new Turns();
  private readonly held = new ByteBudget(MAX_HELD_BYTES);
  private readonly options: PostgresOptions;
  private readonly asks: boolean;
  private trust: tls.SecureContext | undefined;
  private sessions = 0;

  constructor(
    /** Those of the host. */
    private readonly declared: PostgresOptions,
    private readonly parts: PostgresParts,
  ) {
    const { readsOnly = false } = parts;
    this.asks = declared.asks === true && !readsOnly;
    this.options = { ...declared, readOnly: declared.readOnly || readsOnly || this.asks };
    this.mask = new Mask(declared.credentials?.password ?? null);
  }

  serve(connection: ServiceConnection): void {
    connection.box.on('error', () => connection.box.destroy());
    connection.box.setNoDelay(true);
    // Who asks to cancel may close at once, and is heard all the same.
    connection.box.allowHalfOpen = true;
    void this.start(connection);
  }

  private async start(connection: ServiceConnection): Promise<void> {
    const { box, host } = connection;
    // A client that binds to its TLS connection could not sign in through another one by itself.
    const contexts = this.options.credentials ? this.parts.contexts : null;
    const giveUp = new AbortController();
    const timer = setTimeout(() => giveUp.abort(new TooSlow()), this.parts.startMs ?? START_MS);
    const onClose = (): void => giveUp.abort(new ConnectionEnded());
    box.once('close', onClose);
    try {
      const start = await readStart(box, host, contexts, giveUp.signal);
      if (start.kind === 'session') start.socket.allowHalfOpen = box.allowHalfOpen = false;
      if (start.kind === 'session') await this.open(connection, start, giveUp.signal);
      else await this.cancel(connection, start, giveUp.signal);
    } catch (error) {
      const failure = whyNotBegun(error);
      if (failure) connection.refused(failure.reason);
      // Under TLS, nobody could read it.
      if (failure && error instanceof Malformed && error.isPlain) box.write(failure.response);
      box.destroySoon();
    } finally {
      clearTimeout(timer);
      box.off('close', onClose);
    }
  }

  /** Before the start-up message is whole and may pass, nothing is dialled. */
  private async open(
    connection: ServiceConnection,
    { socket: client, version, body }: Extract<ClientStart, { kind: 'session' }>,
    signal: AbortSignal,
  ): Promise<void> {
    client.on('error', () => client.destroy());
    let server: net.Socket | null = null;
    try {
      const packet = parseStartup(version, body);
      const startup = outwardStartup(packet, this.options);
      this.admit(client);
      const link = await this.link(connection, signal);
      server = link.socket;
      server.write(startup);
      await this.signIn(connection, client, link, signal);
      const session = await readSessionStart(server, this.mask, signal);
      this.checkReading(session);
      if (client.destroyed || client.readableEnded || server.destroyed) throw new ConnectionEnded();
      this.welcome(client, packet, session);
      this.relay(connection, client, server, packet);
    } catch (error) {
      server?.destroy();
      if (client.destroyed) return;
      const failure = whyNotOpened(connection.host, error);
      if (failure.by === 'box') connection.refused(failure.reason);
      else connection.failed(failure.reason);
      client.end(failure.response);
      client.destroySoon();
    }
  }

  private checkReading({ parameters }: ServerSession): void {
    const encoding = parameters.find((parameter) => parameter.name === 'client_encoding');
    if (isJudged(this.options) && encoding && isReadOtherwise(encoding))
      throw new Malformed('it takes no encoding in which the gate could read statements');
  }

  private welcome(client: net.Socket, packet: StartupPacket, session: ServerSession): void {
    const given = session.key && this.keys.give(session.key, takesLongKey(packet));
    if (given) client.once('close', () => this.keys.take(given));
    const negotiated = needsNegotiation(packet) ? [message(TYPE.negotiate, negotiation(packet))] : [];
    const key = given ? [message(TYPE.backendKey, int32(given.processId), given.key)] : [];
    client.write(Buffer.concat([...negotiated, OK, ...session.told, ...key, READY]));
  }

  private relay(
    connection: ServiceConnection,
    client: net.Socket,
    server: net.Socket,
    packet: StartupPacket,
  ): void {
    const database = databaseOf(packet, this.options);
    const withhold = (sql: Buffer): void => connection.withheld(commandOf(sql.toString()), database, sql);
    const ask: AskAbout = ({ command, shown, sha256 }, gone) =>
      connection.held({ method: command, target: `/${encodeURIComponent(database)}`, shown, sha256 }, gone);
    new Relay({
      judge: this.parts.readsOnly ? new PlanJudge(this.declared, withhold) : new Judge(this.options),
      asking: this.asks ? { judge: new AskJudge(this.declared), ask, settings: startSettings(packet) } : null,
      client,
      server,
      options: this.options,
      mask: this.mask,
      held: this.held,
      onRefused: (reason) => connection.refused(reason),
      onFailed: (reason) => connection.failed(reason),
    }).start();
  }

  private admit(client: net.Socket): void {
    const { maxConnections } = this.options;
    if (client.destroyed) throw new ConnectionEnded();
    if (this.sessions >= maxConnections)
      throw new Fatal(
        '53300',
        `The gate opens at most ${maxConnections} connections at a time to this host.`,
        'Use a smaller pool, or let the version of the script declare more.',
      );
    this.sessions += 1;
    client.once('close', () => {
      this.sessions -= 1;
    });
  }

  private link(connection: ServiceConnection, signal: AbortSignal): Promise<ServerLink> {
    const { sslmode } = this.options;
    const trust = this.trustIn(connection);
    return openLink(connection, { sslmode, isVerified: this.isVerified(trust), trust }, signal);
  }

  private trustIn({ host, port }: ServiceConnection): HostTrustContext {
    const { isOwn, context } = this.parts.dialer.trustFor(host, port, this.options.ca);
    return { isOwn, context: () => (this.trust ??= context()) };
  }

  /** As libpq has it: with authorities of one's own, `require` checks the chain. */
  private isVerified({ isOwn }: HostTrustContext): boolean {
    const { sslmode, ca } = this.options;
    return sslmode !== 'disable' && (sslmode !== 'require' || ca !== null || isOwn);
  }

  private async signIn(
    connection: ServiceConnection,
    client: net.Socket,
    link: ServerLink,
    signal: AbortSignal,
  ): Promise<void> {
    const { credentials } = this.options;
    if (credentials === null) return passSignIn(client, link.socket, signal);
    await signIn(link.socket, {
      password: credentials.password,
      isVerified: this.isVerified(this.trustIn(connection)),
      bindingFor: (offered) => bindingOf(link, offered),
      turns: this.turns,
      signal,
      onUse: () => connection.secretUsed(),
    });
  }

  private async cancel(connection: ServiceConnection, wanted: CancelKey, signal: AbortSignal): Promise<void> {
    try {
      await this.keys.use(wanted, (key) => this.cancelAt(connection, key, signal));
    } catch (error) {
      const { reason } = whyNotOpened(connection.host, error);
      connection.failed(`a statement could not be cancelled: ${reason}`);
    }
    connection.box.destroySoon();
  }
  private async cancelAt(
    connection: ServiceConnection,
    { processId, key }: CancelKey,
    signal: AbortSignal,
  ): Promise<void> {
    const { socket } = await this.link(connection, signal);
    const body = Buffer.concat([int32(CANCEL_REQUEST), int32(processId), key]);
    socket.end(Buffer.concat([int32(body.length + 4), body]));
    // The server closes once it has passed it on, and libpq waits for that.
    socket.resume();
    await new Promise<void>((resolve) => {
      socket.once('close', resolve);
      signal.addEventListener('abort', () => resolve(), { once: true });
    });
    socket.destroy();
  }
}

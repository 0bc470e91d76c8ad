import type net from 'node:net';
import type { ByteBudget } from '../../byte-budget.js';
import type { AskJudge } from './ask-judge.js';
import { type AskAbout, AskingClient } from './asking-client.js';
import type { Ends } from './ends.js';
import { GuardedClient, GuardedServer } from './guarded-relay.js';
import { GuardedSession } from './guarded-session.js';
import type { Judge } from './judge.js';
import type { Mask } from './mask.js';
import { errorResponse } from './messages.js';
import { OneWay } from './one-way.js';
import { PlainClient, PlainServer } from './plain-relay.js';
import { isJudged, type PostgresOptions } from './postgres-options.js';
import { ToldSettings } from './told-settings.js';

interface RelayParts {
  client: net.Socket;
  server: net.Socket;
  options: PostgresOptions;
  judge: Pick<Judge, 'judge'>;
  /** null: nobody is asked about anything. */
  asking: { judge: AskJudge; ask: AskAbout; settings: string[] } | null;
  mask: Mask;
  /** For the statements that are held until they are whole. */
  held: ByteBudget;
  /** Gets why a statement was refused, or the connection cut: a clause. */
  onRefused: (reason: string) => void;
  /** Gets what the server has done wrong: a clause. */
  onFailed: (reason: string) => void;
}

/** The two directions of an open session. */
export class Relay implements Ends {
  readonly toServer: OneWay;
  readonly toClient: OneWay;
  private isCut = false;

  constructor(private readonly parts: RelayParts) {
    const { client, server, options, judge, asking, held } = parts;
    if (isJudged(options)) {
      const session = new GuardedSession(options);
      const guarded = asking
        ? new AskingClient(this, session, asking.judge, held, asking.ask, new ToldSettings(asking.settings))
        : new GuardedClient(this, session, judge, held);
      client.once('close', () => guarded.close());
      this.toServer = new OneWay(client, server, guarded);
      this.toClient = new OneWay(server, client, new GuardedServer(this, session));
    } else {
      this.toServer = new OneWay(client, server, new PlainClient(this));
      this.toClient = new OneWay(server, client, new PlainServer(this));
    }
  }

  start(): void {
    this.toServer.start();
    this.toClient.start();
  }

  tell(whole: Buffer): void {
    this.toClient.write(this.parts.mask.message(whole));
  }

  refused(reason: string): void {
    this.parts.onRefused(reason);
  }

  cutClient(reason: string): void {
    if (this.isCut) return;
    this.parts.onRefused(reason);
    this.cut('08P01', `The gate has closed the connection: ${reason}.`);
  }

  cutServer(reason: string): void {
    if (this.isCut) return;
    this.parts.onFailed(reason);
    this.cut('08006', `The gate has closed the connection: ${reason}.`);
  }

  private cut(code: string, message: string): void {
    this.isCut = true;
    const { client, server } = this.parts;
    server.destroy();
    if (client.destroyed) return;
    if (this.toClient.isBetween) client.write(errorResponse({ severity: 'FATAL', code, message }));
    client.destroySoon();
  }
}

import { once } from 'node:events';
import { hostname } from 'node:os';

import { Dialer } from '../../../libs/egress/index.js';
import type { LogSinkSettings } from '../../core/config/index.js';
import type { Sink, SinkRecord } from './sink.js';
import { syslogFrame } from './syslog-message.js';

/**
 * A syslog server, over TCP or TLS. The protocol has no answer; so each batch has a connection of its own, and is taken once
 * the server has closed it after us: until then a server that went away resets it. The address is the operator's own, as that
 * of mail: a private one is dialled as well, and is opened to nobody else by that.
 */
export class SyslogSink implements Sink {
  readonly gatherMs = 0;
  private readonly dialer = new Dialer({ allow: ['0.0.0.0/0', '::/0'] });

  constructor(private readonly server: LogSinkSettings & { kind: 'syslog' }) {}

  async send(entries: readonly SinkRecord[], signal: AbortSignal): Promise<void> {
    const { host, port, tls } = this.server;
    const target = { host, port, signal };
    const socket = await (tls ? this.dialer.connectTls(target) : this.dialer.connect(target));
    const stop = (): void =>
      void socket.destroy(new Error('The syslog server does not take entries in time.'));
    signal.addEventListener('abort', stop, { once: true });
    try {
      const closed = once(socket, 'close', { signal });
      // What it says is no part of the protocol; it has to be read for the end to be seen.
      socket.resume();
      socket.end(Buffer.concat(entries.map((entry) => syslogFrame(entry, hostname()))));
      await closed;
    } finally {
      signal.removeEventListener('abort', stop);
      socket.destroy();
    }
  }
}

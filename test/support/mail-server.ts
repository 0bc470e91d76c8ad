import { SMTPServer, type SMTPServerOptions } from 'smtp-server';

import { PATIENCE_MS } from '../../libs/testing/patience.js';
import { freePort } from '../../libs/testing/index.js';

export interface ReceivedMail {
  /** Of the envelope. */
  from: string;
  to: string[];
  /** By name in lower case; of a repeated one, the last. */
  headers: Record<string, string>;
  text: string;
  secure: boolean;
  user: string | null;
}

export interface MailServer {
  port: number;
  mails: ReceivedMail[];
  /** Waits until so many mails have come. */
  received(count: number): Promise<ReceivedMail[]>;
  stop(): Promise<void>;
}

/** A real SMTP server on a port of this machine. */
export async function startMailServer(
  options: SMTPServerOptions & { port?: number } = {},
): Promise<MailServer> {
  const mails: ReceivedMail[] = [];
  const port = options.port ?? (await freePort());
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    disableReverseLookup: true,
    closeTimeout: 100,
    onData: (stream, session, done) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const { mailFrom, rcptTo } = session.envelope;
        mails.push({
          ...parse(Buffer.concat(chunks).toString()),
          from: mailFrom ? mailFrom.address : '',
          to: rcptTo.map(({ address }) => address),
          secure: session.secure,
          user: session.user ?? null,
        });
        done();
      });
    },
    ...options,
  });
  // Of clients that go away, as some tests have them do.
  server.on('error', () => undefined);
  await new Promise<void>((listening) => server.listen(port, '127.0.0.1', listening));
  return {
    port,
    mails,
    received: async (count) => {
      const deadline = Date.now() + PATIENCE_MS;
      while (mails.length < count) {
        if (Date.now() > deadline) throw new Error(`${mails.length} mails came, not ${count}.`);
        await new Promise((next) => setTimeout(next, 20));
      }
      return mails;
    },
    stop: () => new Promise((stopped) => server.close(() => stopped())),
  };
}

function parse(raw: string): Pick<ReceivedMail, 'headers' | 'text'> {
  const [head = '', ...body] = raw.split('\r\n\r\n');
  const headers = Object.fromEntries(
    head
      .replace(/\r\n[ \t]+/g, ' ')
      .split('\r\n')
      .map((line) => {
        const [, name = '', value = ''] = /^([^:]+):\s*(.*)$/.exec(line) ?? [];
        return [name.toLowerCase(), value];
      }),
  );
  return { headers, text: decoded(body.join('\r\n\r\n'), headers['content-transfer-encoding']) };
}

function decoded(body: string, encoding: string | undefined): string {
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString();
  if (encoding !== 'quoted-printable') return body;
  const bytes = body
    .replace(/=\r\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString();
}

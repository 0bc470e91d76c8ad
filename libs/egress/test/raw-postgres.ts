import type net from 'node:net';
import { cstring, int32, lengthAt, message } from '../protocols/postgres/messages.js';

/** A message that has come, as a test reads it. */
export interface Got {
  type: string;
  body: Buffer;
}

/** Messages of the extended protocol, by the letter of their type. */
export const say = {
  query: (sql: string) => message(0x51, cstring(sql)),
  parse: (sql: string, name: string | Buffer = '') =>
    message(0x50, cstring(name), cstring(sql), Buffer.alloc(2)),
  bind: (name: string | Buffer = '', portal: string | Buffer = '') =>
    message(0x42, cstring(portal), cstring(name), Buffer.alloc(6)),
  execute: (portal: string | Buffer = '') => message(0x45, cstring(portal), int32(0)),
  describe: (name = '') => message(0x44, Buffer.from('S'), cstring(name)),
  close: (name = '') => message(0x43, Buffer.from('S'), cstring(name)),
  /** Parse, Bind and Execute of one statement. */
  run: (sql: string, name = '') => Buffer.concat([say.parse(sql, name), say.bind(name), say.execute()]),
  sync: message(0x53),
  flush: message(0x48),
  terminate: message(0x58),
  copyDone: message(0x63),
  copyData: (text: string) => message(0x64, Buffer.from(text)),
  startup: (parameters: Record<string, string>, version = 0x30000) => {
    const body = Buffer.concat([
      int32(version),
      ...Object.entries(parameters).flatMap(([name, value]) => [cstring(name), cstring(value)]),
      Buffer.from([0]),
    ]);
    return Buffer.concat([int32(body.length + 4), body]);
  },
};

/** A client that says exactly what a test tells it to. */
export class RawPostgres {
  readonly got: Got[] = [];
  private bytes = Buffer.alloc(0);
  private wake: () => void = () => undefined;
  private isOver = false;

  constructor(readonly socket: net.Socket) {
    socket.on('data', (chunk: Buffer) => this.read(chunk));
    socket.on('error', () => undefined);
    socket.on('close', () => {
      this.isOver = true;
      this.wake();
    });
  }

  static async open(socket: net.Socket, parameters: Record<string, string> = {}): Promise<RawPostgres> {
    const client = new RawPostgres(socket);
    socket.write(say.startup({ user: 'placeholder', database: 'postgres', ...parameters }));
    await client.until('Z');
    return client;
  }

  send(...messages: Buffer[]): this {
    this.socket.write(Buffer.concat(messages));
    return this;
  }

  /** What has come up to the so-manieth of a type, or the end: no longer kept. */
  async until(type: string, times = 1): Promise<Got[]> {
    for (;;) {
      const at = this.got.map((one, index) => (one.type === type ? index : -1)).filter((index) => index >= 0);
      if (at.length >= times) return this.got.splice(0, at[times - 1]! + 1);
      if (this.isOver) return this.got.splice(0);
      await new Promise<void>((resolve) => (this.wake = resolve));
    }
  }

  private read(chunk: Buffer): void {
    this.bytes = Buffer.concat([this.bytes, chunk]);
    while (this.bytes.length >= 5 && this.bytes.length > lengthAt(this.bytes, 0)) {
      const length = lengthAt(this.bytes, 0) + 1;
      this.got.push({ type: String.fromCharCode(this.bytes[0]!), body: this.bytes.subarray(5, length) });
      this.bytes = this.bytes.subarray(length);
    }
    this.wake();
  }
}

/** SQLSTATEs of the errors among what has come. */
export function codesOf(got: Got[]): string[] {
  return got
    .filter(({ type }) => type === 'E')
    .map(({ body }) => /\0C([0-9A-Z]{5})\0/.exec(body.toString('latin1'))?.[1] ?? '?');
}

export function typesOf(got: Got[]): string {
  return got.map(({ type }) => type).join('');
}

import { clientMessage } from './client-messages.js';
import type { Ends } from './ends.js';
import type { FrameHandler, Verdict } from './frames.js';
import { errorResponse, TYPE } from './messages.js';

const MAX_ERROR_BYTES = 65_536;
const TOO_LONG = errorResponse({
  severity: 'ERROR',
  code: 'XX000',
  message: 'The host has refused this with an error too long to be shown.',
});

/** Follows what a client says only as far as to know that it is a session. */
export class PlainClient implements FrameHandler {
  constructor(private readonly ends: Ends) {}

  header(type: number, length: number): Verdict {
    if (clientMessage(type, length) !== null) return 'pass';
    this.ends.cutClient('the client has sent what belongs to no session');
    return 'stop';
  }

  held(): void {}
  announced(): void {}
  dropped(): void {}

  pass(bytes: Buffer): void {
    this.ends.toServer.write(bytes);
  }

  malformed(): void {
    this.ends.cutClient('the client does not speak PostgreSQL');
  }
}

/** Looks for the password in what a server says of errors. */
export class PlainServer implements FrameHandler {
  constructor(protected readonly ends: Ends) {}

  header(type: number, length: number): Verdict {
    if (type !== TYPE.error && type !== TYPE.notice) return 'pass';
    return length <= MAX_ERROR_BYTES ? 'hold' : 'drop';
  }

  held(_type: number, whole: Buffer): void {
    this.ends.tell(whole);
  }

  announced(_type: number): void {}

  dropped(type: number): void {
    if (type === TYPE.error) this.ends.toClient.write(TOO_LONG);
  }

  pass(bytes: Buffer): void {
    this.ends.toClient.write(bytes);
  }

  malformed(): void {
    this.ends.cutServer('the host does not speak PostgreSQL');
  }
}

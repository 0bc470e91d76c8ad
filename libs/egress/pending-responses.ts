import type { ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

/** What a client may send before the response to its upgrade. Proper ones send nothing. */
const MOST_EARLY_BYTES = 65_536;

/**
 * The responses that are not complete yet on each connection, in the order of their requests. Node announces an upgrade
 * while responses to earlier requests still go out, and no longer looks after the connection from then on; this does.
 */
export class PendingResponses {
  private readonly connections = new WeakMap<object, Set<ServerResponse>>();

  begin(socket: Duplex, res: ServerResponse): void {
    const known = this.connections.get(socket);
    const responses = known ?? new Set();
    responses.add(res);
    res.once('close', () => responses.delete(res));
    if (known) return;
    this.connections.set(socket, responses);
    socket.once('close', () => forgetAll(responses));
  }

  has(socket: Duplex): boolean {
    return (this.connections.get(socket)?.size ?? 0) > 0;
  }

  /**
   * Calls `next` once all responses of a connection are out, with what the client has sent since; never if the connection
   * ends before. For connections that Node's server no longer looks after.
   */
  whenDone(socket: Duplex, head: Buffer, next: (head: Buffer) => void): void {
    const responses = this.connections.get(socket);
    if (!responses || responses.size === 0) return next(head);
    const early = [head];
    let earlyBytes = head.length;
    // Without reading, the end of the connection would go unnoticed.
    const onData = (chunk: Buffer): void => {
      early.push(chunk);
      earlyBytes += chunk.length;
      if (earlyBytes > MOST_EARLY_BYTES) socket.destroy();
    };
    const onEnd = (): void => void socket.destroy();
    const onDrain = (): void => {
      const [first] = responses;
      first?.emit('drain');
    };
    socket.on('data', onData).on('end', onEnd).on('drain', onDrain);
    const look = (): void => {
      if (responses.size > 0) return watch();
      socket.off('data', onData).off('end', onEnd).off('drain', onDrain).pause();
      if (socket.writable) next(Buffer.concat(early));
    };
    const watch = (): void => {
      // Registered after the one that takes it out.
      for (const res of responses) return void res.once('close', look);
    };
    watch();
  }
}

/** A response whose turn has not come has no socket yet, so Node does not tell it that the socket is gone. */
function forgetAll(responses: Set<ServerResponse>): void {
  for (const res of [...responses]) {
    if (res.socket !== null) continue;
    res.destroy();
    res.emit('close');
  }
}

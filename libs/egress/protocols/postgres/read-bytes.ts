import type { Duplex } from 'node:stream';
import { HEADER_BYTES, lengthAt } from './messages.js';

/** The other side has closed where more was due. */
export class ConnectionEnded extends Error {
  constructor() {
    super('the connection was closed');
  }
}

/** The other side has sent what no PostgreSQL does. The message is a clause. */
export class Malformed extends Error {
  constructor(
    message: string,
    /** Whether an answer in the clear can still be read. */
    readonly isPlain = false,
  ) {
    super(message);
  }
}

/**
 * Reads exactly so many bytes and leaves the rest in the socket. For the beginning of a connection, when little is said.
 * @throws ConnectionEnded, the socket's error, or the signal's reason
 */
export function readBytes(socket: Duplex, count: number, signal: AbortSignal): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const settle = (settled: () => void): void => {
      socket.off('readable', read).off('end', ended).off('close', ended).off('error', failed);
      signal.removeEventListener('abort', aborted);
      settled();
    };
    const failed = (error: Error): void => settle(() => reject(error));
    const ended = (): void => failed(new ConnectionEnded());
    const aborted = (): void => failed(signal.reason as Error);
    const read = (): void => {
      const bytes = socket.read(count) as Buffer | null;
      if (bytes?.length === count) settle(() => resolve(bytes));
      else if (bytes !== null || socket.readableEnded || socket.destroyed) ended();
    };
    if (signal.aborted) return aborted();
    signal.addEventListener('abort', aborted, { once: true });
    socket.on('readable', read).on('end', ended).on('close', ended).on('error', failed);
    read();
  });
}

/**
 * Reads one message whole.
 * @param most bytes that its length may say
 * @throws Malformed, or as `readBytes`
 */
export async function readMessage(socket: Duplex, most: number, signal: AbortSignal): Promise<Buffer> {
  const header = await readBytes(socket, HEADER_BYTES, signal);
  const length = lengthAt(header, 0);
  if (length < 4 || length > most)
    throw new Malformed('it does not speak PostgreSQL (a message of impossible length)');
  if (length === 4) return header;
  return Buffer.concat([header, await readBytes(socket, length - 4, signal)]);
}

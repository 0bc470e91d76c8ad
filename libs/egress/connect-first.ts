import net from 'node:net';

export interface ConnectFirstOptions {
  port: number;
  signal: AbortSignal;
  /** How long one address may keep the next one waiting, in ms (RFC 8305: 250). */
  staggerMs?: number;
}

/**
 * Connects to the first of some addresses that answers: each is tried when the one before it failed or took too long,
 * and the winner closes the others.
 *
 * @throws AggregateError with each address's error, or the signal's reason
 */
export function connectFirst(
  addresses: readonly string[],
  { port, signal, staggerMs = 250 }: ConnectFirstOptions,
): Promise<net.Socket> {
  return new Promise((resolve, reject) => {
    const waiting = [...addresses];
    const trying = new Set<net.Socket>();
    const errors: Error[] = [];
    let stagger: NodeJS.Timeout | undefined;

    const finish = (winner: net.Socket | null): void => {
      clearTimeout(stagger);
      signal.removeEventListener('abort', onAbort);
      for (const socket of trying) if (socket !== winner) socket.destroy();
      trying.clear();
      waiting.length = 0;
    };
    const onAbort = (): void => {
      finish(null);
      reject(signal.reason as Error);
    };
    const tryNext = (): void => {
      clearTimeout(stagger);
      const address = waiting.shift();
      if (address === undefined) {
        if (trying.size === 0) {
          finish(null);
          reject(new AggregateError(errors, 'no address took the connection'));
        }
        return;
      }
      const socket = net.connect({ host: address, port, noDelay: true, keepAlive: true });
      trying.add(socket);
      // It stays: a socket that breaks between two owners must not end the process.
      socket.on('error', (error) => {
        if (!trying.delete(socket)) return;
        errors.push(error);
        tryNext();
      });
      socket.once('connect', () => {
        if (!trying.has(socket)) return;
        finish(socket);
        resolve(socket);
      });
      if (waiting.length > 0) stagger = setTimeout(tryNext, staggerMs);
    };

    if (signal.aborted) return onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    tryNext();
  });
}

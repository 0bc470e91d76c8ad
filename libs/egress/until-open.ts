import type net from 'node:net';

/**
 * Waits until a socket is connected, or its TLS handshake is done.
 *
 * @param event that says so
 * @throws the socket's error, or the signal's reason; the socket is destroyed then
 */
export function untilOpen<T extends net.Socket>(
  socket: T,
  event: 'connect' | 'secureConnect',
  signal: AbortSignal,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const fail = (error: Error): void => {
      signal.removeEventListener('abort', onAbort);
      socket.destroy();
      reject(error);
    };
    const onAbort = (): void => fail(signal.reason as Error);
    // It stays: a socket that breaks between two owners must not end the process.
    socket.on('error', fail);
    socket.once('close', () => fail(new Error('the connection was closed')));
    socket.once(event, () => {
      signal.removeEventListener('abort', onAbort);
      resolve(socket);
    });
    if (signal.aborted) return onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
  });
}

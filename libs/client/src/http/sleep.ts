/** @throws what the signal was aborted with */
export function sleep(ms: number, signal?: AbortSignal | null): Promise<void> {
  return new Promise((done, fail) => {
    signal?.throwIfAborted();
    const stop = (): void => {
      clearTimeout(timer);
      fail(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      done();
    }, ms);
    signal?.addEventListener('abort', stop, { once: true });
  });
}

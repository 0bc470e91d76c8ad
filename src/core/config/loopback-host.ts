const NAMES = ['localhost', '127.0.0.1', '[::1]'];

/** Whether a URL's `hostname` is this machine under one of its usual names. */
export function isLoopbackHost(hostname: string): boolean {
  return NAMES.includes(hostname);
}

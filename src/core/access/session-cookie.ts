export const SESSION_COOKIE = 'gatehouse_session';

export function readCookie(header: string | undefined, name: string): string | null {
  for (const pair of header?.split(';') ?? []) {
    const separator = pair.indexOf('=');
    if (separator > 0 && pair.slice(0, separator).trim() === name)
      return pair.slice(separator + 1).trim() || null;
  }
  return null;
}

/** `value` null takes the cookie away. */
export function writeCookie(value: string | null, maxAgeSeconds: number, secure: boolean): string {
  const age = value === null ? 0 : maxAgeSeconds;
  const attributes = ['Path=/', 'HttpOnly', 'SameSite=Lax', `Max-Age=${age}`, ...(secure ? ['Secure'] : [])];
  return [`${SESSION_COOKIE}=${value ?? ''}`, ...attributes].join('; ');
}

import { parseCookie, stringifySetCookie } from 'cookie';

export const SESSION_COOKIE = 'gatehouse_session';

export function readCookie(header: string | undefined, name: string): string | null {
  return (header && parseCookie(header)[name]) || null;
}

/** `value` null takes the cookie away. */
export function writeCookie(value: string | null, maxAgeSeconds: number, secure: boolean): string {
  return stringifySetCookie({
    name: SESSION_COOKIE,
    value: value ?? '',
    path: '/',
    httpOnly: true,
    sameSite: 'lax',
    maxAge: value === null ? 0 : maxAgeSeconds,
    secure,
  });
}

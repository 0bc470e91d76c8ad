interface Request {
  method: string;
  path: string;
  body?: unknown;
}

const ANY_HOST = 'http://gatehouse.invalid';

/**
 * What an embedded page asks for, if one of its declared routes (`DELETE /v1/tickets/{id}`) is that; null otherwise. The path
 * has to be written as it will be sent: whatever an address would be read as something else by, such as `..`, is refused.
 */
export function declaredRequest(wanted: object, routes: readonly string[]): Request | null {
  const { method, path, body } = wanted as Partial<Record<keyof Request, unknown>>;
  if (typeof method !== 'string' || typeof path !== 'string') return null;
  const asked = pathnameOf(path);
  if (asked === null) return null;
  const isDeclared = routes.some((route) => {
    const [declared, pattern = ''] = route.split(' ');
    return declared === method && matches(asked, pattern);
  });
  if (!isDeclared) return null;
  return { method, path, ...(method !== 'GET' && body !== undefined && { body }) };
}

function pathnameOf(path: string): string | null {
  if (!path.startsWith('/') || path.startsWith('//') || path.includes('#')) return null;
  const [pathname] = path.split('?', 1) as [string];
  if (!URL.canParse(path, ANY_HOST)) return null;
  const url = new URL(path, ANY_HOST);
  return url.origin === ANY_HOST && url.pathname === pathname ? pathname : null;
}

function matches(pathname: string, pattern: string): boolean {
  const steps = pathname.split('/');
  const wanted = pattern.split('/');
  return (
    steps.length === wanted.length &&
    wanted.every((step, place) => (/^\{\w+\}$/.test(step) ? isName(steps[place]!) : step === steps[place]))
  );
}

/** One step of a path, also for whoever decodes it a second time on the way. */
function isName(step: string): boolean {
  return /^(?!\.{1,2}$)([\w.~!$&'()*+,;=:@-]|%(?!2[ef]|5c|00|25)[0-9a-f]{2})+$/i.test(step);
}

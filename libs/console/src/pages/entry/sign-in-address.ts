export interface SignInAddress {
  /** The page to go on to, below the path that the service is reached under. */
  next: string;
  /** Who is to sign in, as far as that is known. */
  email: string;
  /** Why a provider's word was not enough. */
  problem: string | null;
}

type Whole = Pick<Location, 'origin' | 'pathname' | 'search' | 'hash'>;

/** What the address says. The form in place of another page leads back to that. */
export function readAddress({ origin, pathname, search, hash }: Whole, basePath: string): SignInAddress {
  const path = pathname.slice(basePath.length);
  const isAsked = path === '/sign-in';
  const asked = new URLSearchParams(isAsked ? search : '');
  const next = (isAsked ? asked.get('next') : `${path}${search}${hash}`) ?? '/';
  return {
    next: pageAt(next, origin, basePath) ? next : '/',
    email: asked.get('email') ?? '',
    problem: asked.get('problem'),
  };
}

/** The address that says the same. */
export function addressOf({ next, email, problem }: SignInAddress): string {
  const search = new URLSearchParams({
    ...(next !== '/' && { next }),
    ...(email !== '' && { email }),
    ...(problem !== null && { problem }),
  }).toString();
  return search === '' ? '/sign-in' : `/sign-in?${search}`;
}

/** Where `next` is, if that is a page of this console; otherwise its first page. */
export function ownPage(next: string, origin: string, basePath: string): string {
  return (pageAt(next, origin, basePath) ?? new URL(`${basePath}/`, origin)).href;
}

/** null: it is no page of this console. */
function pageAt(next: string, origin: string, basePath: string): URL | null {
  if (!/^\/(?![/\\])/.test(next) || !URL.canParse(basePath + next, origin)) return null;
  const page = new URL(basePath + next, origin);
  return page.origin === origin && page.pathname.startsWith(`${basePath}/`) ? page : null;
}

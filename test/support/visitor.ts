import { type Client, createClient, type Json } from '../../libs/testing/index.js';

const MOST_STEPS = 20;

/** A browser without pages: it keeps cookies of all hosts together, and goes where it is sent. */
export class Visitor {
  private readonly cookies = new Map<string, string>();

  constructor(private readonly baseUrl: string) {}

  get cookie(): string {
    return [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  get api(): Client {
    return createClient({ baseUrl: this.baseUrl, cookie: this.cookie });
  }

  /** Whose session it has. */
  async me(): Promise<Json> {
    return (await this.api.get('/v1/auth/session')).body;
  }

  /** The provider does not know this browser any more. */
  leaveProvider(): void {
    for (const name of this.cookies.keys()) if (!name.includes('gatehouse_')) this.cookies.delete(name);
  }

  /** From the button to the page of ours that it ends at, without the host. */
  async signIn(way: string, body: object = {}): Promise<string> {
    const start = await this.visit(`${this.baseUrl}/v1/auth/ways/${way}/start`, body);
    const begun = (await start.json()) as { redirectTo?: string };
    if (begun.redirectTo === undefined) throw new Error(JSON.stringify(begun));
    let url = begun.redirectTo;
    for (let steps = 0; steps < MOST_STEPS; steps += 1) {
      const response = await this.visit(url);
      const location = response.headers.get('location');
      if (location === null) throw new Error(`${url}: ${response.status} ${await response.text()}`);
      url = new URL(location, url).href;
      if (url.startsWith(this.baseUrl) && !url.includes('/callback?')) return url.slice(this.baseUrl.length);
    }
    throw new Error(`It comes to no end: ${url}`);
  }

  async visit(url: string, body?: object): Promise<Response> {
    const response = await fetch(url, {
      redirect: 'manual',
      headers: { cookie: this.cookie, 'content-type': 'application/json' },
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
    });
    for (const line of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)!;
      if (value === '') this.cookies.delete(name!);
      else this.cookies.set(name!, value!);
    }
    return response;
  }
}

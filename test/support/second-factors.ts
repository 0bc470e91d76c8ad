import { Secret, TOTP } from 'otpauth';

import type { Answer, Client, Json } from '../../libs/testing/index.js';
import { client } from './gatehouse.js';
import { SoftAuthenticator } from './soft-authenticator.js';

export const FACTORS = '/v1/account/second-factors';

interface Somebody {
  cookie: string;
  email: string;
  password: string;
}

/** An app for codes. Each code is asked for once: the next one is that of the next half minute, which is taken as well. */
export class CodeApp {
  private step = Math.floor(Date.now() / 30_000) - 1;

  constructor(
    readonly secret: string,
    readonly recoveryCodes: string[] = [],
  ) {}

  /** A code that nobody has used. At most three in half a minute. */
  code(): string {
    this.step = Math.max(this.step, Math.floor(Date.now() / 30_000) - 2) + 1;
    return this.codeOf(this.step);
  }

  codeOf(step: number): string {
    return TOTP.generate({ secret: Secret.fromBase32(this.secret), timestamp: step * 30_000 });
  }

  /** One that is wrong now and for a while. */
  wrong(): string {
    const now = Math.floor(Date.now() / 30_000);
    const right = new Set(Array.from({ length: 9 }, (_, index) => this.codeOf(now - 4 + index)));
    return [
      '000000',
      '111111',
      '222222',
      '333333',
      '444444',
      '555555',
      '666666',
      '777777',
      '888888',
      '999999',
    ].find((code) => !right.has(code))!;
  }
}

export const cookiesOf = ({ headers }: Answer): string[] =>
  headers
    .getSetCookie()
    .map((line) => line.split(';')[0]!)
    .filter((pair) => !pair.endsWith('='));

export async function beginAuthenticator({ cookie }: Pick<Somebody, 'cookie'>): Promise<CodeApp> {
  return new CodeApp(made(await client({ cookie }).post(`${FACTORS}/authenticator`)).secret);
}

export async function setUpAuthenticator(person: Pick<Somebody, 'cookie'>): Promise<CodeApp> {
  const app = await beginAuthenticator(person);
  const body = { code: app.code() };
  const { recoveryCodes } = made(
    await client({ cookie: person.cookie }).post(`${FACTORS}/authenticator/confirm`, body),
  );
  app.recoveryCodes.push(...((recoveryCodes as string[] | null) ?? []));
  return app;
}

/** The passkey as the service presents it, with the device that has it. */
export async function addPasskey(
  { cookie }: Pick<Somebody, 'cookie'>,
  device = new SoftAuthenticator(),
): Promise<{ id: string; device: SoftAuthenticator; recoveryCodes: string[] | null }> {
  const app = client({ cookie });
  const begun = await app.post(`${FACTORS}/passkeys/options`);
  const passkey = device.create(made(begun).options);
  const headers = { cookie: [cookie, ...cookiesOf(begun)].join('; ') };
  const added = made(await app.post(`${FACTORS}/passkeys`, { name: 'A device', passkey }, headers));
  return { id: added.passkey.id, device, recoveryCodes: added.recoveryCodes };
}

/** A browser after the right password, with the cookie that binds the second step to it. */
export interface HalfIn {
  browser: Client;
  cookie: string;
}

export async function givePassword({ email, password }: Omit<Somebody, 'cookie'>): Promise<HalfIn> {
  const browser = client();
  const answer = await browser.post('/v1/auth/login', { email, password });
  if (answer.body?.error?.code !== 'second_factor_required') throw new Error(answer.text);
  return { browser, cookie: cookiesOf(answer).join('; ') };
}

export const secondStep = ({ browser, cookie }: HalfIn, shown: Json): Promise<Answer> =>
  browser.post('/v1/auth/second-factor', shown, { cookie });

/** A browser that is to sign in with a passkey alone. */
export async function askForPasskey(): Promise<HalfIn & { options: Json }> {
  const browser = client();
  const begun = await browser.post('/v1/auth/passkey/options');
  return { browser, cookie: cookiesOf(begun).join('; '), options: made(begun).options };
}

function made({ status, body, text }: Answer): Json {
  if (status >= 300) throw new Error(text);
  return body;
}

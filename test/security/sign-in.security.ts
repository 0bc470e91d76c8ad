import { randomInt } from 'node:crypto';

import { describe, expect, it } from 'vitest';

import { type Answer, createClient } from '../../libs/testing/index.js';
import { baseUrl, newWorkspace } from '../support/gatehouse.js';

const from = (address: string) =>
  createClient({ baseUrl: baseUrl(), headers: { 'x-forwarded-for': address } });
const login = (address: string, email: string, password: string): Promise<Answer> =>
  from(address).post('/v1/auth/login', { email, password });

const anIPv4 = (): string => `10.${randomInt(256)}.${randomInt(256)}.${randomInt(256)}`;
const hex = (): string => randomInt(0x10000).toString(16);
/** The first half of an IPv6 address: what one subscriber holds. */
const aNetwork = (): string => `2001:db8:${hex()}:${hex()}`;
const addressIn = (network: string): string => `${network}:${hex()}:${hex()}:${hex()}:${hex()}`;

/** Wrong passwords for an account, each from an address of its own, until one is refused: one is given back every two seconds. */
async function floodUntilRefused(email: string): Promise<number[]> {
  const statuses = await flood(email);
  while (!statuses.includes(429)) statuses.push(...(await flood(email, 5)));
  return statuses;
}

/** Wrong passwords for an account, each from an address of its own. */
async function flood(email: string, count = 45): Promise<number[]> {
  const statuses: number[] = [];
  for (let sent = 0; sent < count; sent += 5) {
    const answers = await Promise.all(Array.from({ length: 5 }, () => login(anIPv4(), email, 'wrong')));
    statuses.push(...answers.map(({ status }) => status));
  }
  return statuses;
}

describe('wrong passwords from elsewhere', () => {
  it('do not keep out the right one, and are limited themselves', async () => {
    const { owner } = await newWorkspace();
    const statuses = await floodUntilRefused(owner.email);
    expect(statuses.slice(0, 25)).toEqual(Array.from({ length: 25 }, () => 401));
    const home = addressIn(aNetwork());
    expect((await login(home, owner.email, owner.password)).status).toBe(200);
    // Again and again, since it has failed at nothing.
    expect((await login(home, owner.email, owner.password)).status).toBe(200);
    // An address that has failed is one of many: it waits for its turn like all others.
    // Tries are given back all the while, so others use them up before each try from there.
    const crowded = { interval: 0 };
    const amongOthers = async (password: string): Promise<Answer> => {
      await flood(owner.email, 5);
      return login(home, owner.email, password);
    };
    const wrong = async (): Promise<unknown> => {
      const { status, headers } = await amongOthers('wrong');
      return { status, waits: Number(headers.get('retry-after')) > 0 };
    };
    await expect.poll(wrong, crowded).toEqual({ status: 429, waits: true });
    await expect.poll(async () => (await amongOthers(owner.password)).status, crowded).toBe(429);
  });

  it('are answered alike where there is no account', async () => {
    const statuses = await floodUntilRefused(`nobody-${hex()}${hex()}@example.com`);
    expect(statuses.slice(0, 25)).toEqual(Array.from({ length: 25 }, () => 401));
  });

  it('do not keep somebody who is signed in from changing their password', async () => {
    const { owner } = await newWorkspace();
    await flood(owner.email);
    const change = { current: owner.password, next: 'another password of mine' };
    const answer = await createClient({ baseUrl: baseUrl(), cookie: owner.cookie }).post(
      '/v1/auth/password',
      change,
    );
    expect(answer.status, answer.text).toBe(204);
  });
});

describe('one address', () => {
  it('cannot try a password on one account after the other, also not the right one', async () => {
    const { owner } = await newWorkspace();
    const address = anIPv4();
    const tryAll = (emails: string[]) =>
      Promise.all(emails.map((email) => login(address, email, owner.password)));
    const statuses: number[] = [];
    for (let batch = 0; batch < 9 || !statuses.includes(429); batch++) {
      const emails = Array.from({ length: 10 }, (_, place) => `${batch}${place}-${owner.email}`);
      statuses.push(...(await tryAll(emails)).map(({ status }) => status));
    }
    expect(statuses[0]).toBe(401);
    // Were they let in here, the limit would only hide the responses that are of no use.
    const right = await tryAll(Array.from({ length: 5 }, () => owner.email));
    expect(right.map(({ status }) => status)).toContain(429);
  });

  it('is a whole /64 in IPv6', async () => {
    const { owner } = await newWorkspace();
    const network = aNetwork();
    // At once: one is given back every twelve seconds.
    const wrong = Array.from({ length: 5 }, () => login(addressIn(network), owner.email, 'wrong'));
    for (const { status } of await Promise.all(wrong)) expect(status).toBe(401);
    expect((await login(addressIn(network), owner.email, owner.password)).status).toBe(429);
    expect((await login(addressIn(aNetwork()), owner.email, owner.password)).status).toBe(200);
  });

  it('is the same in IPv4 and as mapped into IPv6', async () => {
    const { owner } = await newWorkspace();
    const address = anIPv4();
    const wrong = Array.from({ length: 5 }, (_, count) =>
      login(count % 2 === 0 ? address : `::ffff:${address}`, owner.email, 'wrong'),
    );
    for (const { status } of await Promise.all(wrong)) expect(status).toBe(401);
    expect((await login(`::ffff:${address}`, owner.email, owner.password)).status).toBe(429);
    // The mapped range is not one network.
    expect((await login(`::ffff:${anIPv4()}`, owner.email, owner.password)).status).toBe(200);
  });

  it.each([
    ['without a valid credential', '/v1/workspace', 401],
    ['with invitations that there are not', `/v1/invitations/${'x'.repeat(43)}`, 400],
  ])('is a whole /64 for requests %s', async (_, path, status) => {
    const network = aNetwork();
    const answers: number[] = [];
    while (!answers.includes(429)) {
      const batch = Array.from({ length: 10 }, () => from(addressIn(network)).get(path));
      answers.push(...(await Promise.all(batch)).map((answer) => answer.status));
    }
    expect(answers[0]).toBe(status);
    expect((await from(addressIn(aNetwork())).get(path)).status).toBe(status);
  });

  it('is a whole /64 for tries of a mailed link', async () => {
    const network = aNetwork();
    const reset = (address: string) =>
      from(address).post('/v1/auth/reset', { token: 'x'.repeat(43), password: 'a new password' });
    const answers: number[] = [];
    while (!answers.includes(429)) {
      const batch = Array.from({ length: 10 }, () => reset(addressIn(network)));
      answers.push(...(await Promise.all(batch)).map(({ status }) => status));
    }
    expect(answers[0]).toBe(400);
    expect((await reset(addressIn(aNetwork()))).status).toBe(400);
  });
});

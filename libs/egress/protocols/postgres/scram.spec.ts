import { describe, expect, it } from 'vitest';
import { isPreparedPassword } from './prepared-password.js';
import { ScramClient } from './scram.js';

const NONCE = 'rOprNGfwEbeRWgbNEkqO';
const CHALLENGE = 'r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0,s=W22ZaJ0SNY7soEsUEjb6gQ==,i=4096';
const FINAL = 'v=6rriTRBi23WpRR/wtup+mMhUZUn/dB5nLTJRsjl95G4=';

describe('SCRAM-SHA-256', () => {
  const client = (): ScramClient => new ScramClient('pencil', { kind: 'none' }, NONCE, 'user');

  it('speaks the example of RFC 7677', async () => {
    const scram = client();
    expect(scram.first()).toBe('n,,n=user,r=rOprNGfwEbeRWgbNEkqO');
    expect(await scram.respond(CHALLENGE)).toBe(
      'c=biws,r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0,p=dHzbZapWIk4jUhN+Ute9ytag9zjfMHgsqmmiz7AndVQ=',
    );
    expect(() => scram.verify(FINAL)).not.toThrow();
  });

  it('says whether it is bound to the TLS connection', async () => {
    const bound = new ScramClient('pencil', { kind: 'end-point', hash: Buffer.from('hash') }, NONCE);
    expect(bound.mechanism).toBe('SCRAM-SHA-256-PLUS');
    expect(bound.first()).toBe('p=tls-server-end-point,,n=,r=rOprNGfwEbeRWgbNEkqO');
    const channel = /^c=([^,]*)/.exec(await bound.respond(CHALLENGE))?.[1] ?? '';
    expect(Buffer.from(channel, 'base64').toString()).toBe('p=tls-server-end-point,,hash');
    expect(new ScramClient('pencil', { kind: 'unoffered' }, NONCE).first()).toMatch(/^y,,/);
  });

  it.each([
    ['another nonce', CHALLENGE.replace('rOpr', 'xOpr')],
    ['only our nonce', `r=${NONCE},s=W22ZaJ0SNY7soEsUEjb6gQ==,i=4096`],
    ['2^31 iterations', CHALLENGE.replace('4096', '2147483648')],
    ['too many iterations', CHALLENGE.replace('4096', '100001')],
    ['too few iterations', CHALLENGE.replace('4096', '4095')],
    ['no iterations', CHALLENGE.replace('4096', '0')],
    ['negative iterations', CHALLENGE.replace('4096', '-1')],
    ['no salt', CHALLENGE.replace('W22ZaJ0SNY7soEsUEjb6gQ==', '')],
    ['salt that is no base64', CHALLENGE.replace('W22ZaJ0SNY7soEsUEjb6gQ==', '===')],
    ['an endless salt', CHALLENGE.replace('W22ZaJ0SNY7soEsUEjb6gQ==', 'AAAA'.repeat(1000))],
    ['an extension', `m=x,${CHALLENGE}`],
    ['nothing', ''],
  ])('takes no challenge with %s', async (_name, challenge) => {
    await expect(client().respond(challenge)).rejects.toThrow(/SCRAM challenge/);
  });

  it('takes fewer iterations where the certificate was checked', async () => {
    const scram = new ScramClient('pencil', { kind: 'none' }, NONCE, 'user', true);
    await expect(scram.respond(CHALLENGE.replace('4096', '1'))).resolves.toContain('p=');
  });

  it.each([
    ['a wrong signature', FINAL.replace('6rri', '7rri')],
    ['an error', 'e=invalid-proof'],
    ['none', 'v='],
    ['nothing', ''],
  ])('takes no server with %s', async (_name, final) => {
    const scram = client();
    await scram.respond(CHALLENGE);
    expect(() => scram.verify(final)).toThrow('it has not proved that it knows the password');
  });

  it('takes no signature before the challenge', () => {
    expect(() => client().verify(FINAL)).toThrow();
  });
});

describe('passwords', () => {
  it.each(['pencil', 'p ß ü 漢字', 'tab\t'])('are used as they are: %s', (password) => {
    expect(isPreparedPassword(password)).toBe(true);
  });

  it.each(['ﬁne', 'a\u00a0b', 'soft\u00adhyphen', 'u\u0308'])('would be changed: %s', (password) => {
    expect(isPreparedPassword(password)).toBe(false);
  });
});

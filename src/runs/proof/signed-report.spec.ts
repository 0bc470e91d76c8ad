import { createPublicKey, generateKeyPairSync, sign } from 'node:crypto';

import { describe, expect, it } from 'vitest';

import { MasterKey } from '../../core/crypto/index.js';
import type { ProofReport } from './proof-report.js';
import { signReport, verifyReport } from './signed-report.js';

const key = new MasterKey(Buffer.alloc(32, 1));
const report = {
  format: 1,
  version: '1.2.3',
  walls: [{ name: 'network', state: 'not-held', says: 'It holds.', found: '1.1.1.1', cure: 'Mend it.' }],
  sums: { held: 0, 'not-held': 1, 'cannot-be-here': 0 },
} as unknown as ProofReport;

const reread = (value: unknown): Record<string, unknown> =>
  JSON.parse(JSON.stringify(value, null, 2)) as Record<string, unknown>;

describe('a signed report', () => {
  it('is whole and own, also as a file that was laid out', () => {
    expect(verifyReport(reread(signReport(report, key)), key)).toBe('own');
  });

  it('is the same for the same key, and has an Ed25519 key that is no other of the master key’s', () => {
    const { publicKey } = signReport(report, key);
    expect(signReport(report, new MasterKey(Buffer.alloc(32, 1)))).toEqual(signReport(report, key));
    const read = createPublicKey({ key: Buffer.from(publicKey, 'base64'), format: 'der', type: 'spki' });
    expect(read.asymmetricKeyType).toBe('ed25519');
    expect(createPublicKey(key.signingKey('another')).export({ format: 'der', type: 'spki' })).not.toEqual(
      Buffer.from(publicKey, 'base64'),
    );
  });

  it('is of another key after a rotation, and in another installation', () => {
    expect(verifyReport(reread(signReport(report, key)), new MasterKey(Buffer.alloc(32, 2)))).toBe(
      'other-key',
    );
  });

  it.each<[string, (signed: Record<string, unknown>) => unknown]>([
    [
      'a wall is called held',
      (signed) => ({
        ...signed,
        report: JSON.parse(JSON.stringify(report).replace('not-held', 'held')) as unknown,
      }),
    ],
    ['a wall is left out', (signed) => ({ ...signed, report: { ...report, walls: [] } })],
    ['something is added', (signed) => ({ ...signed, report: { ...report, more: 1 } })],
    ['the signature is another', (signed) => ({ ...signed, signature: Buffer.alloc(64).toString('base64') })],
    [
      'the key is another',
      (signed) => ({
        ...signed,
        publicKey: signReport(report, new MasterKey(Buffer.alloc(32, 2))).publicKey,
      }),
    ],
    ['there is no signature', ({ signature: _, ...signed }) => signed],
    ['there is no report', (signed) => ({ ...signed, report: null })],
    ['the key is none', (signed) => ({ ...signed, publicKey: 'bm9uZQ==' })],
    ['it is a text', () => 'own'],
    ['it is nothing', () => null],
  ])('is changed where %s', (_, change) => {
    expect(verifyReport(change(reread(signReport(report, key))), key)).toBe('changed');
  });

  it('is not believed for a key of another kind', () => {
    const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const signed = {
      report,
      publicKey: publicKey.export({ format: 'der', type: 'spki' }).toString('base64'),
      signature: sign(null, Buffer.from(JSON.stringify(report)), privateKey).toString('base64'),
    };
    expect(verifyReport(signed, key)).toBe('changed');
  });
});

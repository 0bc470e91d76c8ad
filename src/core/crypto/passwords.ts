import { Algorithm, hash, verify } from '@node-rs/argon2';

/** argon2id with OWASP's second recommended set: 19 MiB, two passes, one lane. */
const OPTIONS = {
  algorithm: 2 satisfies Algorithm.Argon2id,
  memoryCost: 19_456,
  timeCost: 2,
  parallelism: 1,
};

export function hashPassword(password: string): Promise<string> {
  return hash(password, OPTIONS);
}

let decoy: Promise<string> | undefined;

/** Compares in the same time whether or not there is an account: without one, against a hash that nothing matches. */
export async function verifyPassword(stored: string | null, password: string): Promise<boolean> {
  decoy ??= hashPassword('no account has this password');
  const matches = await verify(stored ?? (await decoy), password);
  return matches && stored !== null;
}

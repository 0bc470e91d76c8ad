const KEY = /^[a-z0-9][a-z0-9_-]*(?:\/[a-z0-9_-]+)*$/;
const SHA256 = /^[0-9a-f]{64}$/;

/** So that a key with its slashes replaced is still a file name everywhere (255 bytes). */
const MAX_LENGTH = 200;

/**
 * Refuses a key that we did not make: `[a-z0-9/_-]`, no empty segment, at most 200 characters. Nothing that a user
 * typed may become a key, so this is a programming error and not a client's.
 */
export function assertBlobKey(key: string): void {
  if (key.length > MAX_LENGTH || !KEY.test(key)) {
    throw new TypeError(`Not a storage key: ${JSON.stringify(key.slice(0, MAX_LENGTH))}`);
  }
}

/** The key of bytes that are stored by what they are. `sha256` is in lower-case hex. */
export function contentKey(sha256: string): string {
  if (!SHA256.test(sha256)) throw new TypeError('Not a SHA-256 in lower-case hex');
  return `content/${sha256}`;
}

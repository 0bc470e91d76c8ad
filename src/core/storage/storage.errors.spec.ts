import { describe, expect, it } from 'vitest';

import { asDiskError } from './disk-errors.js';
import { asS3Error } from './s3-errors.js';
import { BlobMissing, BlobTooLarge, StorageFull } from './storage.errors.js';

const errno = (code: string) =>
  Object.assign(new Error(`${code}: somewhere under /srv/secret-place`), { code });
const response = (name: string, httpStatusCode?: number) =>
  Object.assign(new Error('from the store'), { name, $metadata: { httpStatusCode } });

describe('asDiskError', () => {
  it.each(['ENOSPC', 'EDQUOT'])('takes %s for a full disk, whichever disk it is', (code) => {
    expect(asDiskError(errno(code))).toBeInstanceOf(StorageFull);
    expect(asDiskError(errno(code), 'target')).toMatchObject({
      message: expect.stringContaining('this worker'),
    });
    expect(asDiskError(errno(code), 'spool')).toMatchObject({ message: expect.stringContaining('TMPDIR') });
  });

  it.each([
    ['EACCES', false],
    ['EROFS', false],
    ['EIO', false],
    ['EMFILE', true],
  ])('takes %s for a store that cannot be used', (code, passing) => {
    const told = asDiskError(errno(code));
    expect(told).toMatchObject({ name: 'StorageUnavailable', passing, cause: { code } });
    expect((told as Error).message).not.toContain('secret-place');
  });

  it('lets everything else pass', () => {
    for (const error of [new Error('other'), new BlobTooLarge(1), 'text'])
      expect(asDiskError(error)).toBe(error);
    const denied = errno('EACCES');
    expect(asDiskError(denied, 'target')).toBe(denied);
  });
});

describe('asS3Error', () => {
  it.each([
    ['NoSuchKey', 404],
    ['NotFound', 404],
  ])('takes %s of an object for a missing blob', (name, status) => {
    expect(asS3Error(response(name, status), 'files/a')).toBeInstanceOf(BlobMissing);
  });

  it.each([
    ['QuotaExceeded', 403],
    ['XMinioStorageFull', 507],
    ['Whatever', 507],
  ])('takes %s (%i) for a full store', (name, status) => {
    expect(asS3Error(response(name, status))).toBeInstanceOf(StorageFull);
  });

  it.each([
    ['NoSuchBucket', 404, false, 'does not exist'],
    ['CredentialsProviderError', undefined, false, 'AWS_ACCESS_KEY_ID'],
    ['SignatureDoesNotMatch', 403, false, 'AWS_ACCESS_KEY_ID'],
    ['AccessDenied', 403, false, 'list the bucket'],
    ['PermanentRedirect', 301, false, 'AWS_REGION'],
    ['SomethingNew', 400, false, 'SomethingNew'],
    ['SlowDown', 503, true, 'just now'],
    ['InternalError', 500, true, 'just now'],
    ['TimeoutError', undefined, true, 'just now'],
  ])('tells what to do about %s', (name, status, passing, words) => {
    const told = asS3Error(response(name, status));
    expect(told).toMatchObject({
      name: 'StorageUnavailable',
      passing,
      message: expect.stringContaining(words),
    });
  });
});

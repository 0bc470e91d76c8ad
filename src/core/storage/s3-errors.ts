import { BlobMissing, StorageError, StorageFull, StorageUnavailable } from './storage.errors.js';

const MISSING = new Set(['NoSuchKey', 'NotFound']);
const FULL = new Set([
  'QuotaExceeded',
  'XMinioStorageFull',
  'InsufficientStorage',
  'XMinioAdminBucketQuotaExceeded',
]);
const CREDENTIALS = new Set([
  'InvalidAccessKeyId',
  'XAdminUserNotFound',
  'SignatureDoesNotMatch',
  'ExpiredToken',
  'InvalidToken',
]);
const AWAY = new Set([
  'SlowDown',
  'RequestTimeout',
  'TimeoutError',
  'AbortError',
  'ServiceUnavailable',
  'NoSuchUpload',
]);
const SOCKET =
  /^(ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_|EHOST|ENET|EADDR|ERR_STREAM_PREMATURE_CLOSE|CERT_|ERR_TLS|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO)/;

/** Makes a typed error of what an S3 store, or the way to it, says. `key` is null where the whole bucket is meant. */
export function asS3Error(error: unknown, key: string | null = null): StorageError {
  if (error instanceof StorageError) return error;
  const { name, status } = parts(error);

  if (isS3Away(error)) {
    return new StorageUnavailable(
      'The S3 store of GATEHOUSE_FILES cannot be reached just now, or does not answer. If it stays so, check GATEHOUSE_S3_ENDPOINT and the network.',
      true,
      error,
    );
  }
  if (key !== null && MISSING.has(name)) return new BlobMissing(key, error);
  if (FULL.has(name) || status === 507) return new StorageFull('store', error);
  if (name === 'CredentialsProviderError') {
    return broken(
      'There are no credentials for the S3 store of GATEHOUSE_FILES: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.',
      error,
    );
  }
  if (CREDENTIALS.has(name)) {
    return broken(
      'The S3 store of GATEHOUSE_FILES does not take the credentials: check AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.',
      error,
    );
  }
  if (name === 'NoSuchBucket' || (name === 'NotFound' && key === null)) {
    return broken(
      'The bucket that GATEHOUSE_FILES names does not exist: make it, or correct the setting.',
      error,
    );
  }
  if (name === 'PermanentRedirect' || name === 'AuthorizationHeaderMalformed' || status === 301) {
    return broken('The bucket that GATEHOUSE_FILES names is in another region: set AWS_REGION to it.', error);
  }
  if (status === 401 || status === 403) {
    return broken(
      'The S3 store of GATEHOUSE_FILES refuses the credentials: they need to list the bucket and to get, put and delete its objects.',
      error,
    );
  }
  return broken(`The S3 store of GATEHOUSE_FILES refused the request (${name}).`, error);
}

/** Whether the store, or the way to it, fails for the moment; the same request may work soon. */
export function isS3Away(error: unknown): boolean {
  const { name, code, status } = parts(error);
  if (FULL.has(name) || status === 507) return false;
  return AWAY.has(name) || SOCKET.test(code) || (status !== null && status >= 500);
}

function broken(message: string, cause: unknown): StorageUnavailable {
  return new StorageUnavailable(message, false, cause);
}

/** The SDK's errors carry the store's error code as `name` and the response's status in `$metadata`. */
function parts(error: unknown): { name: string; code: string; status: number | null } {
  if (typeof error !== 'object' || error === null) return { name: 'unknown', code: '', status: null };
  const { name, code, $metadata } = error as { name?: unknown; code?: unknown; $metadata?: unknown };
  const status = ($metadata as { httpStatusCode?: unknown } | undefined)?.httpStatusCode;
  return {
    name: typeof name === 'string' ? name : 'unknown',
    code: typeof code === 'string' ? code : '',
    status: typeof status === 'number' ? status : null,
  };
}

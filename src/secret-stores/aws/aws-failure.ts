import { ProblemError, Unavailable } from '../../core/errors/index.js';
import { storeFailure } from '../store-failure.js';

const STORE = 'AWS Secrets Manager';

/** By the names of its errors. Their messages stay out: they name accounts, roles and keys. */
const WORDS = new Map(
  Object.entries({
    ResourceNotFoundException: 'has no secret of that name, or no current version of it',
    InvalidRequestException: 'has marked the secret for deletion',
    AccessDeniedException: 'does not let this Gatehouse read the secret',
    DecryptionFailure: 'cannot decrypt the secret with its KMS key',
    UnrecognizedClientException: 'does not take the keys of this Gatehouse',
    InvalidSignatureException: 'does not take the keys of this Gatehouse',
    ExpiredTokenException: 'does not take the keys of this Gatehouse: they have expired',
    ThrottlingException: 'has too many requests just now',
    CredentialsProviderError: 'cannot be asked: this Gatehouse finds no keys for it',
  }),
);

/** Why AWS gave no secret, in words that everybody may read who may see the run. */
export function awsFailure(error: unknown): ProblemError {
  if (error instanceof ProblemError) return error;
  const { name, $metadata } = error as { name?: string; $metadata?: { httpStatusCode?: number } };
  const words = name === undefined ? undefined : WORDS.get(name);
  if (words !== undefined) return new Unavailable(`${STORE} ${words}.`);
  const status = $metadata?.httpStatusCode;
  return status === undefined
    ? storeFailure(STORE, error)
    : new Unavailable(`${STORE} refuses the request (status ${status}).`);
}

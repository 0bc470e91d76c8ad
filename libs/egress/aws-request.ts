import { AWS_PLACEHOLDER } from './aws-keys.js';
import { regionOfHost } from './aws-region.js';
import { AWS_ALGORITHM } from './aws-signature.js';
import { framingOf, type RawHeaders } from './forwarded-headers.js';
import { valuesOf } from './request-checks.js';
import type { ScopedRequest } from './request-scope.js';

/** How a request is to be signed: as its client meant it, but for the keys, the time and the region that the host is in. */
export interface AwsSigning {
  service: string;
  region: string;
  /** The headers that the client signed, in lower case. */
  signedHeaders: ReadonlySet<string>;
  /** What stands for the body. null: its hash, which is still to be computed. */
  payloadHash: string | null;
}

const SHA256_OF_NOTHING = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';
const FORM =
  /^AWS4-HMAC-SHA256\s+Credential=[^/,\s]+\/\d{8}\/([\w-]{1,64})\/([\w-]{1,64})\/aws4_request\s*,\s*SignedHeaders=([^,\s]+)\s*,\s*Signature=\w+$/;
const PAYLOAD = /^(?:[0-9a-f]{64}|UNSIGNED-PAYLOAD|STREAMING-UNSIGNED-PAYLOAD-TRAILER)$/;

/**
 * Reads what a client has signed, with whatever keys.
 *
 * @param host that the request is for, in its one form
 * @returns null for a request without a signature, which goes on without one; or why it cannot be signed, a clause
 */
export function readAwsRequest(
  host: string,
  { target, rawHeaders }: ScopedRequest,
): { signing: AwsSigning | null } | { problem: string } {
  const [authorization, ...others] = valuesOf(rawHeaders, 'authorization');
  if (isPresignedHere(target)) {
    return {
      problem:
        'its URL was presigned with the keys that stand in for the real ones; call the operation itself, such as GetObject, which the gate signs',
    };
  }
  if (authorization === undefined) return { signing: null };
  const [, region, service, names] = FORM.exec(authorization) ?? [];
  if (others.length > 0 || region === undefined || service === undefined || names === undefined)
    return { problem: whyNot(authorization) };
  const payload = payloadOf(rawHeaders);
  if ('problem' in payload) return payload;
  return {
    signing: {
      service,
      region: regionOfHost(host) ?? region,
      signedHeaders: new Set(names.toLowerCase().split(';')),
      ...payload,
    },
  };
}

/** A URL that somebody else has presigned brings a signature that is good. */
function isPresignedHere(target: string): boolean {
  const query = new URLSearchParams(target.split('?').slice(1).join('?'));
  return [...query].some(
    ([name, value]) =>
      /^(?:x-amz-credential|awsaccesskeyid)$/i.test(name) &&
      value.split('/')[0] === AWS_PLACEHOLDER.accessKeyId,
  );
}

function whyNot(authorization: string): string {
  const [scheme = ''] = authorization.split(/\s/);
  if (scheme === AWS_ALGORITHM)
    return 'its header Authorization is not of the form of AWS Signature Version 4';
  if (scheme.startsWith('AWS4-'))
    return 'it is signed by Signature Version 4A, for several regions; use an endpoint of one region';
  if (scheme === 'AWS')
    return "it is signed by the old Signature Version 2; set the client's signature_version to s3v4 or v4";
  return `its header Authorization is no AWS signature; send it with ${AWS_ALGORITHM}, or without that header`;
}

function payloadOf(rawHeaders: RawHeaders): Pick<AwsSigning, 'payloadHash'> | { problem: string } {
  const [given, ...others] = valuesOf(rawHeaders, 'x-amz-content-sha256');
  if (given === undefined)
    return { payloadHash: framingOf(rawHeaders) === 'none' ? SHA256_OF_NOTHING : null };
  if (others.length === 0 && PAYLOAD.test(given)) return { payloadHash: given };
  if (given.startsWith('STREAMING-AWS4-')) {
    return {
      problem:
        'each part of its body is signed (x-amz-content-sha256: STREAMING-AWS4-…), which only the holder of the keys can do; use HTTPS and the SDK’s default checksums, or switch chunked encoding off',
    };
  }
  return { problem: 'its header x-amz-content-sha256 is neither a SHA-256 nor UNSIGNED-PAYLOAD' };
}

import { createHash } from 'node:crypto';
import { SignatureV4 } from '@smithy/signature-v4';
import type { AwsKeys } from '../aws-keys.js';
import { SdkHash } from './sdk-hash.js';

/** A request as it came to the host. */
export interface ReceivedRequest {
  method: string;
  url: string;
  rawHeaders: readonly string[];
  body: Buffer;
}

const FORM =
  /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/([^/]+)\/aws4_request, SignedHeaders=([^,]+), Signature=(\w+)$/;
const MAX_SKEW_MS = 15 * 60_000;

/**
 * Judges a request as AWS does, with the SDK's own signer.
 *
 * @returns null when it is signed with these keys, for this region and now; else the code of S3's error
 */
export async function awsProblem(
  { method, url, rawHeaders, body }: ReceivedRequest,
  keys: AwsKeys,
  region: string,
): Promise<string | null> {
  const headers = bagOf(rawHeaders);
  const [, accessKeyId, day, given, service = '', names = ''] =
    FORM.exec(headers['authorization'] ?? '') ?? [];
  if (accessKeyId === undefined) return 'AccessDenied';
  if (accessKeyId !== keys.accessKeyId) return 'InvalidAccessKeyId';
  if (given !== region) return 'AuthorizationHeaderMalformed';
  if (headers['x-amz-security-token'] !== keys.sessionToken) return 'InvalidToken';
  const time = timeOf(headers['x-amz-date'] ?? '');
  if (!(Math.abs(time.getTime() - Date.now()) < MAX_SKEW_MS) || !headers['x-amz-date']!.startsWith(day!))
    return 'RequestTimeTooSkewed';
  const signed = names.split(';');
  const must = Object.keys(headers).filter((name) => name === 'host' || name.startsWith('x-amz-'));
  if (must.some((name) => !signed.includes(name)) || signed.some((name) => headers[name] === undefined))
    return 'AccessDenied';
  const hash = headers['x-amz-content-sha256'];
  if (hash !== undefined && /^[0-9a-f]{64}$/.test(hash) && hash !== sha256(body))
    return 'XAmzContentSHA256Mismatch';
  const expected = await signature({ method, url, headers, body }, { keys, region, service, signed, time });
  return expected === headers['authorization'] ? null : 'SignatureDoesNotMatch';
}

async function signature(
  {
    method,
    url,
    headers,
    body,
  }: { method: string; url: string; headers: Record<string, string>; body: Buffer },
  {
    keys,
    region,
    service,
    signed,
    time,
  }: { keys: AwsKeys; region: string; service: string; signed: string[]; time: Date },
): Promise<string | undefined> {
  const [path = '', search = ''] = url.split(/\?(.*)/s);
  const parameters = new URLSearchParams(search);
  const query = Object.fromEntries([...parameters.keys()].map((name) => [name, parameters.getAll(name)]));
  const signer = new SignatureV4({
    service,
    region,
    credentials: keys,
    uriEscapePath: service !== 's3',
    applyChecksum: false,
    sha256: SdkHash,
  });
  const bag = Object.fromEntries(signed.map((name) => [name, headers[name]!]));
  const { headers: result } = await signer.sign(
    { method, protocol: 'https:', hostname: headers['host']!, path, query, headers: bag, body },
    { signingDate: time, signableHeaders: new Set(signed) },
  );
  return result['authorization'];
}

function bagOf(raw: readonly string[]): Record<string, string> {
  const bag: Record<string, string> = {};
  for (let index = 0; index < raw.length; index += 2) {
    const name = raw[index]!.toLowerCase();
    const value = raw[index + 1]!;
    bag[name] = bag[name] === undefined ? value : `${bag[name]},${value}`;
  }
  return bag;
}

function timeOf(date: string): Date {
  return new Date(date.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'));
}

function sha256(body: Buffer): string {
  return createHash('sha256').update(body).digest('hex');
}

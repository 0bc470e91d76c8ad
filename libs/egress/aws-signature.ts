import { createHash, createHmac } from 'node:crypto';
import { canonicalPath, canonicalQuery } from './aws-canonical.js';
import type { AwsKeys } from './aws-keys.js';
import type { RawHeaders } from './forwarded-headers.js';

export const AWS_ALGORITHM = 'AWS4-HMAC-SHA256';

/** A request as it leaves, and what of it the signature covers. */
interface SignableRequest {
  method: string;
  /** Path and query as they are sent. */
  target: string;
  /** As they are sent, `Host` and `X-Amz-Date` among them. */
  headers: RawHeaders;
  /** The names of headers, in lower case, that the signature covers where they are there. */
  signedHeaders: ReadonlySet<string>;
  /** What stands for the body: its SHA-256 in hex, or a word such as `UNSIGNED-PAYLOAD`. */
  payloadHash: string;
}

interface SigningScope {
  region: string;
  service: string;
  /** The time of signing, as `X-Amz-Date` has it: `20150830T123600Z`. */
  date: string;
}

/** A time as AWS writes it. */
export function awsDate(time: Date): string {
  return time.toISOString().replace(/[-:]|\.\d+/g, '');
}

/** What the `Authorization` header of a request says: AWS Signature Version 4. */
export function awsAuthorization(request: SignableRequest, keys: AwsKeys, scope: SigningScope): string {
  const { region, service, date } = scope;
  const headers = canonicalHeaders(request);
  const names = headers.map(([name]) => name).join(';');
  const [path = '', ...query] = request.target.split('?');
  const canonical = [
    request.method,
    canonicalPath(path, service.startsWith('s3')),
    canonicalQuery(query.join('?')),
    ...headers.map(([name, value]) => `${name}:${value}`),
    '',
    names,
    request.payloadHash,
  ].join('\n');
  const day = date.slice(0, 8);
  const credentialScope = `${day}/${region}/${service}/aws4_request`;
  const toSign = [AWS_ALGORITHM, date, credentialScope, sha256(canonical)].join('\n');
  const key = [day, region, service, 'aws4_request'].reduce<string | Buffer>(
    (secret, part) => hmac(secret, part),
    `AWS4${keys.secretAccessKey}`,
  );
  const signature = hmac(key, toSign).toString('hex');
  return `${AWS_ALGORITHM} Credential=${keys.accessKeyId}/${credentialScope}, SignedHeaders=${names}, Signature=${signature}`;
}

/** One line for each name: values of the same name in turn, without outer blanks and with one blank for several. */
function canonicalHeaders({ headers, signedHeaders }: SignableRequest): [name: string, value: string][] {
  const values = new Map<string, string[]>();
  for (let index = 0; index < headers.length; index += 2) {
    const name = headers[index]!.toLowerCase();
    const value = headers[index + 1]!.trim().replace(/\s+/g, ' ');
    if (signedHeaders.has(name)) values.set(name, [...(values.get(name) ?? []), value]);
  }
  return [...values.keys()].sort().map((name) => [name, values.get(name)!.join(',')]);
}

/** Headers have one character for each byte, and the rest is ASCII. */
function sha256(text: string): string {
  return createHash('sha256').update(text, 'latin1').digest('hex');
}

function hmac(key: string | Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text, 'latin1').digest();
}

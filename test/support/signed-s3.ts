import { mkdtemp, rm } from 'node:fs/promises';
import {
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
  createServer,
  request,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { crc32 } from 'node:zlib';

import S3rver from 's3rver';

import type { AwsKeys } from '../../libs/egress/index.js';
import { awsProblem } from '../../libs/egress/test/aws-verifier.js';

/** What came to the store, in order. */
export interface SeenCall {
  method: string;
  path: string;
  payload: string | undefined;
  range: string | undefined;
  problem: string | null;
}

/**
 * A store that speaks S3 and takes only what is signed with its keys, which s3rver by itself does not check: hash and
 * checksum of the body included. `listener` is for a server with TLS.
 */
export class SignedS3 {
  readonly seen: SeenCall[] = [];

  private constructor(
    private readonly keys: AwsKeys,
    private readonly region: string,
    private readonly port: number,
    readonly stop: () => Promise<void>,
  ) {}

  static async start(keys: AwsKeys, region: string): Promise<SignedS3> {
    const directory = await mkdtemp(join(tmpdir(), 'gatehouse-signed-s3-'));
    const server = createServer(new S3rver({ directory, silent: true }).callback());
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    return new SignedS3(keys, region, (server.address() as AddressInfo).port, async () => {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
      await rm(directory, { recursive: true, force: true });
    });
  }

  readonly listener: RequestListener = (incoming, response) => {
    void this.respond(incoming, response).catch((error: unknown) =>
      response.writeHead(500).end(String(error)),
    );
  };

  private async respond(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url = '', headers, rawHeaders } = incoming;
    const sent = await buffer(incoming);
    const payload = headers['x-amz-content-sha256'] as string | undefined;
    const unpacked = payload?.startsWith('STREAMING-') ? unpack(sent) : { body: sent, problem: null };
    const problem =
      (await awsProblem({ method, url, rawHeaders, body: sent }, this.keys, this.region)) ?? unpacked.problem;
    this.seen.push({ method, path: url, payload, range: headers.range, problem });
    if (problem !== null) return refuse(response, problem);
    this.pass(incoming, unpacked.body, response);
  }

  private pass({ method, url, headers }: IncomingMessage, body: Buffer, response: ServerResponse): void {
    const { 'transfer-encoding': _, 'content-encoding': __, expect: ___, ...kept } = headers;
    const authorization = headers.authorization!.replace(/Credential=[^/]*/, 'Credential=S3RVER');
    const onward = {
      ...kept,
      host: `127.0.0.1:${this.port}`,
      authorization,
      'content-length': String(body.length),
    };
    const up = request(
      { port: this.port, host: '127.0.0.1', method, path: url, headers: onward },
      (result) => {
        response.writeHead(result.statusCode!, result.headers);
        result.pipe(response);
      },
    );
    up.on('error', () => response.destroy());
    up.end(body);
  }
}

/** As S3 refuses. */
function refuse(response: ServerResponse, code: string): void {
  response
    .writeHead(403, { 'content-type': 'application/xml' })
    .end(
      `<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code><Message>refused</Message></Error>`,
    );
}

/** Chunks of the form `aws-chunked`, with a checksum after them. */
function unpack(sent: Buffer): { body: Buffer; problem: string | null } {
  const chunks: Buffer[] = [];
  let at = 0;
  for (;;) {
    const end = sent.indexOf('\r\n', at);
    const size = parseInt(sent.subarray(at, end).toString(), 16);
    at = end + 2;
    if (!(size > 0)) break;
    chunks.push(sent.subarray(at, at + size));
    at += size + 2;
  }
  const body = Buffer.concat(chunks);
  const [, given] = /^x-amz-checksum-crc32:(\S+)/.exec(sent.subarray(at).toString()) ?? [];
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(body));
  return { body, problem: given === sum.toString('base64') ? null : 'BadDigest' };
}

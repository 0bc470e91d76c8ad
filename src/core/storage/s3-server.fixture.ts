import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import {
  CreateBucketCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  S3Client,
} from '@aws-sdk/client-s3';
import S3rver from 's3rver';

export interface TestBucket {
  endpoint: string;
  bucket: string;
  /** Speaks to the server past the code under test. */
  client: S3Client;
  /** All keys in the bucket. */
  keys(): Promise<string[]>;
  /** Keys of uploads that were begun and neither completed nor given up. */
  unfinishedUploads(): Promise<string[]>;
  stop(): Promise<void>;
}

/**
 * An empty bucket on a server that speaks S3 over HTTP. With `S3_TEST_ENDPOINT` and AWS credentials in the environment
 * it is made on that server instead, and left there: so the specs can be tried on any store.
 */
export async function startBucket(): Promise<TestBucket> {
  const outside = process.env['S3_TEST_ENDPOINT'];
  const server = outside ? { endpoint: outside, stop: async () => undefined } : await startServer();
  const client = new S3Client({
    endpoint: server.endpoint,
    region: 'us-east-1',
    forcePathStyle: true,
    requestChecksumCalculation: 'WHEN_REQUIRED',
  });
  const Bucket = `gatehouse-${randomUUID()}`;
  await client.send(new CreateBucketCommand({ Bucket }));
  return {
    endpoint: server.endpoint,
    bucket: Bucket,
    client,
    keys: async () => {
      const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket }));
      return Contents.map((object) => object.Key ?? '');
    },
    unfinishedUploads: async () => {
      const { Uploads = [] } = await client.send(new ListMultipartUploadsCommand({ Bucket }));
      return Uploads.map((upload) => upload.Key ?? '');
    },
    stop: async () => {
      client.destroy();
      await server.stop();
    },
  };
}

async function startServer(): Promise<{ endpoint: string; stop: () => Promise<void> }> {
  process.env['AWS_ACCESS_KEY_ID'] = 'S3RVER';
  process.env['AWS_SECRET_ACCESS_KEY'] = 'S3RVER';
  const directory = await mkdtemp(join(tmpdir(), 'gatehouse-s3-'));
  const s3 = new S3rver({ directory, silent: true }).callback();
  const server = createServer((request, response) => {
    void handleUploadCalls(directory, request, response).then((handled) => {
      if (!handled) s3(request, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await rm(directory, { recursive: true });
    },
  };
}

/** The two calls that the server lacks: to list and to give up unfinished uploads, from the folder where it keeps them. */
async function handleUploadCalls(
  directory: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<boolean> {
  const url = new URL(request.url ?? '/', 'http://localhost');
  const folder = join(directory, url.pathname.split('/')[1] ?? '', '._S3rver_uploads');
  const upload = url.searchParams.get('uploadId');
  if (request.method === 'DELETE' && upload !== null) {
    await rm(join(folder, upload), { recursive: true });
    response.writeHead(204).end();
    return true;
  }
  if (request.method === 'GET' && url.searchParams.has('uploads')) {
    const begun = await listUploads(folder, url.searchParams.get('prefix') ?? '');
    response
      .writeHead(200, { 'content-type': 'application/xml' })
      .end(`<ListMultipartUploadsResult>${begun.join('')}</ListMultipartUploadsResult>`);
    return true;
  }
  return false;
}

async function listUploads(folder: string, prefix: string): Promise<string[]> {
  const uploads = await readdir(folder).catch(() => []);
  const found = await Promise.all(
    uploads.map(async (id) => {
      const key = await readFile(join(folder, id, 'key'), 'utf8');
      const begun = (await stat(join(folder, id, 'key'))).mtime.toISOString();
      return {
        key,
        xml: `<Upload><Key>${key}</Key><UploadId>${id}</UploadId><Initiated>${begun}</Initiated></Upload>`,
      };
    }),
  );
  return found.filter(({ key }) => key.startsWith(prefix)).map(({ xml }) => xml);
}

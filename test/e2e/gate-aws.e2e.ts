import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import {
  type Client,
  type GatehouseProcess,
  type Json,
  Seed,
  createClient,
} from '../../libs/testing/index.js';
import { startGatehouse } from '../support/gatehouse.js';
import { whyNoRegistries } from '../support/registry-reach.js';
import { finished, newVersion, publishedScript, run, runUntil, type TestScript } from '../support/scripts.js';
import { SignedS3 } from '../support/signed-s3.js';
import { Upstreams, echo } from '../support/upstream.js';

const MINUTES = 5 * 60_000;
const noRegistries = await whyNoRegistries();

const KEYS = {
  accessKeyId: 'AKIAIOSFODNN7REALKEY',
  secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYREALKEY40',
};
const ODD_KEY = 'a folder/über & (1)+2=3.txt';

describe.skipIf(noRegistries !== null)('clients of AWS store through the gate, unmodified', () => {
  const upstreams = new Upstreams();
  let store: SignedS3;
  let gatehouse: GatehouseProcess & { databaseUrl: string };
  let api: Client;
  let host: string;
  let other: string;
  let pythonScript: TestScript;

  beforeAll(async () => {
    const caFile = await upstreams.caFile();
    store = await SignedS3.start(KEYS, 'eu-west-1');
    host = `localhost:${await upstreams.start(store.listener)}`;
    other = `localhost:${await upstreams.start(echo)}`;
    gatehouse = await startGatehouse({
      env: {
        GATEHOUSE_SIGNUP: 'open',
        GATEHOUSE_RATE_LIMIT: '0',
        GATEHOUSE_OUTBOUND_ALLOW: '127.0.0.1',
        NODE_EXTRA_CA_CERTS: await upstreams.besideOwn(caFile),
      },
    });
    const pool = new pg.Pool({ connectionString: gatehouse.databaseUrl, max: 1 });
    const { owner, slug } = await new Seed(gatehouse.baseUrl, pool).workspace();
    await pool.end();
    api = createClient({ baseUrl: gatehouse.baseUrl, token: owner.token, workspace: slug });
    const value = JSON.stringify(KEYS);
    const secret = await api.put('/v1/workspace/secrets/STORE_KEYS', { kind: 'aws', value, hosts: [host] });
    expect([secret.status, secret.body.kind], secret.text).toEqual([200, 'aws']);
    pythonScript = await publishedScript(api, pythonFiles('print(1)'), version());
  }, MINUTES);
  beforeEach(() => void store.seen.splice(0));
  afterAll(async () => {
    await gatehouse?.stop();
    await upstreams.close();
    await store?.stop();
  });

  const version = (more: object = {}) => ({
    timeout: 120,
    hosts: [host, other],
    secrets: { STORE_KEYS: { header: 'authorization', value: 'AWS4-HMAC-SHA256 {secret}', host } },
    ...more,
  });
  const pythonFiles = (code: string) => ({
    'main.py': `import hashlib, io, json, os, subprocess, sys
import boto3
from botocore.client import Config
from botocore.exceptions import ClientError
ENDPOINT = "https://${host}"
def client(region="eu-west-1", service="s3", endpoint=ENDPOINT, **more):
    return boto3.client(service, endpoint_url=endpoint, region_name=region, config=Config(s3={"addressing_style": "path"}, retries={"max_attempts": 1}, **more))
${code}`,
    'requirements.txt': 'boto3\nawscli\n',
  });

  async function done(script: TestScript): Promise<Json> {
    const started = await run(api, script);
    const end = await runUntil(api, started.body['id'] as string, finished, 120_000);
    const { text } = await api.get(`/v1/runs/${String(end['id'])}/log`);
    expect(end, text).toMatchObject({ status: 'succeeded', error: null });
    for (const key of Object.values(KEYS)) expect(JSON.stringify(end) + text).not.toContain(key);
    return end;
  }

  /** As a further version of the script, whose dependencies are there already. */
  async function python(code: string, more: object = {}): Promise<Json> {
    const { number } = await newVersion(api, pythonScript.slug, pythonFiles(code), version(more));
    expect((await api.post(`/v1/scripts/${pythonScript.slug}/publish`, { version: number })).status).toBe(
      200,
    );
    return (await done(pythonScript)).output;
  }

  it(
    'boto3: says why it may not reach a host, for services of XML and of JSON, and that the log of the run has it',
    async () => {
      const output = await python(`
def refused(call):
    try: call()
    except ClientError as error: return [error.response["Error"]["Code"], error.response["Error"]["Message"]]
elsewhere = "https://undeclared.example"
print(json.dumps({
    "s3": refused(lambda: client(endpoint=elsewhere).list_buckets()),
    "dynamodb": refused(lambda: client(service="dynamodb", endpoint=elsewhere).list_tables()),
}))`);
      const words = expect.stringMatching(
        /^The host undeclared\.example is not declared\..* The run's log names it, too\.$/,
      ) as Json;
      expect(output).toEqual({
        s3: ['host_not_declared', words],
        dynamodb: ['host_not_declared', words],
      });
    },
    MINUTES,
  );

  it(
    'boto3: puts, gets, lists and deletes, small and large, under any name',
    async () => {
      const output = await python(`
s3 = client()
s3.create_bucket(Bucket="python", CreateBucketConfiguration={"LocationConstraint": "eu-west-1"})
key = ${JSON.stringify(ODD_KEY)}
s3.put_object(Bucket="python", Key=key, Body=b"odd")
s3.upload_fileobj(io.BytesIO(b"m" * 3_000_000), "python", "medium")
large = os.urandom(1 << 20) * 20
s3.upload_fileobj(io.BytesIO(large), "python", "large")
back = io.BytesIO(); s3.download_fileobj("python", "large", back)
found = {
    "odd": s3.get_object(Bucket="python", Key=key)["Body"].read().decode(),
    "medium": len(s3.get_object(Bucket="python", Key="medium")["Body"].read()),
    "large": hashlib.sha256(back.getvalue()).digest() == hashlib.sha256(large).digest(),
    "part": s3.get_object(Bucket="python", Key="medium", Range="bytes=0-9")["Body"].read().decode(),
    "size": s3.head_object(Bucket="python", Key="medium")["ContentLength"],
    "keys": sorted(o["Key"] for o in s3.list_objects_v2(Bucket="python")["Contents"]),
    "below": [o["Key"] for o in s3.list_objects_v2(Bucket="python", Prefix="a folder/ü")["Contents"]],
}
s3.delete_object(Bucket="python", Key="medium")
s3.delete_objects(Bucket="python", Delete={"Objects": [{"Key": key}]})
found["left"] = [o["Key"] for o in s3.list_objects_v2(Bucket="python")["Contents"]]
found["environment"] = [os.environ["AWS_ACCESS_KEY_ID"], os.environ["STORE_KEYS"]]
print(json.dumps(found))`);
      expect(output).toEqual({
        odd: 'odd',
        medium: 3_000_000,
        large: true,
        part: 'mmmmmmmmmm',
        size: 3_000_000,
        keys: [ODD_KEY, 'large', 'medium'],
        below: [ODD_KEY],
        left: ['large'],
        environment: ['AKIAGATEHOUSEATTACHED', 'attached-by-gatehouse'],
      });
      expect(store.seen.map(({ problem }) => problem)).toEqual(store.seen.map(() => null));
      const payloads = new Set(store.seen.map(({ payload }) => payload));
      expect(payloads).toContain('STREAMING-UNSIGNED-PAYLOAD-TRAILER');
      expect(store.seen.filter(({ range }) => range !== undefined).length).toBeGreaterThan(2);
    },
    MINUTES,
  );

  it(
    'the AWS CLI: copies there and back, lists and removes',
    async () => {
      const output = await python(`
def aws(*arguments):
    return subprocess.run([sys.executable, "-m", "awscli", "--endpoint-url", ENDPOINT, "--region", "eu-west-1", *arguments], check=True, stdout=subprocess.PIPE).stdout.decode()
aws("configure", "set", "default.s3.addressing_style", "path")
aws("s3", "mb", "s3://shell")
large = os.urandom(1 << 20) * 12
open("/tmp/in", "wb").write(large)
aws("s3", "cp", "--only-show-errors", "/tmp/in", "s3://shell/a name/large")
aws("s3", "cp", "--only-show-errors", "s3://shell/a name/large", "/tmp/out")
listed = aws("s3", "ls", "--recursive", "s3://shell").split(maxsplit=3)[2:]
aws("s3", "rm", "--only-show-errors", "s3://shell/a name/large")
print(json.dumps({"same": open("/tmp/out", "rb").read() == large, "listed": listed, "left": aws("s3", "ls", "s3://shell")}))`);
      expect(output).toEqual({ same: true, listed: ['12582912', 'a name/large\n'], left: '' });
      expect(store.seen.map(({ problem }) => problem)).toEqual(store.seen.map(() => null));
    },
    MINUTES,
  );

  it(
    'says what S3 says to a wrong region, and signs for no other host',
    async () => {
      const output = await python(`
def problem(call):
    try: call(); return None
    except ClientError as error: return error.response["Error"]["Code"]
region = problem(lambda: client("us-west-2").list_buckets())
import urllib.request
from botocore.awsrequest import AWSRequest
from botocore.auth import SigV4Auth
from botocore.credentials import Credentials
request = AWSRequest("GET", "https://${other}/")
SigV4Auth(Credentials(os.environ["AWS_ACCESS_KEY_ID"], os.environ["AWS_SECRET_ACCESS_KEY"]), "s3", "eu-west-1").add_auth(request)
seen = json.load(urllib.request.urlopen(urllib.request.Request(request.url, headers=dict(request.headers))))
presigned = client().generate_presigned_url("get_object", Params={"Bucket": "python", "Key": "large"})
try: urllib.request.urlopen(presigned); refused = None
except urllib.error.HTTPError as error: refused = json.load(error)["error"]
print(json.dumps({"region": region, "elsewhere": seen["headers"]["authorization"], "presigned": refused}))`);
      expect(output.region).toBe('AuthorizationHeaderMalformed');
      expect(output.elsewhere).toContain('Credential=AKIAGATEHOUSEATTACHED/');
      expect(output.presigned).toMatchObject({ code: 'request_not_signable' });
      expect(output.presigned.message).toContain('call the operation itself');
    },
    MINUTES,
  );

  it(
    'the SDK for JavaScript: puts text, bytes and streams, and reads them',
    async () => {
      const code = `import { S3Client, CreateBucketCommand, PutObjectCommand, GetObjectCommand, ListObjectsV2Command, DeleteObjectCommand } from '@aws-sdk/client-s3';
import { Readable } from 'node:stream';
const s3 = new S3Client({ endpoint: 'https://${host}', region: 'eu-west-1', forcePathStyle: true });
const Bucket = 'node-bucket';
const Key = ${JSON.stringify(`${ODD_KEY}!'()*`)};
await s3.send(new CreateBucketCommand({ Bucket }));
await s3.send(new PutObjectCommand({ Bucket, Key, Body: 'odd' }));
await s3.send(new PutObjectCommand({ Bucket, Key: 'bytes', Body: Buffer.alloc(2_000_000, 'b') }));
await s3.send(new PutObjectCommand({ Bucket, Key: 'stream', Body: Readable.from([Buffer.alloc(100_000, 's')]), ContentLength: 100_000 }));
const text = async (key) => (await s3.send(new GetObjectCommand({ Bucket, Key: key }))).Body.transformToString();
const found = { odd: await text(Key), bytes: (await text('bytes')).length, stream: (await text('stream')).length };
await s3.send(new DeleteObjectCommand({ Bucket, Key: 'bytes' }));
const { Contents } = await s3.send(new ListObjectsV2Command({ Bucket }));
console.log(JSON.stringify({ ...found, keys: Contents.map((object) => object.Key) }));`;
      const manifest = JSON.stringify({ type: 'module', dependencies: { '@aws-sdk/client-s3': '^3' } });
      const files = { 'main.js': code, 'package.json': manifest };
      const { output } = await done(await publishedScript(api, files, version({ command: 'node main.js' })));
      expect(output).toEqual({
        odd: 'odd',
        bytes: 2_000_000,
        stream: 100_000,
        keys: [`${ODD_KEY}!'()*`, 'stream'],
      });
      expect(store.seen.map(({ problem }) => problem)).toEqual(store.seen.map(() => null));
    },
    MINUTES,
  );
});

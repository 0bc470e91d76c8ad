import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

import { PYTHON, pythonPackage } from '../../libs/egress/test/python-package.js';
import { freePort, type Json } from '../../libs/testing/index.js';

const PACKAGE = 'moto[server]==5.2.5';
const KEYS = { AWS_ACCESS_KEY_ID: 'AKIATESTTESTTESTTEST', AWS_SECRET_ACCESS_KEY: 'secret-of-the-test' };
/** Prints what a method of boto3's client returns. */
const CALL = `
import boto3, json, sys
client = boto3.client("secretsmanager", endpoint_url=sys.argv[1], region_name="eu-west-1")
print(json.dumps(getattr(client, sys.argv[2])(**json.loads(sys.argv[3])), default=str))`;

/** AWS Secrets Manager as moto has it, which is made after AWS's own description of it. */
export class SecretsManager {
  private constructor(
    private readonly process: ChildProcess,
    private readonly folder: string,
    readonly url: string,
  ) {}

  readonly keys = KEYS;

  static async start(): Promise<SecretsManager> {
    const folder = await pythonPackage(PACKAGE);
    const port = await freePort();
    const child = spawn(PYTHON, ['-m', 'moto.server', '-H', '127.0.0.1', '-p', String(port)], {
      env: { ...process.env, PYTHONPATH: folder },
      stdio: 'ignore',
    });
    const url = `http://127.0.0.1:${port}`;
    while (
      !(await fetch(`${url}/moto-api/`).then(
        (response) => response.ok,
        () => false,
      ))
    ) {
      if (child.exitCode !== null) throw new Error(`moto ended with ${child.exitCode}.`);
      await new Promise((done) => setTimeout(done, 50));
    }
    return new SecretsManager(child, folder, url);
  }

  async stop(): Promise<void> {
    const ended = once(this.process, 'exit');
    this.process.kill('SIGKILL');
    await ended;
  }

  /** Calls it by boto3, such as `create_secret`. */
  async call(method: string, parameters: object): Promise<Json> {
    const child = spawn(PYTHON, ['-c', CALL, this.url, method, JSON.stringify(parameters)], {
      env: { ...process.env, ...KEYS, PYTHONPATH: this.folder, PATH: process.env['PATH'] },
      cwd: join(this.folder),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const chunks: Buffer[] = [];
    const errors: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => errors.push(chunk));
    const [code] = (await once(child, 'close')) as [number];
    if (code !== 0) throw new Error(Buffer.concat(errors).toString());
    return JSON.parse(Buffer.concat(chunks).toString()) as Json;
  }
}

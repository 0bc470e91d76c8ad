import { createHash } from 'node:crypto';

import { archiveOf, type Client, type TestGatehouse } from '@gatehouse/testing';
import { expect } from 'vitest';

import type { Json } from '../../libs/testing/index.js';

/** Says which value it was given, and does not show it. */
const SCRIPT = `import hashlib, os
print(hashlib.sha256(os.environ["SOURCED"].encode()).hexdigest())`;

export const digestOf = (value: string): string => createHash('sha256').update(value).digest('hex');

/** Runs of a script with a secret that is read from elsewhere. */
export class SourcedRuns {
  private constructor(readonly api: Client) {}

  /** Of an owner: of the gatehouse's workspace, or another. */
  static async in(api: Client): Promise<SourcedRuns> {
    await api.post('/v1/scripts', { slug: 'show', name: 'Show' });
    await api.put('/v1/workspace/secrets/SOURCED', { value: 'not yet sourced', hosts: [], allowEnv: true });
    const archive = await archiveOf({ 'main.py': SCRIPT });
    const made = await api.post('/v1/scripts/show/versions', { archive, env: ['SOURCED'] });
    expect(made.status, made.text).toBe(201);
    await api.post('/v1/scripts/show/publish', { version: 1 });
    return new SourcedRuns(api);
  }

  static async of({ api, workspace }: TestGatehouse): Promise<SourcedRuns> {
    return SourcedRuns.in(api.as(workspace.owner.token));
  }

  put(source: string, reference: string) {
    const body = { source, reference, hosts: [], allowEnv: true };
    return this.api.put('/v1/workspace/secrets/SOURCED', body);
  }

  /** What is wrong with a reference, as a form shows it. */
  async problem(source: string, reference: string): Promise<string | undefined> {
    const { status, body } = await this.put(source, reference);
    if (status !== 400) return undefined;
    expect(body.error.details[0].path).toBe('reference');
    return body.error.details[0].message as string;
  }

  async run(): Promise<Json> {
    const { body, text } = await this.api.post('/v1/scripts/show/runs', { inputs: {} });
    expect(body.status, text).toMatch(/^(succeeded|failed)$/);
    return body;
  }

  /** The digest of the value that a run was given, or the error that it ended with. */
  async read(source: string, reference: string): Promise<string> {
    const { status, text } = await this.put(source, reference);
    expect(status, text).toBe(200);
    const { output, error } = await this.run();
    return (output ?? error) as string;
  }
}

import { archiveOf, blobStorageChecks, startGatehouse } from '@gatehouse/testing';
import type { Client, TestGatehouse } from '@gatehouse/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { WebdavFiles, WebdavFilesExtension, WebdavSettings } from './webdav-files.extension.js';
import { WebdavServer } from './webdav-server.js';

const SCRIPT = `
import json, os
with open(json.load(open(os.environ['GATEHOUSE_INPUTS']))['report']) as report:
    print(report.read().upper())
`;

describe('files on a WebDAV server', () => {
  let server: WebdavServer;
  let gatehouse: TestGatehouse;
  let owner: Client;

  beforeAll(async () => {
    server = await WebdavServer.start();
    gatehouse = await startGatehouse({
      extensions: [WebdavFilesExtension.for(new WebdavSettings(server.folder, server.authorization))],
      env: { GATEHOUSE_FILES: 'webdav_files' },
      runsScripts: true,
    });
    owner = gatehouse.api.as(gatehouse.workspace.owner.token);
  });

  afterAll(async () => {
    await gatehouse?.stop();
    await server?.stop();
  });

  const checks = blobStorageChecks(() => gatehouse.get(WebdavFiles), {
    kept: async () => [...server.files.keys()],
  });
  for (const { name, run } of checks) it(name, run);

  it('are what a script is given, and the script is one of them', async () => {
    const { body: file } = await owner.post('/v1/files?name=report.txt', 'all is well', {
      'content-type': 'text/plain',
    });
    await owner.post('/v1/scripts', { slug: 'shout', name: 'Shout' });
    await owner.post('/v1/scripts/shout/versions', {
      archive: await archiveOf({ 'main.py': SCRIPT }),
      inputSchema: { type: 'object', properties: { report: { type: 'string', format: 'file' } } },
    });
    await owner.post('/v1/scripts/shout/publish', { version: 1 });
    const { body: run } = await owner.post('/v1/scripts/shout/runs', { inputs: { report: file.id } });
    expect(run).toMatchObject({ status: 'succeeded' });
    expect(JSON.stringify((await owner.get(`/v1/runs/${run.id}/log`)).body)).toContain('ALL IS WELL');
    const names = [...server.files.keys()].join();
    expect(names).toContain(`/gatehouse/files.${file.id}`);
    expect(names).toMatch(/\/gatehouse\/content\.[0-9a-f]{64}/);
  });

  it('say that the server is away, and not where it is', async () => {
    await server.stop();
    const { status, body } = await owner.post('/v1/files?name=late.txt', 'late', {
      'content-type': 'text/plain',
    });
    expect([status, body.error.message]).toEqual([
      503,
      'The blob storage webdav_files cannot be used just now. It failed, and the service has logged where.',
    ]);
  });
});

import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { createClient } from '@hey-api/openapi-ts';

import { listFiles } from './freshness.mjs';
import { prepare } from './prepare.mjs';
import { Obstacle, root, run } from './project.mjs';

const CLIENT = join('libs', 'client');
const GENERATED = join(CLIENT, 'src', 'generated');
const DOCUMENT = join(CLIENT, 'openapi.json');

/**
 * `npm run client`: writes the interface's description and the client made of it into `libs/client`.
 * With `--check` it only fails where what is there is not what would be written.
 */
await run(async () => {
  process.chdir(root);
  await prepare();
  const directory = mkdtempSync(join(tmpdir(), 'gatehouse-client-'));
  try {
    const document = `${JSON.stringify(await describe(directory), null, 2)}\n`;
    if (process.argv.includes('--check')) await check(document, directory);
    else await write(document);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
});

async function write(document) {
  writeFileSync(DOCUMENT, document);
  await generate(DOCUMENT, GENERATED);
}

async function check(document, directory) {
  const input = join(directory, 'openapi.json');
  writeFileSync(input, document);
  const output = join(directory, 'generated');
  await generate(input, output);
  const stale = differences(output);
  if (!existsSync(DOCUMENT) || readFileSync(DOCUMENT, 'utf8') !== document) stale.unshift(DOCUMENT);
  if (stale.length > 0) {
    throw new Obstacle(
      `The client is not that of this interface; \`npm run client\` makes it:\n${stale.join('\n')}`,
    );
  }
}

/** The OpenAPI document as a service without any setting gives it, whatever its address. */
async function describe(directory) {
  const load = (path) => import(pathToFileURL(join(root, 'dist', 'src', path)).href);
  const { EmbeddedPostgres } = await load('core/database/embedded/embedded-postgres.js');
  const { ConnectionOptions } = await load('core/database/connection-options.js');
  const { Settings } = await load('core/config/settings.js');
  const { ApiDescription } = await load('core/openapi/api-description.js');
  const { createApp } = await load('start.js');
  const postgres = new EmbeddedPostgres({ dataDir: join(directory, 'data'), settings: { fsync: 'off' } });
  try {
    const { url } = await postgres.start();
    const settings = new Settings({ GATEHOUSE_DATA: join(directory, 'data'), GATEHOUSE_ROLE: 'api' });
    const app = await createApp(settings, new ConnectionOptions(url, 4, () => null));
    const document = app.get(ApiDescription, { strict: false }).build();
    await app.close();
    document.servers = [{ url: '/' }];
    document.externalDocs = { ...document.externalDocs, url: '/docs/errors' };
    return document;
  } finally {
    await postgres.stop();
  }
}

async function generate(input, output) {
  await createClient({
    input,
    logs: { level: 'silent', file: false },
    output: { path: output, importFileExtension: '.js', clean: true },
    plugins: [
      { name: '@hey-api/client-fetch', throwOnError: true, baseUrl: false },
      '@hey-api/typescript',
      { name: '@hey-api/sdk' },
      { name: '@tanstack/react-query' },
    ],
  });
}

function differences(fresh) {
  const names = new Set([
    ...listFiles(fresh, ['.']),
    ...(existsSync(GENERATED) ? listFiles(GENERATED, ['.']) : []),
  ]);
  const read = (directory, name) => {
    const path = join(directory, name);
    return existsSync(path) ? readFileSync(path, 'utf8') : null;
  };
  return [...names]
    .filter((name) => read(fresh, name) !== read(GENERATED, name))
    .map((name) => join(GENERATED, name));
}

import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { createClient } from '@hey-api/openapi-ts';

import { listFiles } from './freshness.mjs';
import { Obstacle, built, run } from './project.mjs';
import { withPostgres } from './temporary-postgres.mjs';

const CLIENT = join('libs', 'client');
const GENERATED = join(CLIENT, 'src', 'generated');
const DOCUMENT = join(CLIENT, 'openapi.json');
/** Says of which document it was made. That it is of this one, the whole suite sees: it takes Python's packages to make it. */
const PYTHON_MODELS = join('libs', 'python', 'gatehouse_client', 'models.py');

/**
 * `npm run client`: writes the interface's description and the client made of it into `libs/client`.
 * With `--check` it only fails where what is there is not what would be written.
 */
await run(async () => {
  const document = `${JSON.stringify(await withPostgres(describe), null, 2)}\n`;
  if (process.argv.includes('--check')) await check(document);
  else await write(document);
});

async function write(document) {
  writeFileSync(DOCUMENT, document);
  await generate(DOCUMENT, GENERATED);
  if (pythonIsStale(document)) console.log('`npm run python-client` brings the Python client up to this.');
}

function pythonIsStale(document) {
  return !readFileSync(PYTHON_MODELS, 'utf8').includes(createHash('sha256').update(document).digest('hex'));
}

async function check(document) {
  const directory = mkdtempSync(join(tmpdir(), 'gatehouse-client-'));
  try {
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
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** The OpenAPI document as a service without any setting gives it, whatever its address. */
async function describe({ url, directory }) {
  const { ConnectionOptions } = await built('src/core/database/connection-options.js');
  const { Settings } = await built('src/core/config/settings.js');
  const { OpenApiDocumentFactory } = await built('src/core/openapi/open-api-document-factory.js');
  const { createApp } = await built('src/application.js');
  const settings = new Settings({ GATEHOUSE_DATA: directory, GATEHOUSE_ROLE: 'api' });
  const app = await createApp(settings, new ConnectionOptions(url, 4, () => null));
  const document = app.get(OpenApiDocumentFactory, { strict: false }).build();
  await app.close();
  document.servers = [{ url: '/' }];
  document.externalDocs = { ...document.externalDocs, url: '/docs/errors' };
  return document;
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

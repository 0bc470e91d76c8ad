import assert from 'node:assert/strict';

import { built } from '../project.mjs';

/**
 * What a new user does, on the Node that runs this: start, make a script, run it, read its log, and stop. Run by
 * `npm run smoke`.
 */
const { archiveOf, createClient, firstRun, startGatehouse } = await built('libs/testing/index.js');

const gatehouse = await startGatehouse();
try {
  const { baseUrl, personalAccessToken, workspace } = await firstRun(gatehouse);
  const api = createClient({ baseUrl, token: personalAccessToken, workspace });
  await runs(api, 'on-python', 'python main.py {text}', {
    'main.py':
      'import json, sys\nprint("begun", file=sys.stderr)\nprint(json.dumps({"text": sys.argv[1]}))\n',
  });
  await runs(api, 'on-node', 'node main.js {text}', {
    'main.js': 'console.error("begun"); console.log(JSON.stringify({ text: process.argv[2] }));\n',
  });
} finally {
  await gatehouse.stop();
}
assert.equal(gatehouse.process.exitCode, 0, gatehouse.output());
console.log(`Node ${process.versions.node}: started, ran a script of each language, stopped`);

async function runs(api, slug, command, files) {
  made(await api.post('/v1/scripts', { slug, name: slug }), 201);
  const archive = await archiveOf(files);
  made(await api.post(`/v1/scripts/${slug}/versions`, { archive, command }), 201);
  made(await api.post(`/v1/scripts/${slug}/publish`, { version: 1 }), 200);
  const run = made(await api.post(`/v1/scripts/${slug}/runs`, { inputs: { text: 'a b' } }), 200);
  assert.equal(run.status, 'succeeded', JSON.stringify(run));
  assert.deepEqual(run.output, { text: 'a b' });
  const log = made(await api.get(`/v1/runs/${run.id}/log`), 200);
  assert.match(JSON.stringify(log), /begun/);
}

function made({ status, body, text }, expected) {
  assert.equal(status, expected, text);
  return body;
}

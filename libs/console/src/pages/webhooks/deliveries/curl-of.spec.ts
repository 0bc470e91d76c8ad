import { execFileSync } from 'node:child_process';

import { expect, it } from 'vitest';

import { curlOf } from './curl-of.js';

it('sends exactly what was sent, as a shell reads it', () => {
  const body = `{"name":"it's $HOME \`id\` \\\\ \\"x\\" é"}`;
  const command = curlOf({
    attempt: 1,
    method: 'POST',
    url: 'https://hooks.example.com/in?a=1&b=$(id)',
    headers: [
      { name: 'host', value: 'hooks.example.com' },
      { name: 'webhook-id', value: 'msg_1' },
      { name: 'webhook-signature', value: 'v1,abc+/= v1,def' },
      { name: 'content-length', value: '12' },
    ],
    body,
  });
  const script = `curl() { printf '%s\\0' "$@"; }\n${command}`;
  const args = execFileSync('sh', ['-c', script]).toString().split('\0').slice(0, -1);
  expect(args).toEqual([
    '-sS',
    '-X',
    'POST',
    'https://hooks.example.com/in?a=1&b=$(id)',
    '-H',
    'webhook-id: msg_1',
    '-H',
    'webhook-signature: v1,abc+/= v1,def',
    '--data-raw',
    body,
  ]);
});

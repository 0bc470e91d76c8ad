import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { Json, TestWorkspace } from '../../libs/testing/index.js';
import { AgentHouse } from '../support/agents.js';
import { CommandLine } from '../support/command-line.js';
import { client, newWorkspace } from '../support/gatehouse.js';
import { commandsOf, paste } from '../support/paste.js';

const GUIDE = 'docs/guide';
/** What these are about is tried with machines, browsers and servers of their own. */
const WITHOUT_EXAMPLES = [
  'backups.md',
  'connect-an-agent.md',
  'proof.md',
  'upgrading.md',
  'what-is-wrong.md',
];
const EXAMPLE =
  /^```bash\n(?<commands>[^]*?)^```$(?:\n\n^```json title="response"\n(?<response>[^]*?)^```$)?/gm;
/** What stands between the outputs of two examples. */
const BETWEEN = '\u001e';

const pageOf = (name: string): Promise<string> => readFile(join(GUIDE, name), 'utf8');

/** The pages in the order of the first one, which a reader goes by. */
const index = await pageOf('README.md');
const pages = [...index.matchAll(/^\d+\. \[[^\]]+\]\(([a-z-]+\.md)\)/gm)].map(([, name]) => name!);

describe('the examples of the guide', () => {
  let house: AgentHouse;
  let workspace: TestWorkspace;
  let directory: string;
  let accessToken: string;

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'gatehouse-guide-'));
    house = await AgentHouse.open('openai');
    house.model.says(
      { calls: [{ name: 'words', input: { text: 'to be or not to be' } }] },
      { text: 'It has six words.' },
    );
    workspace = await newWorkspace();
    accessToken = await workspace.owner.agent();
    const credentials = {
      baseUrl: house.process.baseUrl,
      personalAccessToken: workspace.owner.token,
      workspace: workspace.slug,
    };
    await mkdir(join(directory, '.data'));
    await mkdir(join(directory, 'bin'));
    await symlink((await CommandLine.build()).program, join(directory, 'bin', 'gatehouse'));
    await writeFile(join(directory, '.data', 'first-run.json'), JSON.stringify(credentials));
  });
  afterAll(async () => {
    await house?.close();
    await rm(directory, { recursive: true, force: true });
  });

  it.each(pages)('do in %s what stands there', async (name) => {
    const examples = [...(await pageOf(name)).matchAll(EXAMPLE)].map(({ groups }) => groups!);
    const lines = examples.map(({ commands }) => `${commands}\nprintf '\\n${BETWEEN}'\n`);
    const printed = await paste([...commandsOf(index), ...lines].join('\n'), directory, {
      access_token: accessToken,
    });
    const outputs = printed.split(BETWEEN);
    for (const [at, { commands, response }] of examples.entries()) {
      const responses = outputs[at]!.trim().split('\n').flatMap(parsed);
      const expected = response === undefined ? {} : (JSON.parse(response) as Json);
      const last = responses.pop();
      expect(last, commands).toMatchObject(expected);
      for (const each of expected.error ? responses : [...responses, last ?? {}]) {
        expect(each, commands).not.toHaveProperty('error.code');
      }
    }
  });

  it('are on each page that has something to paste', async () => {
    for (const name of pages.filter((page) => !WITHOUT_EXAMPLES.includes(page))) {
      expect(await pageOf(name), name).toMatch(/^```bash\n/m);
    }
  });
});

describe('GET /docs/guide', () => {
  it('lists every page there is, and each is shown with working links', async () => {
    const names = (await readdir(GUIDE)).filter((name) => name !== 'README.md');
    expect([...pages].sort()).toEqual(names.sort());
    const addresses = ['/docs/guide', ...pages.map((name) => `/docs/guide/${name.replace('.md', '')}`)];
    const shown = new Map<string, string>();
    for (const address of addresses) {
      const { status, headers, text } = await client().get(address);
      expect([address, status, headers.get('content-type')]).toEqual([
        address,
        200,
        'text/html; charset=utf-8',
      ]);
      expect(headers.get('content-security-policy')).toMatch(/^default-src 'none'/);
      shown.set(address, text);
    }
    for (const [address, text] of shown) {
      const links = [...text.matchAll(/<a href="([^"]+)"/g)].map(([, link]) => link!);
      for (const link of links.filter((each) => each.startsWith('#') || each.includes('/docs/guide'))) {
        const [page, anchor] = link.split('#');
        const target = shown.get(page === '' ? address : page!);
        expect(target, `${link} of ${address}`).toBeDefined();
        if (anchor !== undefined) expect(target, `${link} of ${address}`).toContain(` id="${anchor}"`);
      }
    }
  });

  it.each(['nothing', 'README', '..%2fREADME', '%2e%2e%2fwork', 'constructor'])(
    'is a 404 for %s, which is no page',
    async (name) => {
      expect((await client().get(`/docs/guide/${name}`)).status).toBe(404);
    },
  );
});

/** A response, or an event of one. */
function parsed(line: string): Json[] {
  const [, json] = /^(?:data: )?(\{.*)$/.exec(line) ?? [];
  return json === undefined ? [] : [JSON.parse(json) as Json];
}

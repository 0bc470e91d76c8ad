import { describe, expect, it } from 'vitest';

import { freePort } from '../../libs/testing/index.js';
import { describeWalk, signIn } from '../support/browser.js';
import { baseUrl, newWorkspace } from '../support/gatehouse.js';
import { App } from '../support/oauth.js';
import { type Report, runSuite } from './support/suite.js';

const METADATA = ['authorization-server-metadata', 'authorization-server-metadata-cimd'];
const CODE = 'authorization-code-grant';

describe('the official suite for authorization servers', () => {
  it('finds the metadata as it should be', async () => {
    const scenario = ['--scenario', 'authorization-server-metadata-endpoint'];
    const report = await runSuite(['authorization', '--url', baseUrl(), ...scenario]);
    expectPassed(report, METADATA);
  });
});

describeWalk('the official suite for authorization servers, with a person at a browser', (browser) => {
  it.each([
    ['that says what the token is for', ['--resource', `${baseUrl()}/mcp`]],
    ['that does not', []],
  ])('gets a token for an app %s', async (_, resource) => {
    const { owner } = await newWorkspace();
    const port = await freePort();
    const app = await App.registered(baseUrl(), {
      client_name: 'Conformance suite',
      redirect_uris: [`http://127.0.0.1:${port}/callback`],
    });
    const client = ['--client-id', app.clientId, '--port', String(port)];
    let consent: Promise<void> | undefined;
    const report = await runSuite(['authorization', '--url', baseUrl(), ...client, ...resource], (line) => {
      if (!line.startsWith(`${baseUrl()}/oauth/authorize?`)) return;
      consent = browser.page(baseUrl(), null).then(async (page) => {
        await page.goto(line);
        await signIn(page, owner);
        await page.getByRole('heading', { name: 'Connect Conformance suite' }).waitFor();
        await page.getByRole('button', { name: 'Allow', exact: true }).click();
        await page.waitForURL(`http://127.0.0.1:${port}/callback?**`);
      });
    });
    await consent;
    expectPassed(report, [CODE, ...METADATA]);
  });
});

/** These and no others, none of them left out. */
function expectPassed({ passed, failures, skipped }: Report, checks: readonly string[]): void {
  expect(failures).toEqual(new Map());
  expect(skipped).toEqual(new Map());
  expect(passed.map((check) => check.replace(/^.*: /, '')).sort()).toEqual(checks);
}

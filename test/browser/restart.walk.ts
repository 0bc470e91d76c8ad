import { once } from 'node:events';

import { afterAll, beforeAll, expect, it } from 'vitest';

import { type GatehouseProcess, firstRun, startGatehouse } from '../../libs/testing/index.js';
import { describeWalk, sayWhatIsNew, signIn } from '../support/browser.js';

describeWalk('a service that goes away under an open page', (browser) => {
  let gatehouse: GatehouseProcess;

  beforeAll(async () => {
    gatehouse = await startGatehouse();
  });

  afterAll(async () => {
    await gatehouse?.stop();
  });

  it('is missed, and the page catches up by itself when it is back', async () => {
    const { email, password, workspace } = await firstRun(gatehouse);
    const { baseUrl, dataDirectory } = gatehouse;
    const page = await browser.page(baseUrl, null);
    await page.goto('/sign-in');
    await signIn(page, { email: email!, password: password! });
    await page.waitForURL(`**/w/${workspace}/-`);
    await page.getByRole('link', { name: 'Scripts', exact: true }).click();
    await page.waitForURL('**/scripts');
    await page.getByRole('link', { name: 'New script' }).first().click();
    await page.getByRole('button', { name: /^Shell/ }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Half written');

    const { process: stopping } = gatehouse;
    const hasStopped = once(stopping, 'exit');
    stopping.kill('SIGINT');
    await page.getByText('The service cannot be reached').first().waitFor();
    await sayWhatIsNew(page, 'Make a version');
    expect(await page.getByRole('textbox', { name: 'Name' }).inputValue()).toBe('Half written');

    // Until then its directory and its port are its own.
    await hasStopped;
    gatehouse = await startGatehouse({
      dataDirectory,
      port: Number(new URL(baseUrl).port),
    });
    await page.getByText('What you see may be out of date').waitFor({ state: 'detached' });
    await sayWhatIsNew(page, 'Make a version');
    await page
      .getByText(/version 1/i)
      .first()
      .waitFor();
  });
});

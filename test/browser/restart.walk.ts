import { afterAll, beforeAll, expect, it } from 'vitest';

import { type GatehouseProcess, firstRun, startGatehouse } from '../../libs/testing/index.js';
import { describeWalk, signIn } from '../support/browser.js';

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
    await page.waitForURL(`**/w/${workspace}/-/scripts`);
    await page.getByRole('link', { name: 'New script' }).click();
    await page.getByRole('button', { name: /^Shell/ }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Half written');

    const stopped = gatehouse;
    stopped.process.kill('SIGINT');
    await page.getByText('The service cannot be reached').first().waitFor();
    await page.getByRole('button', { name: 'Make a version' }).click();
    expect(await page.getByRole('textbox', { name: 'Name' }).inputValue()).toBe('Half written');

    gatehouse = await startGatehouse({
      dataDirectory,
      port: Number(new URL(baseUrl).port),
    });
    await page.getByText('What you see may be out of date').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Make a version' }).click();
    await page
      .getByText(/version 1/i)
      .first()
      .waitFor();
  });
});

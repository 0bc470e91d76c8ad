import { afterAll, beforeAll, expect, it } from 'vitest';

import { Seed, type TestWorkspace } from '../../libs/testing/index.js';
import { describeWalk, expectAccessible } from '../support/browser.js';
import { Receiver, WebhookBench } from '../support/webhooks.js';

describeWalk('webhook endpoints', (browser) => {
  let bench: WebhookBench;
  let receiver: Receiver;
  let workspace: TestWorkspace;

  beforeAll(async () => {
    bench = await WebhookBench.start();
    receiver = await Receiver.start(bench.upstreams);
    workspace = await new Seed(bench.gatehouse.baseUrl, bench.pool).workspace();
  });

  afterAll(async () => {
    await bench?.close();
  });

  it('are registered, tested and sent to again', async () => {
    const page = await browser.page(bench.gatehouse.baseUrl, workspace.owner);
    await page.goto(`/w/${workspace.slug}/-/webhooks`);
    await page.getByRole('button', { name: 'New endpoint' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('URL').fill('http://example.com/not-encrypted');
    await dialog.getByRole('button', { name: 'Make the endpoint' }).click();
    await dialog.getByText(/https/).first().waitFor();
    expect(await dialog.getByLabel('URL').inputValue()).toBe('http://example.com/not-encrypted');
    await dialog.getByLabel('URL').fill(receiver.url);
    await dialog.getByRole('button', { name: 'Make the endpoint' }).click();
    await page.getByText('whsec_').first().waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'I have kept the secret' }).click();

    await page.getByRole('link', { name: receiver.url }).click();
    await page.getByRole('button', { name: /test/i }).first().click();
    await receiver.until(1);
    await page.getByText('The test arrived').waitFor();
    await page.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('table', { name: 'Deliveries' }).getByText('ping').first().click();
    await page.getByText('Attempt 1').waitFor();
    await page.getByRole('button', { name: 'Send it again' }).click();
    await receiver.until(2);
    expect(receiver.received[1]!.event.id).toBe(receiver.received[0]!.event.id);
  });
});

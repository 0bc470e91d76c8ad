import { afterAll, beforeAll, expect, it } from 'vitest';

import { Seed, type TestWorkspace } from '../../libs/testing/index.js';
import { DESK, PHONE, describeWalk, expectAccessible, expectNoSidewaysScroll } from '../support/browser.js';
import { withinOneHour } from '../support/hours.js';
import { Receiver, WebhookBench, answering } from '../support/webhooks.js';

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
    await dialog.getByText('must be an https URL').waitFor();
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
    await page.getByRole('tab', { name: 'Attempt 1 200' }).waitFor();
    await page.getByRole('button', { name: 'Send it again' }).click();
    await receiver.until(2);
    expect(receiver.received[1]!.event.id).toBe(receiver.received[0]!.event.id);
  });

  it.each([
    ['at a desk', DESK, 'light'],
    ['on a tablet, in the dark', { width: 768, height: 1024 }, 'dark'],
    ['on a phone, in the dark', PHONE, 'dark'],
  ] as const)('show each request, and send what failed again, %s', async (_, viewport, colorScheme) => {
    const { workspace: own, api, receiver: into, endpoint } = await bench.scene();
    const setting = (approvalPolicy: string) =>
      api.patch('/v1/workspace/environments/production', { approvalPolicy });
    await withinOneHour();
    into.answer = answering(503, {}, 'not today');
    await setting('always');
    await bench.delivery(api, endpoint, ({ attempts }) => attempts >= 1);
    await bench.hurry(endpoint.id);
    await bench.delivery(api, endpoint, ({ attempts }) => attempts >= 2);
    const page = await browser.page(bench.gatehouse.baseUrl, own.owner, viewport);
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.goto(`/w/${own.slug}/-/webhooks/${endpoint.id}`);
    const table = page.getByRole('table', { name: 'Deliveries' });
    const rows = table.locator('tbody tr');
    await rows.first().getByText('Pending').waitFor();
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);

    // What happens meanwhile comes by itself.
    into.answer = answering(200, {}, 'thanks');
    await setting('agents');
    await expect.poll(() => rows.count()).toBe(2);
    await rows.first().getByText('Delivered').waitFor();
    await page.getByRole('link', { name: /1 delivered, 0 failed, 1 pending/ }).waitFor();

    await rows.nth(1).getByRole('button', { name: 'environment.updated' }).click();
    const dialog = page.getByRole('dialog', { name: 'environment.updated' });
    const sent = into.received[1];
    await dialog.getByText(sent!.headers['webhook-signature']!).waitFor();
    await dialog.getByText('not today').waitFor();
    await dialog.getByText('"changed"').waitFor();
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
    await dialog.getByRole('button', { name: 'Copy as curl' }).click();
    const curl = () => page.evaluate<string>('navigator.clipboard.readText()');
    await expect.poll(curl).toContain(`-H 'webhook-signature: ${sent!.headers['webhook-signature']}'`);
    expect(await curl()).not.toContain(endpoint.secret);
    await dialog.getByRole('button', { name: 'Close', exact: true }).last().click();

    await page.getByRole('combobox', { name: 'Status' }).click();
    await page.getByRole('option', { name: 'Pending' }).click();
    await page.waitForURL('**status=pending**');
    await expect.poll(() => rows.count()).toBe(1);
    await rows.first().getByRole('checkbox').check();
    await page.getByRole('button', { name: 'Send 1 again' }).click();
    await page.getByText('1 event queued once more').waitFor();
    await into.until(4);
    expect(into.received[3]!.event.id).toBe(sent!.event.id);
    await page.goBack();
    await expect.poll(() => rows.count()).toBe(3);

    await page.getByRole('link', { name: /2 delivered, 0 failed, 1 pending/ }).click();
    await page.waitForURL('**since=**');
    await page.getByRole('button', { name: /^Without the period/ }).waitFor();
    await expect.poll(() => rows.count()).toBe(3);
    await page.getByRole('button', { name: 'Send all that failed again…' }).click();
    await page.getByRole('dialog', { name: 'Recover missed events' }).getByLabel('Since').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: 'Webhooks' }).last().click();
    if (viewport === DESK) {
      await page.getByRole('img', { name: 'In the last 24 hours 2 delivered, 1 pending' }).waitFor();
    }
    await page.getByRole('heading', { level: 1 }).waitFor();
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
  });
});

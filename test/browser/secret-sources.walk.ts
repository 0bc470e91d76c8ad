import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { type TestGatehouse, startGatehouse } from '@gatehouse/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { describeWalk, expectAccessible, PHONE } from '../support/browser.js';

describeWalk('where the value of a secret is', (browser) => {
  let gatehouse: TestGatehouse;
  const vault = createServer((_, response) => response.end());

  beforeAll(async () => {
    await new Promise<void>((done) => vault.listen(0, '127.0.0.1', done));
    gatehouse = await startGatehouse({
      env: {
        GATEHOUSE_VAULT_ADDRESS: `http://127.0.0.1:${(vault.address() as AddressInfo).port}`,
        GATEHOUSE_VAULT_TOKEN: 'token-of-the-test',
        GATEHOUSE_AWS_SECRETS_REGION: 'eu-west-1',
      },
    });
  });
  afterAll(async () => {
    await gatehouse?.stop();
    vault.close();
  });

  it('is chosen in its form, which says what a reference is and what is wrong with one', async () => {
    const { baseUrl, workspace, api } = gatehouse;
    const page = await browser.page(baseUrl, workspace.owner);
    await page.goto(`${baseUrl}/w/${workspace.slug}/-/settings/secrets`);
    await page.getByRole('button', { name: 'New secret' }).click();
    const dialog = page.getByRole('dialog');
    const value = dialog.getByRole('textbox', { name: /^Value/ });
    await dialog.getByLabel('Name').fill('PAYMENTS_KEY');
    await value.waitFor();
    await dialog.getByLabel('Where the value is').click();
    await page.getByRole('option', { name: 'Vault', exact: true }).click();
    await dialog.getByText(`below secret/gatehouse/${workspace.id}/`).waitFor();
    expect(await value.count()).toBe(0);
    await expectAccessible(page);
    await dialog.getByLabel('Reference').fill('../others#key');
    await dialog.getByLabel('Hosts').fill('api.payments.example');
    await dialog.getByRole('button', { name: 'Set the value' }).click();
    await dialog.getByText(/^must be a path of up to/).waitFor();
    await page.setViewportSize(PHONE);
    await expectAccessible(page);
    await dialog.getByLabel('Reference').fill('payments/stripe#key');
    await dialog.getByRole('button', { name: 'Set the value' }).click();
    await dialog.waitFor({ state: 'hidden' });
    const { body } = await api.as(workspace.owner).get('/v1/workspace/secrets/PAYMENTS_KEY');
    expect(body.values).toMatchObject([{ source: 'vault', reference: 'payments/stripe#key' }]);

    await page.getByRole('link', { name: 'PAYMENTS_KEY' }).click();
    await page.getByText('Read from vault when a run needs it: payments/stripe#key').waitFor();
    await page.getByRole('button', { name: 'Replace the value in production' }).click();
    expect(await dialog.getByLabel('Reference').inputValue()).toBe('payments/stripe#key');
    await dialog.getByLabel('Where the value is').click();
    await page.getByRole('option', { name: 'Stored here' }).click();
    await value.fill('a-value-of-its-own');
    await dialog.getByRole('button', { name: 'Replace the value' }).click();
    await dialog.waitFor({ state: 'hidden' });
    const { body: after } = await api.as(workspace.owner).get('/v1/workspace/secrets/PAYMENTS_KEY');
    expect(after.values[0]).not.toHaveProperty('source');
  });
});

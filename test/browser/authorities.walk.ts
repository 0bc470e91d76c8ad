import { expect, it } from 'vitest';

import { CertificateAuthority } from '../../libs/egress/index.js';
import { DESK, PHONE, describeWalk, expectAccessible, expectNoSidewaysScroll } from '../support/browser.js';
import { baseUrl, client, newWorkspace } from '../support/gatehouse.js';

describeWalk('the authorities of a host', (browser) => {
  it.each([
    ['at a desk', DESK],
    ['on a phone', PHONE],
  ])('are set, replaced and deleted by an owner, %s', async (_, viewport) => {
    const { owner, slug } = await newWorkspace();
    const app = client({ cookie: owner.cookie, workspace: slug });
    const first = new CertificateAuthority({ name: 'First authority' });
    const second = new CertificateAuthority({ name: 'Second authority' });
    const page = await browser.page(baseUrl(), owner, viewport);
    await page.goto(`/w/${slug}/-/settings/authorities`);
    await page.getByText('Every host is checked by public authorities').waitFor();
    await page.getByRole('button', { name: 'Set authorities' }).click();
    const dialog = page.getByRole('dialog', { name: 'Set authorities' });
    await dialog.getByLabel('Host').fill('DB.example.com:5432');
    await dialog.getByLabel('Certificates').fill('no certificate');
    await dialog.getByRole('button', { name: 'Set them' }).click();
    await dialog.getByText('must be certificates in PEM').waitFor();
    await dialog.getByLabel('Certificates').fill(first.certificate);
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Set them' }).click();
    await page.getByText('CN=First authority').waitFor();
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);

    await page.getByRole('button', { name: 'Replace the authorities of db.example.com:5432' }).click();
    await page.getByLabel('Certificates').fill(second.certificate);
    await page.getByRole('button', { name: 'Replace them' }).click();
    await page.getByText('CN=Second authority').waitFor();
    const { items } = (await app.get('/v1/workspace/host-authorities')).body;
    expect(items).toMatchObject([
      { host: 'db.example.com:5432', certificates: [{ subject: 'CN=Second authority' }] },
    ]);

    await page.getByRole('button', { name: 'Delete the authorities of db.example.com:5432' }).click();
    await page.getByText('as if it had none of its own').waitFor();
    await page.getByRole('button', { name: 'Delete them' }).click();
    await page.getByText('Every host is checked by public authorities').waitFor();
  });
});

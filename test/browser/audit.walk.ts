import { expect, it } from 'vitest';

import { DESK, PHONE, describeWalk, expectAccessible, expectNoSidewaysScroll } from '../support/browser.js';
import { baseUrl, client, newWorkspace } from '../support/gatehouse.js';
import { publishedScript } from '../support/scripts.js';

describeWalk('the audit log', (browser) => {
  it.each([
    ['at a desk', DESK, 'light'],
    ['on a tablet', { width: 768, height: 1024 }, 'dark'],
    ['on a phone in the dark', PHONE, 'dark'],
  ] as const)(
    'names what was changed and leads there, and has it by thing, %s',
    async (_, viewport, colorScheme) => {
      const { owner, slug } = await newWorkspace();
      const api = client({ token: owner.token, workspace: slug });
      const script = await publishedScript(api, { 'main.py': 'pass' });
      const schedule = (
        await api.post(`/v1/scripts/${script.slug}/schedules`, {
          name: 'Nightly',
          cron: '0 3 * * *',
          timezone: 'UTC',
        })
      ).body;
      await api.patch(`/v1/schedules/${schedule.id}`, { cron: '0 4 * * *' });
      await api.put('/v1/workspace/secrets/CITY_KEY', { value: 'secret-value', hosts: ['a.example'] });
      const page = await browser.page(baseUrl(), owner, viewport);
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });

      await page.goto(`/w/${slug}/-/settings/audit`);
      const log = page.getByRole('table', { name: 'Audit log' });
      await page.getByText('0 3 * * * → 0 4 * * *').waitFor();
      await log.getByRole('link', { name: 'CITY_KEY' }).waitFor();
      await expectAccessible(page);
      await expectNoSidewaysScroll(page);
      await page.getByRole('link', { name: 'Nightly' }).first().click();
      await page.waitForURL(`**/scripts/${script.slug}/schedules/${schedule.id}`);
      await page.getByRole('link', { name: 'Show in the audit log: Nightly' }).press('Enter');
      await page.waitForURL(`**/settings/audit?target=${schedule.id}`);
      await page.getByText(`${owner.name} made a schedule`).waitFor();
      await expect.poll(() => page.getByRole('link', { name: 'Nightly' }).count()).toBe(2);
      await page.getByRole('button', { name: 'Of Nightly only' }).press('Enter');
      await page.waitForURL((url) => !url.search.includes('target'));
      await page.getByRole('button', { name: 'Only what was done to CITY_KEY' }).press('Enter');
      await expect.poll(() => page.getByRole('link', { name: 'Nightly' }).count()).toBe(0);
      await page.getByText(`${owner.name} set the value of a secret`).waitFor();
      await expectAccessible(page);

      // From each page whose thing is changed.
      for (const path of [`scripts/${script.slug}`, 'settings/secrets/CITY_KEY', 'settings/members']) {
        await page.goto(`/w/${slug}/-/${path}`);
        await page.getByRole('link', { name: 'Show in the audit log' }).waitFor();
        await expectAccessible(page);
        await expectNoSidewaysScroll(page);
      }
    },
  );
});

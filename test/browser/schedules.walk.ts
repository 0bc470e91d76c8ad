import { expect, it } from 'vitest';

import { DESK, PHONE, describeWalk, expectAccessible, expectNoSidewaysScroll } from '../support/browser.js';
import { baseUrl, client, newWorkspace } from '../support/gatehouse.js';
import { python } from '../support/scripts.js';

const DAILY = { name: 'Nightly', cron: '0 3 * * *', timezone: 'UTC' };
const refusal = (path: string) => ({
  status: 400,
  json: { error: { code: 'invalid_request', message: 'No.', details: [{ path, message: 'is not known' }] } },
});

describeWalk('the week of schedules', (browser) => {
  it.each([
    ['at a desk', DESK],
    ['on a phone', PHONE],
  ])('stays where further ones cannot be read, and says so, %s', async (_, viewport) => {
    const { page, address } = await opened(viewport);
    let refuses = true;
    await page.route('**/v1/schedules?*upcoming=7*', async (route) => {
      if (route.request().url().includes('cursor=')) {
        return refuses
          ? route.fulfill(refusal('cursor'))
          : route.fulfill({ json: { items: [], nextCursor: null } });
      }
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...(await response.json()), nextCursor: 'further' } });
    });
    await page.goto(address);
    await page.getByRole('alert').getByText('is not known').waitFor();
    const week = page.getByRole('list', { name: 'The next seven days' });
    await week.getByRole('link', { name: 'Nightly' }).first().waitFor();
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
    refuses = false;
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect.poll(() => page.getByRole('alert').count()).toBe(0);
    await week.getByRole('link', { name: 'Nightly' }).first().waitFor();
    await page.unrouteAll({ behavior: 'ignoreErrors' });
  });

  it('says where it is not of all of them', async () => {
    const { page, address } = await opened(DESK);
    let pages = 0;
    await page.route('**/v1/schedules?*upcoming=7*', async (route) => {
      const response = await route.fetch({
        url: route
          .request()
          .url()
          .replace(/&?cursor=[^&]*/, ''),
      });
      const { items } = await response.json();
      const named = items.map((item: object) => ({ ...item, id: `sch_${++pages}` }));
      await route.fulfill({ response, json: { items: named, nextCursor: `page${pages}` } });
    });
    await page.goto(address);
    await page.getByText('These are the first 10 schedules. The table has all of them.').waitFor();
    await expectAccessible(page);
    await page.unrouteAll({ behavior: 'ignoreErrors' });
  });

  it('is a table where the service does not say when they are due', async () => {
    const { page, address } = await opened(DESK);
    await page.route('**/v1/schedules?*upcoming=7*', (route) => route.fulfill(refusal('upcoming')));
    await page.goto(address);
    await page.getByRole('table', { name: 'Schedules' }).getByText('Nightly').waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
  });

  /** A page, and where the schedules of a workspace that has one are. */
  async function opened(viewport: typeof DESK) {
    const { owner, slug } = await newWorkspace();
    const api = client({ token: owner.token, workspace: slug });
    const script = await python(api, 'pass');
    expect((await api.post(`/v1/scripts/${script.slug}/schedules`, DAILY)).status).toBe(201);
    return { page: await browser.page(baseUrl(), owner, viewport), address: `/w/${slug}/-/schedules` };
  }
});

import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';

import {
  DESK,
  PHONE,
  describeWalk,
  expectAccessible,
  expectNoSidewaysScroll,
  sayWhatIsNew,
  typeAtTheEnd,
} from '../support/browser.js';
import { baseUrl, client, newWorkspace } from '../support/gatehouse.js';
import { newVersion, publishedScript } from '../support/scripts.js';

const FIRST = 'one = 1\ntwo = 2\nthree = 3\n';

describeWalk('a draft of a version', (browser) => {
  it.each([
    ['at a desk', DESK],
    ['on a phone', PHONE],
  ])(
    'tells of the version that a colleague published meanwhile, and takes it in, %s',
    async (_, viewport) => {
      const { owner, slug } = await newWorkspace();
      const api = client({ token: owner.token, workspace: slug });
      const script = await publishedScript(api, { 'main.py': FIRST, 'notes.md': 'first' });
      const path = `/v1/scripts/${script.slug}`;
      const page = await browser.page(baseUrl(), owner, viewport);
      await page.goto(`/w/${slug}/-/scripts/${script.slug}/edit`);
      await page.getByRole('heading', { level: 1, name: 'Draft of version 1' }).waitFor();
      await keepAtTheEnd(page, 'mine = 4');

      await newVersion(api, script.slug, { 'main.py': `zero = 0\n${FIRST}`, 'notes.md': 'second' });
      await api.post(`${path}/publish`, { version: 2 });
      const bar = page.getByRole('region', { name: 'Version 2 was published meanwhile' });
      await bar.waitFor();
      await bar.getByRole('button', { name: 'Show what it changes' }).click();
      await bar.getByText('notes.md').waitFor();
      await expectAccessible(page);
      await expectNoSidewaysScroll(page);
      await bar.getByRole('button', { name: 'Take it in' }).press('Enter');
      await page.getByRole('heading', { level: 1, name: 'Draft of version 2' }).waitFor();
      await sayWhatIsNew(page, 'Publish');
      await page.waitForURL(`**/scripts/${script.slug}`);
      expect((await api.get(path)).body.publishedVersion).toBe(3);
      await page.goto(`/w/${slug}/-/scripts/${script.slug}/versions/3?view=files&file=main.py`);
      const code = page.locator('.cm-content').first();
      await expect.poll(() => code.innerText()).toContain('zero = 0');
      await expect.poll(() => code.innerText()).toContain('mine = 4');
    },
  );

  it('is not published over a version that its person does not know of, until they go on knowingly', async () => {
    const { owner, slug } = await newWorkspace();
    const api = client({ token: owner.token, workspace: slug });
    const script = await publishedScript(api, { 'main.py': FIRST });
    const path = `/v1/scripts/${script.slug}`;
    const page = await browser.page(baseUrl(), owner);
    // No event comes through, as where the connection was lost a moment ago.
    await page.route('**/events/stream', (route) => route.abort());
    await page.goto(`/w/${slug}/-/scripts/${script.slug}/edit`);
    await page.getByRole('heading', { level: 1, name: 'Draft of version 1' }).waitFor();
    await keepAtTheEnd(page, 'mine = 4');
    await newVersion(api, script.slug, { 'main.py': 'theirs = 1\n' });
    await api.post(`${path}/publish`, { version: 2 });
    await sayWhatIsNew(page, 'Publish');

    const bar = page.getByRole('region', { name: 'Version 2 was published meanwhile' });
    await bar.waitFor();
    await bar.getByText('main.py').waitFor();
    expect((await api.get(path)).body.publishedVersion).toBe(2);
    await expectAccessible(page);
    await bar.getByRole('button', { name: 'Go on without it' }).click();
    await bar.waitFor({ state: 'detached' });
    await sayWhatIsNew(page, 'Publish');
    await page.waitForURL(`**/scripts/${script.slug}`);
    expect((await api.get(path)).body.publishedVersion).toBe(3);
  });

  it('is edited in one tab; another one reads it until it takes over', async () => {
    const { owner, slug } = await newWorkspace();
    const api = client({ token: owner.token, workspace: slug });
    const script = await publishedScript(api, { 'main.py': FIRST });
    const one = await browser.page(baseUrl(), owner);
    const address = `/w/${slug}/-/scripts/${script.slug}/edit`;
    await one.goto(address);
    await keepAtTheEnd(one, 'tab = "one"');

    const other = await one.context().newPage();
    await other.goto(address);
    await other.getByText('You are editing this in another tab.').waitFor();
    await other.getByText('one = 1').waitFor();
    expect(await other.getByRole('button', { name: 'Publish', exact: true }).count()).toBe(0);
    await expectAccessible(other);
    await other.getByRole('button', { name: 'Edit here instead' }).press('Enter');
    await keepAtTheEnd(other, 'tab = "other"');
    await one.getByText('You are editing this in another tab.').waitFor();
    expect(await other.locator('.cm-content').innerText()).toContain('tab = "one"');

    // The one that edits is closed: the one that is left goes on with all of it.
    await other.getByRole('button', { name: 'Discard changes' }).waitFor();
    await other.close({ runBeforeUnload: false });
    await one.getByRole('button', { name: 'Publish', exact: true }).waitFor();
    const text = one.locator('.cm-content').first();
    await expect.poll(() => text.innerText()).toContain('tab = "other"');
    expect(await text.innerText()).toContain('tab = "one"');
  });
});

describeWalk('settings of a script', (browser) => {
  it('are not saved over somebody else’s, until the person has seen them', async () => {
    const { owner, slug } = await newWorkspace();
    const api = client({ token: owner.token, workspace: slug });
    const script = await publishedScript(api, { 'main.py': FIRST });
    const page = await browser.page(baseUrl(), owner);
    await page.route('**/events/stream', (route) => route.abort());
    await page.goto(`/w/${slug}/-/scripts/${script.slug}/settings`);
    await page.getByLabel('Description').fill('mine');
    await api.patch(`/v1/scripts/${script.slug}`, { description: 'theirs', name: 'Their name' });
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Somebody changed this script meanwhile').waitFor();
    await expect.poll(() => page.getByLabel('Name').inputValue()).toBe('Their name');
    expect((await api.get(`/v1/scripts/${script.slug}`)).body.description).toBe('theirs');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('is saved').waitFor();
    expect((await api.get(`/v1/scripts/${script.slug}`)).body).toMatchObject({
      description: 'mine',
      name: 'Their name',
    });
  });
});

async function keepAtTheEnd(page: Page, line: string): Promise<void> {
  await typeAtTheEnd(page, line);
  // It is kept in this browser a moment later.
  await expect.poll(() => page.evaluate<string>(KEPT_DRAFTS)).toContain(JSON.stringify(line).slice(1, -1));
}

const KEPT_DRAFTS = `new Promise((done, fail) => {
  const opening = indexedDB.open('gatehouse-drafts', 1);
  opening.onerror = () => fail(opening.error);
  opening.onsuccess = () => {
    const reading = opening.result.transaction('drafts').objectStore('drafts').getAll();
    reading.onsuccess = () => (opening.result.close(), done(JSON.stringify(reading.result)));
  };
})`;

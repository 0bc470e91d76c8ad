import { expect, it } from 'vitest';

import {
  DESK,
  PHONE,
  describeWalk,
  expectAccessible,
  expectNoSidewaysScroll,
  signIn,
} from '../support/browser.js';
import { baseUrl, newWorkspace } from '../support/gatehouse.js';

describeWalk('the page to sign in', (browser) => {
  it.each([
    ['at a desk', DESK, 'light'],
    ['at a desk in the dark', DESK, 'dark'],
    ['on a phone', PHONE, 'light'],
    ['on a phone in the dark', PHONE, 'dark'],
  ] as const)(
    'stands before a page and leads to it, by the keyboard alone, %s',
    async (_, viewport, colorScheme) => {
      const { owner, slug } = await newWorkspace();
      const page = await browser.page(baseUrl(), null, viewport, { colorScheme });
      const loaded: string[] = [];
      page.on('request', (request) => loaded.push(new URL(request.url()).pathname));
      await page.goto(`/w/${slug}/-/runs?status=failed`);
      await page.getByRole('heading', { name: 'Sign in' }).waitFor();
      expect(new URL(page.url()).pathname).toBe('/sign-in');
      // Nothing of the app.
      expect(loaded.filter((path) => /\/assets\/.*\.js$/.test(path)).length).toBeLessThanOrEqual(3);
      await expectAccessible(page);
      await expectNoSidewaysScroll(page);
      const { keyboard } = page;
      await page.locator('input[type=email]:focus').waitFor();
      await keyboard.type(owner.email);
      await keyboard.press('Tab');
      await keyboard.type('not the password');
      await keyboard.press('Enter');
      await page.getByRole('alert').getByText('The e-mail address or the password is wrong.').waitFor();
      await expectAccessible(page);
      await page.locator('input[type=password]').fill(owner.password);
      await keyboard.press('Enter');
      await page.waitForURL(`**/w/${slug}/-/runs?status=failed`);
      await page.getByRole('heading', { level: 1, name: 'Runs' }).waitFor();
      // Whoever is in already goes on at once.
      await page.goto(`/sign-in?next=/w/${slug}/-/scripts`);
      await page.waitForURL(`**/w/${slug}/-/scripts`);
    },
  );

  it('is German for who reads that', async () => {
    const { owner } = await newWorkspace();
    const page = await browser.page(baseUrl(), null, DESK, { locale: 'de-AT' });
    await page.goto('/');
    await page.getByRole('heading', { name: 'Anmelden' }).waitFor();
    expect(await page.locator('html').getAttribute('lang')).toBe('de');
    await page.getByLabel('E-Mail').fill(owner.email);
    await page.locator('input[type=password]').fill('not the password');
    await page.getByRole('button', { name: 'Anmelden' }).click();
    await page.getByText('Die E-Mail-Adresse oder das Passwort ist falsch.').waitFor();
    await expectAccessible(page);
  });

  it.each(['//example.com/', '/\t/example.com/', 'https://example.com/', '/\\example.com'])(
    'goes nowhere else, whatever its address says (%j)',
    async (next) => {
      const { owner, slug } = await newWorkspace();
      const page = await browser.page(baseUrl(), null);
      await page.goto(`/sign-in?${new URLSearchParams({ next }).toString()}`);
      await signIn(page, owner);
      await page.waitForURL(`${baseUrl()}/w/${slug}/-`);
    },
  );

  it('says to who is signed in why a confirmation failed, and leads back', async () => {
    const { owner } = await newWorkspace();
    const page = await browser.page(baseUrl(), owner);
    await page.goto('/sign-in?problem=not_fresh&next=%2Faccount');
    await page.getByRole('heading', { name: 'This was not confirmed' }).waitFor();
    await page.getByText('It did not ask you to sign in anew').waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Back to where you were' }).click();
    await page.waitForURL('**/account');
  });

  it('is reached from the app, whose session is over or whose pages lead there', async () => {
    const { owner } = await newWorkspace();
    const page = await browser.page(baseUrl(), owner);
    await page.context().clearCookies();
    await page.goto('/welcome');
    await page.waitForURL('**/sign-in?next=%2Fwelcome');
    await page.getByRole('link', { name: 'Forgot your password?' }).click();
    await page.getByRole('link', { name: 'Back to signing in' }).click();
    await signIn(page, owner);
    await page.waitForURL('**/w/**');
  });
});

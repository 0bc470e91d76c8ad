import pg from 'pg';
import type { CDPSession, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { freePort, type GatehouseProcess, Seed, type TestWorkspace } from '../../libs/testing/index.js';
import { describeWalk, expectAccessible, expectNoSidewaysScroll, signIn } from '../support/browser.js';
import { startGatehouse } from '../support/gatehouse.js';
import { CodeApp } from '../support/second-factors.js';

const DEVICE = {
  protocol: 'ctap2',
  transport: 'internal',
  hasResidentKey: true,
  hasUserVerification: true,
  isUserVerified: true,
  automaticPresenceSimulation: true,
} as const;

describeWalk('second factors', (browser) => {
  let gatehouse: GatehouseProcess & { databaseUrl: string };
  let pool: pg.Pool;
  let workspace: TestWorkspace;
  /** Browsers take passkeys of a name alone. */
  let address: string;

  beforeAll(async () => {
    const port = await freePort();
    address = `http://localhost:${port}`;
    gatehouse = await startGatehouse({
      port,
      env: { GATEHOUSE_BASE_URL: address, GATEHOUSE_SIGNUP: 'open' },
    });
    pool = new pg.Pool({ connectionString: gatehouse.databaseUrl, max: 2 });
    workspace = await new Seed(gatehouse.baseUrl, pool).workspace();
  });

  afterAll(async () => {
    await pool?.end();
    await gatehouse?.stop();
  });

  it('are set up, and asked for', async () => {
    const { owner, slug } = workspace;
    const page = await browser.page(address, owner);
    await page.goto('/account');
    const device = await addDevice(page);
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    const naming = page.getByRole('dialog', { name: 'Add a passkey' });
    await naming.getByLabel('Name').fill('My <b>laptop</b>');
    await naming.getByRole('button', { name: 'Add it' }).click();
    const kept = page.getByRole('dialog', { name: 'Your recovery codes' });
    await kept.getByText('These codes are shown once').waitFor();
    expect((await kept.locator('pre').innerText()).split('\n')).toHaveLength(10);
    const passkey = await device();
    await expectAccessible(page);
    await kept.getByRole('button', { name: 'I have kept them' }).click();
    await page.getByText('My <b>laptop</b>').waitFor();
    await page.getByText('10 recovery codes left').waitFor();

    await page.getByRole('button', { name: 'Set up an app for codes' }).click();
    const setup = page.getByRole('dialog', { name: 'Set up an app for codes' });
    await setup.getByRole('img', { name: 'QR code for the app' }).waitFor();
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
    const codes = new CodeApp(await setup.locator('code').innerText());
    await setup.getByRole('textbox', { name: 'Code' }).fill(codes.wrong());
    await setup.getByRole('button', { name: 'Set it up' }).click();
    await setup.getByText('is not one of the app').waitFor();
    await setup.getByRole('textbox', { name: 'Code' }).fill(codes.code());
    await setup.getByRole('button', { name: 'Set it up' }).click();
    await page.getByRole('button', { name: 'Remove the app for codes' }).waitFor();

    // A password with a code signs in.
    await signOut(page);
    await signIn(page, owner);
    await page.getByText('The password is right.').waitFor();
    await expectAccessible(page);
    await page.getByRole('textbox', { name: 'Code' }).fill(codes.wrong());
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByText('is wrong, too old, or used already').waitFor();
    await page.getByRole('textbox', { name: 'Code' }).fill(codes.code());
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.waitForURL(`**/w/${slug}/**`);

    // So does the passkey, alone. The page's device went with the check of its accessibility.
    await signOut(page);
    await addDevice(page, passkey);
    await page.getByRole('button', { name: 'Use a passkey' }).click();
    await page.waitForURL(`**/w/${slug}/**`);
  });
});

type Credential = Awaited<ReturnType<typeof credentialsOf>>[number];

async function credentialsOf(devices: CDPSession, authenticatorId: string) {
  return (await devices.send('WebAuthn.getCredentials', { authenticatorId })).credentials;
}

/** Gives the page's browser a device that makes passkeys. Returns what reads the one that it has. */
async function addDevice(page: Page, passkey?: Credential): Promise<() => Promise<Credential>> {
  const devices = await page.context().newCDPSession(page);
  await devices.send('WebAuthn.enable');
  const { authenticatorId } = await devices.send('WebAuthn.addVirtualAuthenticator', { options: DEVICE });
  if (passkey) await devices.send('WebAuthn.addCredential', { authenticatorId, credential: passkey });
  return async () => (await credentialsOf(devices, authenticatorId))[0]!;
}

async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Your account' }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.waitForURL('**/sign-in');
  // A sign-out loads the page anew.
  await page.goto('/sign-in');
}

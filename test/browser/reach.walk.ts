import type { Locator, Page } from 'playwright-core';
import { expect, it } from 'vitest';

import {
  DESK,
  PHONE,
  chooseSecret,
  describeWalk,
  expectAccessible,
  expectNoSidewaysScroll,
  sayWhatIsNew,
} from '../support/browser.js';
import { baseUrl, client, newWorkspace } from '../support/gatehouse.js';

const SECRET_KEY = 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYREALKEY40';
const BUCKET = 'reports.s3.eu-west-1.amazonaws.com';
const DATABASE = 'db.example.com:5432';
const PASSWORD = 'of-the-server-alone';

describeWalk('what a script may reach, and how', (browser) => {
  it.each([
    ['at a desk', DESK],
    ['on a phone', PHONE],
  ])('is chosen in the editor and stands on the page of the version, %s', async (_, viewport) => {
    const { owner, slug } = await newWorkspace();
    const api = client({ token: owner.token, workspace: slug });
    const put = (name: string, hosts: string[]) =>
      api.put(`/v1/workspace/secrets/${name}`, { value: 'a value of text', hosts });
    expect((await put('REGISTRY', ['git.example.com'])).status).toBe(200);
    expect((await put('INVOICES', ['api.example.com'])).status).toBe(200);
    const page = await browser.page(baseUrl(), owner, viewport);

    await makeAwsSecret(page, slug);
    expect((await api.get('/v1/workspace/secrets/BUCKET')).body.kind).toBe('aws');
    await makeSignIn(page, slug);
    expect((await api.get('/v1/workspace/secrets/ORDERS')).body.kind).toBe('postgres');

    await page.goto(`/w/${slug}/-/scripts/new`);
    await page.getByRole('button', { name: 'Python Reads a text' }).click();
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Reach');
    await page.getByRole('tab', { name: 'Settings' }).click();
    await page.getByLabel('Memory').fill('1024');
    await page.getByLabel('Processors').fill('0.5');
    await enter(page, 'Hosts', [BUCKET, 'api.example.com', 'git.example.com', DATABASE]);

    await page.getByRole('button', { name: 'Limit requests to api.example.com' }).click();
    const rules = page.getByRole('group', { name: 'Requests to api.example.com' });
    await enter(rules, 'Methods', ['head']);
    await enter(rules, 'Paths', ['/v1/invoices', '/v1/invoices/*']);
    await rules.getByRole('combobox', { name: 'A person is asked' }).click();
    await page.getByRole('option', { name: 'About each request' }).click();
    await rules.getByLabel('Has a response in a plan').check();
    await rules.getByLabel('Status in a plan').fill('202');
    await rules.getByLabel('Body in a plan').fill('{"id": 1}');

    await page.getByRole('combobox', { name: `Protocol of ${DATABASE}` }).click();
    await page.getByRole('option', { name: 'PostgreSQL' }).click();
    const database = page.getByRole('group', { name: DATABASE, exact: true });
    await database.getByLabel('Role').fill('reporting');
    await database.getByLabel('Longest statement, in seconds').fill('20');
    expect(await database.getByLabel('Only to read').isChecked()).toBe(true);
    expect(await database.getByRole('button', { name: /Limit/ }).count()).toBe(0);

    await chooseSecret(page, 'BUCKET');
    const bucket = page.getByRole('group', { name: 'BUCKET' });
    expect(await bucket.getByRole('combobox', { name: 'As' }).inputValue()).toBe('Signature for AWS');
    await chooseSecret(page, 'REGISTRY');
    await choose(page, 'REGISTRY', 'Basic credentials');
    await page.getByRole('group', { name: 'REGISTRY' }).getByLabel('User').fill('robot');
    await chooseSecret(page, 'ORDERS');
    const orders = page.getByRole('group', { name: 'ORDERS' });
    expect(await orders.getByRole('combobox', { name: 'As' }).inputValue()).toBe('Sign-in to PostgreSQL');
    await chooseSecret(page, 'INVOICES');
    await choose(page, 'INVOICES', 'Header of your own');
    await page.getByRole('group', { name: 'INVOICES' }).getByLabel('Value').fill('Key {secret}');
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);

    for (const [name, host] of [
      ['BUCKET', BUCKET],
      ['REGISTRY', 'git.example.com'],
      ['INVOICES', 'api.example.com'],
      ['ORDERS', DATABASE],
    ] as const)
      await only(page, name, host);
    await sayWhatIsNew(page, 'Publish');
    await page.waitForURL('**/scripts/reach**');

    const { body } = await api.get('/v1/scripts/reach/versions/1');
    expect(body.resources).toEqual({ memory: 1024, cpus: 0.5, processes: 128, tmp: 256 });
    expect(body.hostRules).toEqual([
      {
        ...{ host: 'api.example.com', methods: ['GET', 'HEAD'], paths: ['/v1/invoices', '/v1/invoices/*'] },
        ask: 'always',
        plan: { status: 202, body: '{"id": 1}', contentType: 'application/json' },
      },
      {
        ...{ host: DATABASE, methods: null, paths: null, protocol: 'postgres' },
        postgres: {
          database: null,
          role: 'reporting',
          readOnly: true,
          statementTimeout: 20,
          maxConnections: 10,
        },
      },
    ]);
    expect(body.secrets).toEqual({
      BUCKET: { hosts: [BUCKET], header: 'authorization', value: 'AWS4-HMAC-SHA256 {secret}' },
      REGISTRY: {
        hosts: ['git.example.com'],
        header: 'authorization',
        value: 'Basic {base64:robot:{secret}}',
      },
      INVOICES: { hosts: ['api.example.com'], header: 'x-api-key', value: 'Key {secret}' },
      ORDERS: { hosts: [DATABASE], header: '', value: '{secret}' },
    });

    await page.goto(`/w/${slug}/-/scripts/reach/versions/1`);
    await page.getByText('It may use 1024 MiB of memory, 256 of them in /tmp.').waitFor();
    const may = page.getByRole('region', { name: 'What it may do' });
    await may.getByText(`may sign requests to ${BUCKET} with BUCKET, for AWS`).waitFor();
    const lines = await may.getByRole('listitem').allInnerTexts();
    expect(lines).toContain('may send REGISTRY to git.example.com, as the password of robot');
    expect(lines).toContain(`may sign in to ${DATABASE} with ORDERS`);
    expect(lines).toContain(
      `may reach ${DATABASE}: PostgreSQL, only to read, as reporting, statements up to 20 s, 10 connections at most`,
    );
    expect(lines).toContain(
      'may send api.example.com only GET or HEAD to /v1/invoices or /v1/invoices/* with the approval of a person for each (in a plan answered 202 with "{\\"id\\": 1}" as application/json)',
    );
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);

    await page.goto(`/w/${slug}/-/scripts/reach/edit`);
    await page.getByRole('tab', { name: 'Settings' }).click();
    const invoices = page.getByRole('group', { name: 'INVOICES', exact: true });
    await invoices.getByLabel('Header').fill('');
    expect(await invoices.getByRole('combobox', { name: 'As' }).inputValue()).toBe('Header of your own');
    await invoices.getByLabel('Header').fill('x-invoices');
  });
});

async function makeAwsSecret(page: Page, slug: string): Promise<void> {
  await page.goto(`/w/${slug}/-/settings/secrets`);
  await page.getByRole('button', { name: 'New secret' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('BUCKET');
  await dialog.getByText('AWS keys', { exact: true }).click();
  await dialog.getByLabel('Access key').fill(' AKIAIOSFODNN7REALKEY ');
  await dialog.getByRole('textbox', { name: 'Secret key' }).fill('short');
  await enter(dialog, 'Hosts', [BUCKET]);
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Set the value' }).click();
  await dialog.getByText('The value has a secretAccessKey that is not').waitFor();
  await dialog.getByRole('textbox', { name: 'Secret key' }).fill(SECRET_KEY);
  await dialog.getByRole('button', { name: 'Set the value' }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('link', { name: 'BUCKET' }).waitFor();
  await page.getByText('AWS keys', { exact: true }).first().waitFor();
  expect(await page.content()).not.toContain(SECRET_KEY);
}

async function makeSignIn(page: Page, slug: string): Promise<void> {
  await page.goto(`/w/${slug}/-/settings/secrets`);
  await page.getByRole('button', { name: 'New secret' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('ORDERS');
  await dialog.getByText('PostgreSQL', { exact: true }).click();
  await dialog.getByLabel('User').fill('reports');
  await dialog.getByRole('textbox', { name: 'Password' }).fill(PASSWORD);
  await dialog.getByLabel('Database').fill('orders');
  await enter(dialog, 'Hosts', [DATABASE]);
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Set the value' }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('link', { name: 'ORDERS' }).waitFor();
  expect(await page.content()).not.toContain(PASSWORD);
}

/** Tags, one after the other. */
async function enter(within: Page | Locator, name: string, texts: readonly string[]): Promise<void> {
  const field = within.getByRole('combobox', { name, exact: true });
  for (const text of texts) {
    await field.fill(text);
    await field.press('Enter');
  }
}

async function choose(page: Page, name: string, form: string): Promise<void> {
  await page.getByRole('group', { name, exact: true }).getByRole('combobox', { name: 'As' }).click();
  await page.getByRole('option', { name: form }).click();
}

async function only(page: Page, name: string, host: string): Promise<void> {
  await page.getByRole('group', { name, exact: true }).getByRole('combobox', { name: 'Only to' }).click();
  await page.getByRole('option', { name: host }).click();
  await page.keyboard.press('Escape');
}

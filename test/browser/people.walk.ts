import { startGatehouse } from '@gatehouse/testing';
import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';

import companyLogin from '../../examples/company-login/company-login.extension.js';
import { CompanyProvider } from '../../examples/company-login/company-provider.js';
import TicketsExtension from '../../examples/tickets/tickets.extension.js';
import type { TestWorkspace } from '../../libs/testing/index.js';
import { describeWalk, expectAccessible } from '../support/browser.js';
import { ask } from '../support/approvals.js';
import { baseUrl, client, database, newWorkspace } from '../support/gatehouse.js';

describeWalk('people', (browser) => {
  let workspace: TestWorkspace;

  beforeAll(async () => {
    workspace = await newWorkspace();
  });

  it('are invited, join with a new account, and see as guests only what guests have', async () => {
    const inviting = await browser.page(baseUrl(), workspace.owner);
    await inviting.goto(`/w/${workspace.slug}/-/settings/members`);
    await inviting.getByRole('button', { name: 'Invite somebody' }).click();
    const dialog = inviting.getByRole('dialog');
    await dialog.getByLabel('E-mail address').fill(`guest-${workspace.slug}@example.com`);
    await dialog.getByRole('radio', { name: /Guest/ }).check();
    await dialog.getByRole('button', { name: 'Invite' }).click();
    const link = await dialog.locator('code').filter({ hasText: '/invitations/' }).innerText();

    const invited = await browser.page(baseUrl(), null);
    await invited.goto(link);
    await invited.getByLabel('Your name').fill('Guest <b>Person</b>');
    await invited.locator('input[type=password]').fill('a long enough password');
    await expectAccessible(invited);
    await invited.getByRole('button', { name: 'Make the account and join' }).click();
    await invited.waitForURL(`**/w/${workspace.slug}/**`);
    const navigation = invited.getByRole('navigation', { name: 'Main' });
    await navigation.getByRole('link', { name: 'Runs' }).waitFor();
    for (const name of ['Approvals', 'Webhooks', 'Settings']) {
      expect(await navigation.getByRole('link', { name }).count(), name).toBe(0);
    }
    // The list of members learns of it by itself.
    await inviting.getByText('Guest <b>Person</b>').waitFor();

    const again = await browser.page(baseUrl(), null);
    await again.goto(link);
    await again.getByRole('heading', { name: 'This invitation is closed' }).waitFor();
  });

  it('are told where their role is refused', async () => {
    const member = await workspace.person('member');
    const page = await browser.page(baseUrl(), member);
    await page.goto(`/w/${workspace.slug}/-/settings/audit`);
    await page
      .getByText(/owner|admin/i)
      .first()
      .waitFor();
    expect(await page.getByRole('table').count()).toBe(0);
    await page.goto(`/w/w-of-somebody-else/-/scripts`);
    await page.getByRole('heading', { name: 'There is nothing here' }).waitFor();
  });

  it('are out once they have signed out, on every open page', async () => {
    const person = await workspace.person('member');
    const one = await browser.page(baseUrl(), person);
    await one.goto(`/w/${workspace.slug}/-/scripts`);
    await one.getByRole('heading', { name: 'Scripts' }).waitFor();
    const other = await one.context().newPage();
    await other.goto(`/w/${workspace.slug}/-/runs`);
    await other.getByRole('heading', { name: 'Runs' }).waitFor();

    await one.getByRole('button', { name: 'Your account' }).click();
    await one.getByRole('menuitem', { name: 'Sign out' }).click();
    await one.waitForURL('**/sign-in');
    await other.getByRole('dialog', { name: 'Your session has ended' }).waitFor();
    await other.locator('input[type=password]').fill(person.password);
    await other.getByRole('button', { name: 'Sign in', exact: true }).click();
    await other.getByRole('dialog').waitFor({ state: 'detached' });
    await other.getByRole('heading', { name: 'Runs' }).waitFor();
  });

  it('give their password again before they let anybody in', async () => {
    const old = `UPDATE sessions SET confirmed_at = now() - interval '61 minutes' WHERE user_id = $1`;
    const { owner, slug } = workspace;
    const page = await browser.page(baseUrl(), owner);
    await database().query(old, [owner.id]);
    await page.goto(`/w/${slug}/-/settings/members`);
    await page.getByRole('button', { name: 'Invite somebody' }).click();
    const dialog = page.getByRole('dialog', { name: 'Invite somebody' });
    await dialog.getByLabel('E-mail address').fill(`again-${slug}@example.com`);
    await dialog.getByRole('button', { name: 'Invite' }).click();
    await giveAgain(page, owner.password);
    await dialog.locator('code').filter({ hasText: '/invitations/' }).waitFor();

    const asker = client({ token: (await workspace.person('member')).token, workspace: slug });
    const { id } = await ask(asker, 'member.invite', { email: `asked-${slug}@example.com` });
    await database().query(old, [owner.id]);
    await page.goto(`/approvals/${id}`);
    await page.getByRole('button', { name: 'Approve', exact: true }).click();
    await giveAgain(page, owner.password);
    await page.locator('code').filter({ hasText: '/invitations/' }).waitFor();
  });

  it('confirm that it is them before a rule becomes weaker, where the workspace wants so', async () => {
    const { owner, slug } = await newWorkspace();
    const api = client({ cookie: owner.cookie, workspace: slug });
    await api.patch('/v1/workspace/environments/production', { approvalPolicy: 'always' });
    await api.patch('/v1/workspace/sign-in-settings', { stepUpMinutes: 5 });
    const late = `UPDATE sessions SET confirmed_at = now() - interval '6 minutes' WHERE user_id = $1`;
    await database().query(late, [owner.id]);
    const page = await browser.page(baseUrl(), owner);
    await page.goto(`/w/${slug}/-/settings/environments`);
    await page.getByRole('button', { name: 'Actions for production' }).click();
    await page.getByRole('menuitem', { name: 'Edit' }).click();
    const dialog = page.getByRole('dialog', { name: 'Edit production' });
    await dialog.getByRole('radio', { name: 'No run waits for approval' }).check();
    await dialog.getByRole('button', { name: 'Save' }).click();
    const confirming = page.getByRole('dialog', { name: 'Confirm that it is you' });
    await confirming.getByRole('button', { name: 'Cancel' }).click();
    await dialog.getByText('you did not confirm that it is you').waitFor();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await giveAgain(page, owner.password);
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('article', { name: 'production' }).getByText('No run waits for approval').waitFor();
  });

  it("sign in at their company's provider, if that has a role for them", async () => {
    await using provider = await new CompanyProvider().listen();
    const { issuer, client } = provider;
    await using gatehouse = await startGatehouse({
      extensions: [
        TicketsExtension,
        companyLogin({ issuer, ...client, domains: 'acme.example', workspace: 'acme', title: 'Acme' }),
      ],
      env: { GATEHOUSE_OUTBOUND_ALLOW: '127.0.0.1' },
    });
    provider.serve(`${gatehouse.baseUrl}/v1/auth/ways/company-login/callback`);
    await gatehouse.api.as(gatehouse.workspace.owner).post('/v1/workspaces', { name: 'Acme', slug: 'acme' });
    const employee = { email: 'ada@acme.example', email_verified: true, name: 'Ada Lovelace' };
    provider.employees.set('ada', { ...employee, groups: [] });
    provider.turn = 'ada';

    const page = await browser.page(gatehouse.baseUrl, null);
    await page.goto('/account');
    await page.getByRole('button', { name: 'Sign in with Acme' }).waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Sign in with Acme' }).click();
    await page.getByText('You are not signed in. You were not let in there, or have no role here.').waitFor();

    provider.employees.set('ada', { ...employee, groups: ['gatehouse-users'] });
    await page.goto('/account');
    await page.getByRole('button', { name: 'Sign in with Acme' }).click();
    await page.waitForURL('**/account');
    await page.getByText('Ada Lovelace').first().waitFor();

    // Who has just given the provider their password need not give one here, also for scopes of extensions.
    await page.goto('/account/tokens/new');
    await page.getByLabel('What is it for?').fill('Reading tickets');
    await page.getByRole('group', { name: 'Tickets' }).getByLabel('See them').check();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Make the token' }).click();
    const token = await page.locator('code').filter({ hasText: 'svc_pat_' }).innerText();
    const tickets = gatehouse.api.as(token.trim(), { slug: 'acme' });
    expect((await tickets.get('/v1/tickets')).status).toBe(200);
    expect((await tickets.get('/v1/runs')).status).toBe(403);

    // An account that somebody else may have made before is theirs alone from now on, and they are told.
    const grace = await gatehouse.workspace.person('member');
    const unproven = 'UPDATE users SET email = $1, email_proven_at = NULL WHERE id = $2';
    await gatehouse.database.query(unproven, ['grace@acme.example', grace.id]);
    provider.employees.set('grace', {
      ...employee,
      email: 'grace@acme.example',
      groups: ['gatehouse-users'],
    });
    provider.turn = 'grace';
    const hers = await browser.page(gatehouse.baseUrl, null);
    await hers.goto('/account');
    await hers.getByRole('button', { name: 'Sign in with Acme' }).click();
    await hers.getByRole('heading', { name: 'Your account is yours alone now' }).waitFor();
    await expectAccessible(hers);
    await hers.getByRole('link', { name: 'Go on' }).click();
    await hers.waitForURL('**/account');
  });
});

async function giveAgain(page: Page, password: string): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'Confirm that it is you' });
  await dialog.getByLabel('Password', { exact: true }).fill(password);
  await dialog.getByRole('button', { name: 'Confirm' }).click();
}

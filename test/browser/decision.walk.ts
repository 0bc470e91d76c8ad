import { beforeAll, expect, it } from 'vitest';

import { type TestPerson, type TestWorkspace, archiveOf } from '../../libs/testing/index.js';
import { inApp } from '../support/approvals.js';
import { PHONE, describeWalk, expectAccessible, expectNoSidewaysScroll } from '../support/browser.js';
import { baseUrl, newWorkspace } from '../support/gatehouse.js';

/** Text that would run, or turn its surroundings around, if it were shown as anything but text. */
const HOSTILE = '<img src=x onerror=alert(1)>\u202Egnp.exe';

describeWalk('a run that waits for a yes', (browser) => {
  let workspace: TestWorkspace;
  let member: TestPerson;
  let admin: TestPerson;

  beforeAll(async () => {
    workspace = await newWorkspace();
    member = await workspace.person('member');
    admin = await workspace.person('admin');
    const api = inApp(workspace, workspace.owner);
    await api.post('/v1/scripts', { slug: 'refund', name: HOSTILE, description: HOSTILE });
    await api.post('/v1/scripts/refund/versions', {
      archive: await archiveOf({ 'main.py': 'import sys\nprint(sys.argv[1])\n' }),
      command: 'python main.py {amount}',
      readme: `# ${HOSTILE}\n\n[a link](javascript:alert(1)) ${HOSTILE}`,
    });
    await api.post('/v1/scripts/refund/publish', { version: 1 });
    await api.patch('/v1/scripts/refund', { approvalPolicy: 'always' });
  });

  it('is decided by another person on one small page, and ends under the eyes of both', async () => {
    const asking = await browser.page(baseUrl(), member);
    await asking.goto(`/w/${workspace.slug}/-/scripts/refund`);
    await asking.getByLabel('amount').fill('42');
    await asking.getByRole('button', { name: 'Run', exact: true }).click();
    await asking.waitForURL('**/runs/run_*');
    await asking.getByText('This run waits for approval').waitFor();
    await expectAccessible(asking);
    const address = await asking.getByRole('link', { name: 'See the request' }).first().getAttribute('href');

    const deciding = await browser.page(baseUrl(), admin, PHONE);
    await deciding.goto(address!);
    await deciding.getByText('42').first().waitFor();
    await expectAccessible(deciding);
    await expectNoSidewaysScroll(deciding);
    expect(await deciding.evaluate<string>('document.activeElement.textContent')).not.toBe('Approve');
    await deciding.getByRole('button', { name: 'Approve' }).click();
    await deciding.getByText('Succeeded').waitFor();

    await asking.getByRole('heading', { level: 1 }).getByText('Succeeded').waitFor();
  });

  it('is not offered to one who may not decide it, and a denial says why', async () => {
    const { body } = await inApp(workspace, member).post('/v1/scripts/refund/runs', {
      inputs: { amount: '7' },
    });
    const own = await browser.page(baseUrl(), member);
    await own.goto(`/approvals/${body.approval.id}`);
    await own.getByText('Somebody else has to decide this').waitFor();
    expect(await own.getByRole('button', { name: 'Approve' }).count()).toBe(0);

    const page = await browser.page(baseUrl(), admin);
    await page.goto(`/approvals/${body.approval.id}`);
    await page.getByRole('button', { name: 'Deny…' }).click();
    await page.getByLabel('Why not?').fill(HOSTILE);
    await page.getByRole('button', { name: 'Deny', exact: true }).click();
    await page.getByText('Denied').waitFor();
    await own.getByText('Denied').waitFor();
  });

  it('is approved in its row or on the page of the run, and several are denied at once', async () => {
    const ids: string[] = [];
    for (const amount of ['1', '2', '3', '4']) {
      const { body } = await inApp(workspace, member).post('/v1/scripts/refund/runs', { inputs: { amount } });
      ids.push(body.id);
    }
    const page = await browser.page(baseUrl(), admin);
    await page.goto(`/w/${workspace.slug}/-/approvals`);
    const waiting = page.getByRole('table', { name: 'Waiting for you' });
    await expect.poll(() => waiting.locator('tbody tr').count()).toBe(4);
    await waiting.locator('tbody tr').first().getByRole('button', { name: 'Approve Run refund' }).click();
    const asked = page.getByRole('dialog', { name: 'Approve: Run refund in production' });
    await asked.getByRole('row', { name: 'amount' }).getByText('4').waitFor();
    await asked.getByText('It may reach nothing on the network').waitFor();
    await expectAccessible(page);
    await asked.getByRole('button', { name: 'Approve', exact: true }).click();
    await expect.poll(() => waiting.locator('tbody tr').count()).toBe(3);

    await page.goto(`/w/${workspace.slug}/-/runs/${ids[2]}`);
    await page.getByRole('button', { name: 'Approve Run refund' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Approve', exact: true }).click();
    await page.getByRole('heading', { level: 1 }).getByText('Succeeded').waitFor();

    await page.goto(`/w/${workspace.slug}/-/approvals`);
    await waiting.getByRole('checkbox', { name: 'Choose all that are shown' }).check();
    await page.getByRole('button', { name: 'Deny 2 requests' }).click();
    await page.getByLabel('Why not?').fill('Not today.');
    await page.getByRole('dialog').getByRole('button', { name: 'Deny', exact: true }).click();
    await page.getByText('2 requests denied').waitFor();
    await page.getByText('Nothing waits for you').waitFor();

    const own = await browser.page(baseUrl(), member);
    await own.goto(`/w/${workspace.slug}/-/runs/${ids[0]}`);
    await own.getByRole('heading', { level: 1 }).getByText('Cancelled').waitFor();
    expect(await own.getByRole('button', { name: /^Approve/ }).count()).toBe(0);
  });

  it('shows what people wrote as text, on every page that names it', async () => {
    const page = await browser.page(baseUrl(), workspace.owner);
    for (const path of [
      'scripts',
      'scripts/refund',
      'scripts/refund/versions',
      'runs',
      'approvals',
      'settings/audit',
    ]) {
      await page.goto(`/w/${workspace.slug}/-/${path}`);
      await page.getByRole('heading', { level: 1 }).waitFor();
      expect(await page.locator('img[src="x"], a[href^="javascript:"]').count(), path).toBe(0);
    }
  });
});

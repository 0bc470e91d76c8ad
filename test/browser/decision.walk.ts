import { beforeAll, expect, it } from 'vitest';

import { type Json, type TestPerson, type TestWorkspace, archiveOf } from '../../libs/testing/index.js';
import { byToken, inApp } from '../support/approvals.js';
import { PHONE, describeWalk, expectAccessible, expectNoSidewaysScroll } from '../support/browser.js';
import { baseUrl, newWorkspace } from '../support/gatehouse.js';
import { finished, python, runUntil } from '../support/scripts.js';

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

    const { body } = await inApp(workspace, member).post('/v1/scripts/refund/runs', {
      inputs: { amount: '43' },
    });
    await deciding.goto(`/approvals/${body.approval.id}`);
    const difference = deciding.getByText('The same version that');
    await difference.waitFor();
    await deciding.getByRole('button', { name: 'Approve' }).click();
    await deciding.getByText('Succeeded').waitFor();
    expect(await difference.count()).toBe(1);
  });

  it('says that it was withdrawn, where its run was cancelled', async () => {
    const api = inApp(workspace, member);
    const { body } = await api.post('/v1/scripts/refund/runs', { inputs: { amount: '8' } });
    expect((await api.post(`/v1/runs/${body.id}/cancel`)).status).toBe(200);
    const page = await browser.page(baseUrl(), member);
    await page.goto(`/approvals/${body.approval.id}`);
    await page.getByText('It was withdrawn before anybody decided.').waitFor();
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
    await waiting.locator('tbody tr').first().getByRole('button', { name: 'Deny Run refund' }).click();
    await page.getByRole('dialog').getByLabel('Why not?').fill('Not so much.');
    await page.getByRole('dialog').getByRole('button', { name: 'Keep' }).click();

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

  it('says of a version that is to be published how it runs, and what of that is new', async () => {
    const api = inApp(workspace, workspace.owner);
    await api.post('/v1/scripts/refund/versions', {
      archive: await archiveOf({ 'main.py': 'import sys\nprint(sys.argv[1])\n' }),
      command: 'python main.py --all {amount}',
      idempotent: true,
    });
    const { body } = await byToken(workspace, workspace.owner).post('/v1/workspace/approval-requests', {
      action: 'script.publish',
      input: { slug: 'refund', version: 2 },
      reason: 'More of them',
    });
    const page = await browser.page(baseUrl(), admin);
    await page.goto(`/approvals/${body.id}`);
    for (const [line, change] of [
      ['runs python main.py --all {amount}', 'new'],
      ['runs python main.py {amount}', 'no longer'],
      ['begins once more where its worker died: it is said to do no harm by that', 'new'],
    ])
      await page
        .getByRole('listitem')
        .filter({ hasText: line })
        .getByText(change!, { exact: true })
        .waitFor();
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
  });

  it('decides all requests together that one run wants to send', async () => {
    const api = inApp(workspace, workspace.owner);
    const sending = await python(
      api,
      `
import urllib.error, urllib.request
from concurrent.futures import ThreadPoolExecutor
def send(path):
    try: urllib.request.urlopen("https://api.example.com" + path, data=b"amount=1", timeout=600)
    except urllib.error.HTTPError as e: return e.code
with ThreadPoolExecutor(2) as pool:
    print(list(pool.map(send, ["/v1/pay", "/v1/refund"])))`,
      { hosts: [{ host: 'api.example.com', ask: 'always' }], timeout: 60 },
    );
    const { id } = (await api.post(`/v1/scripts/${sending.slug}/runs`, {})).body;
    const waits = (run: Json): boolean => run['waitingApprovalIds'].length === 2;
    const { waitingApprovalIds } = await runUntil(api, id, waits);

    const page = await browser.page(baseUrl(), admin);
    await page.goto(`/w/${workspace.slug}/-/runs/${id}`);
    await page.getByText('2 requests of this run wait for approval').waitFor();
    await page.getByRole('link', { name: 'Send POST https://api.example.com/v1/refund' }).waitFor();
    await page.getByRole('button', { name: 'Approve 2 requests' }).waitFor();
    await expectAccessible(page);

    await page.goto(`/w/${workspace.slug}/-`);
    const home = page.getByRole('region', { name: 'Waiting for you' });
    await home.getByText(`Send 2 requests of ${sending.slug} in production`).waitFor();
    await expectAccessible(page);

    await page.goto(`/w/${workspace.slug}/-/approvals`);
    const waiting = page.getByRole('table', { name: 'Waiting for you' });
    const row = waiting.getByRole('row', { name: `Send 2 requests of ${sending.slug}` });
    await row.getByRole('button', { name: 'Approve 2 requests' }).click();
    const dialog = page.getByRole('dialog');
    for (const path of ['/v1/pay', '/v1/refund'])
      await dialog.getByText(`Send POST https://api.example.com${path}, with a body of 8 bytes`).waitFor();
    await dialog.getByText('All of it').first().click();
    await dialog.getByText('amount=1').first().waitFor();
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Approve', exact: true }).click();
    await row.waitFor({ state: 'detached' });
    // The row of two of them has gone as soon as one is decided.
    for (const request of waitingApprovalIds as string[]) {
      const status = async () => (await api.get(`/v1/workspace/approval-requests/${request}`)).body.status;
      await expect.poll(status).toBe('completed');
    }
    await runUntil(api, id, finished);
  });
});

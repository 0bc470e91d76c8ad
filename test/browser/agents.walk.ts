import { afterAll, beforeAll, expect, it } from 'vitest';

import type { Json } from '../../libs/testing/index.js';
import { AgentHouse } from '../support/agents.js';
import { describeWalk, expectAccessible } from '../support/browser.js';
import { newWorkspace } from '../support/gatehouse.js';
import { python } from '../support/scripts.js';

describeWalk('agents', (browser) => {
  let house: AgentHouse;
  beforeAll(async () => {
    house = await AgentHouse.open('anthropic', { GATEHOUSE_MODEL_SILENCE_SECONDS: '60' });
  });
  afterAll(() => house?.close());

  it('are made, asked, and their held runs approved in sight of the conversation', async () => {
    const workspace = await newWorkspace();
    const api = house.app(workspace);
    const { slug } = await python(api, 'print("counted")');
    await api.patch(`/v1/scripts/${slug}`, { approvalPolicy: 'agents' });
    const page = await browser.page(house.process.baseUrl, workspace.owner);
    await page.goto(`/w/${workspace.slug}/-/agents`);
    await page.getByText('No agent yet').waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'New agent' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Counter');
    await dialog.getByLabel('Slug').fill('Counter One');
    await dialog.getByLabel('Instructions').fill('Count what you are asked to.');
    await dialog.getByLabel('Scripts').click();
    await page.getByRole('option', { name: slug }).click();
    await dialog.getByLabel('Name').click();
    await dialog.getByRole('button', { name: 'Make the agent' }).click();
    await dialog.getByText('must be lower-case letters, digits and dashes').waitFor();
    await dialog.getByLabel('Slug').fill('counter');
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Make the agent' }).click();
    await page.getByRole('heading', { name: 'Counter' }).waitFor();

    house.model.says(
      { text: 'I begin.', calls: [{ name: slug, input: {} }] },
      { text: 'Please approve the run.' },
    );
    await page.getByLabel('Message').fill('Count, please');
    await page.getByRole('button', { name: 'Send' }).click();
    const log = page.getByRole('log');
    await log.getByText('Please approve the run.').waitFor();
    await log.getByText('Waits for approval').waitFor();
    await expectAccessible(page);

    const { items } = (await api.get('/v1/runs')).body;
    const approved = await api.post(`/v1/workspace/approval-requests/${items[0].approvalRequestId}/approve`);
    expect(approved.status, approved.text).toBe(200);
    await log.getByText('Succeeded').waitFor();
    await log.getByRole('link', { name: `Run of ${slug}` }).waitFor();

    // Nothing is sent while the agent answers.
    const isAnswering = async (): Promise<boolean> =>
      (await api.get('/v1/agents/counter/conversations')).body.items.some(({ answering }: Json) => answering);
    const atRest = async (): Promise<void> => {
      await page.getByRole('button', { name: 'Stop' }).waitFor({ state: 'detached' });
      // The service learns a moment later that it was stopped.
      await expect.poll(isAnswering).toBe(false);
    };
    await atRest();
    house.model.says({ text: 'Let me think.', stalls: true });
    await page.getByLabel('Message').fill('And what then?');
    await page.keyboard.press('Enter');
    await log.getByText('Let me think.').waitFor();
    await log.getByRole('status', { name: 'The agent is answering' }).waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Stop' }).click();
    await atRest();

    house.model.says({ status: 429, headers: { 'retry-after': '3000' } });
    await page.getByLabel('Message').fill('And again');
    await page.keyboard.press('Enter');
    await log.getByText('has too much to do').waitFor();
    await atRest();
    house.model.says({ text: '**Here** I am.' });
    await page.getByLabel('Message').fill('Now?');
    await page.keyboard.press('Enter');
    await log.getByText('Here I am.').waitFor();
    await log.locator('strong', { hasText: 'Here' }).waitFor();
    const { messages } = house.model.requests[0]!.body;
    expect(messages.map(({ role }: { role: string }) => role).at(-1)).toBe('user');

    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await page.getByRole('button', { name: 'Delete the agent' }).click();
    await page.getByText('No agent yet').waitFor();
  });
});

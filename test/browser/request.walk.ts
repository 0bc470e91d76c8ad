import { expect, it } from 'vitest';

import type { Json } from '../../libs/testing/index.js';
import { PHONE, describeWalk, expectAccessible, expectNoSidewaysScroll } from '../support/browser.js';
import { baseUrl, client, newWorkspace } from '../support/gatehouse.js';
import { finished, python, runUntil } from '../support/scripts.js';

/** The host is never reached: nothing is looked up before a person has approved. */
const PAY = `
import json, urllib.error, urllib.request
to = "https://api.example.com/v1/payments?api_key=abc"
request = urllib.request.Request(to, data=b'{"amount": 500, "to": "\\xe2\\x80\\xaeme"}', headers={"Authorization": "Bearer abc"})
try: urllib.request.urlopen(request, timeout=600)
except urllib.error.HTTPError as e: print(json.dumps(e.code))
`;

describeWalk('a request that waits for a yes', (browser) => {
  it('is shown as it would be sent, and denied', async () => {
    const workspace = await newWorkspace();
    const { owner, slug } = workspace;
    const api = client({ token: owner.token, workspace: slug });
    const hosts = [{ host: 'api.example.com', methods: ['POST'], ask: 'always' }];
    const script = await python(api, PAY, { hosts, timeout: 60 });
    const { body } = await api.post(`/v1/scripts/${script.slug}/runs`);
    const page = await browser.page(baseUrl(), owner, PHONE);
    await page.goto(`/w/${slug}/-/approvals`);
    await page.getByRole('link', { name: 'Send POST https://api.example.com/v1/payments' }).click();
    await page.getByText('POST https://api.example.com/v1/payments?api_key=***').waitFor();
    for (const text of ['Authorization: ***', '"amount": 500', '\\u{202e}me', 'No request of this script'])
      await page.getByText(text).first().waitFor();
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
    await page.getByRole('button', { name: 'Deny…' }).click();
    await page.getByRole('button', { name: 'Deny', exact: true }).click();
    await page.getByText('Denied').first().waitFor();
    const run: Json = await runUntil(api, body.id, finished);
    expect(run).toMatchObject({ status: 'succeeded', output: 403 });
  });
});

import type { ApprovalRequest } from '@gatehouse/client/operations';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider, createMemoryHistory, createRootRoute, createRouter } from '@tanstack/react-router';
import { expect, it } from 'vitest';

import { draw } from '../../../kit/testing/draw.js';
import { VerdictButtons } from './verdict-buttons.js';

it('asks about what was shown when it was pressed, whatever comes to wait meanwhile', async () => {
  const screen = await draw(<Waiting addresses={['https://a.example/pay']} />);
  await screen.getByRole('button', { name: 'Approve Send POST https://a.example/pay' }).click();
  await screen.rerender(<Waiting addresses={['https://b.example/refund', 'https://a.example/pay']} />);
  const dialog = screen.getByRole('dialog', { name: 'Approve: Send POST https://a.example/pay' });
  await expect.element(dialog.getByText('POST https://a.example/pay').last()).toBeVisible();
  await expect.element(dialog).not.toMatchTextContent('b.example');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect.element(screen.getByRole('button', { name: 'Approve 2 requests' })).toBeVisible();
});

it('says which secrets of a run go unencrypted before it is approved', async () => {
  const summary = 'It may reach a.example:80 (in the clear, by HTTP, with the secret KEY unencrypted).';
  const run = { script: 'pay', version: 1, environment: 'production', inputs: {}, test: false };
  const hostRules = [{ host: 'a.example:80', methods: null, paths: null, protocol: 'http' }];
  const input = { ...run, hosts: ['a.example:80'], hostRules };
  const request = { id: 'apr_1', action: 'run.start', status: 'pending', summary, reason: '', input };
  const part = () => <Buttons requests={[request as unknown as ApprovalRequest]} />;
  const routeTree = createRootRoute({ component: part });
  const router = createRouter({ routeTree, history: createMemoryHistory() });
  const screen = await draw(<RouterProvider router={router as never} />);
  await screen.getByRole('button', { name: 'Approve Run pay in production' }).click();
  await expect.element(screen.getByRole('dialog')).toMatchTextContent(summary);
});

const queries = new QueryClient();

function Waiting({ addresses }: { addresses: string[] }) {
  return <Buttons requests={addresses.map(requestTo)} />;
}

function Buttons({ requests }: { requests: ApprovalRequest[] }) {
  return (
    <QueryClientProvider client={queries}>
      <VerdictButtons requests={requests} />
    </QueryClientProvider>
  );
}

function requestTo(address: string): ApprovalRequest {
  const sent = { script: 'pay', version: 1, environment: 'production', method: 'POST', address };
  const what = { query: null, headers: [], body: null, bodyBytes: 0, bodyCut: false, bodySha256: null };
  const input = { ...sent, ...what, lastApprovedAt: null, changes: [] };
  return {
    id: address,
    action: 'request.send',
    status: 'pending',
    summary: `Send POST ${address}`,
    input,
  } as unknown as ApprovalRequest;
}

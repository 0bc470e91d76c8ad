import { expect, publish } from '../../bench/support/workbench.mjs';

const W = '/v1/workspace';
const SECRET = 'a long value';

/** Puts one of everything into a workspace. The ids of it all, by the names that paths have for them. */
export async function furnish(workspace, api, person) {
  const made = async (promise, status = 201) => expect(await promise, status);
  await publish(api, 'hello', 'main.py', 'import sys\nprint(len(sys.argv))', {
    inputSchema: { type: 'object', properties: { name: { type: 'string' } } },
  });
  await publish(api, 'held', 'main.py', 'print(1)');
  await made(api.patch('/v1/scripts/held', { approvalPolicy: 'always' }), 200);
  const run = await made(api.post('/v1/scripts/hello/runs', { inputs: { name: 'x' } }), 200);
  const held = await made(api.post('/v1/scripts/held/runs', {}), 202);
  const schedule = await made(api.post('/v1/scripts/hello/schedules', { name: 'yearly', cron: '0 0 1 1 *' }));
  const trigger = await made(
    api.post('/v1/scripts/hello/triggers', { name: 'failures', eventType: 'run.failed' }),
  );
  await made(api.put(`${W}/secrets/TOKEN`, { value: SECRET, hosts: ['example.com'] }), 200);
  const hook = await made(
    api.post('/v1/scripts/hello/hooks', { name: 'sent', verify: { scheme: 'token', secret: 'TOKEN' } }),
  );
  const { pathname } = new URL(hook.url);
  const { id: receiptId } = await made(api.post(pathname, {}, { authorization: `Bearer ${SECRET}` }), 202);
  const file = await made(api.post('/v1/files?name=a.txt', 'a text', { 'content-type': 'text/plain' }));
  const { endpoint } = await made(api.post(`${W}/webhook-endpoints`, { url: 'https://localhost:9/hook' }));
  const { deliveryId } = await made(api.post(`${W}/webhook-endpoints/${endpoint.id}/test`), 200);
  await made(api.post('/v1/agents', { slug: 'helper', name: 'helper', scripts: ['hello'] }));
  const conversation = await made(api.post('/v1/agents/helper/conversations'));
  await made(api.post(`${W}/queues`, { name: 'shared', limit: 2 }));
  const environment = await made(api.post(`${W}/environments`, { name: 'staging' }));
  const team = await made(api.post(`${W}/teams`, { name: 'readers' }));
  const invitation = await made(person.post(`${W}/invitations`, { email: 'somebody@example.com' }));
  const key = await made(person.post(`${W}/api-keys`, { name: 'spare' }));
  const token = await made(person.post('/v1/account/tokens', { name: 'spare', scopes: ['runs:read'] }));
  const { items: members } = await made(api.get(`${W}/members`), 200);
  const request = await made(
    api.post(`${W}/approval-requests`, {
      action: 'team.create',
      input: { name: 'x' },
      reason: 'It is needed.',
    }),
  );
  return {
    'x-environment': ['production', 'staging'],
    slug: ['hello', 'held'],
    agent: ['helper'],
    number: [1],
    version: [1],
    n: [1],
    runId: [run.id, held.id],
    address: [pathname.split('/').at(-1)],
    receiptId: [receiptId],
    fileId: [file.id],
    endpointId: [endpoint.id],
    deliveryId: [deliveryId],
    memberId: members.map(({ id }) => id),
    userId: [workspace.owner.id],
    requestId: [request.id, held.approvalRequestId],
    idOrName: [environment.id, 'staging', 'production'],
    name: ['TOKEN', 'shared'],
    id: [
      schedule.id,
      trigger.id,
      hook.id,
      team.id,
      invitation.id,
      key.id,
      token.id,
      environment.id,
      endpoint.id,
      request.id,
      run.id,
      conversation.id,
    ],
  };
}

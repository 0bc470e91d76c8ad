import { expect, publish } from '../../bench/support/workbench.mjs';

const W = '/v1/workspace';

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
  const file = await made(api.post('/v1/files?name=a.txt', 'a text', { 'content-type': 'text/plain' }));
  const { endpoint } = await made(api.post(`${W}/webhook-endpoints`, { url: 'https://localhost:9/hook' }));
  const { deliveryId } = await made(api.post(`${W}/webhook-endpoints/${endpoint.id}/test`), 200);
  const environment = await made(api.post(`${W}/environments`, { name: 'staging' }));
  const team = await made(api.post(`${W}/teams`, { name: 'readers' }));
  await made(api.put(`${W}/secrets/TOKEN`, { value: 'a long value', hosts: ['example.com'] }), 200);
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
    number: [1],
    version: [1],
    n: [1],
    runId: [run.id, held.id],
    fileId: [file.id],
    endpointId: [endpoint.id],
    deliveryId: [deliveryId],
    memberId: members.map(({ id }) => id),
    userId: [workspace.owner.id],
    requestId: [request.id, held.approvalRequestId],
    idOrName: [environment.id, 'staging', 'production'],
    name: ['TOKEN'],
    id: [
      schedule.id,
      trigger.id,
      team.id,
      invitation.id,
      key.id,
      token.id,
      environment.id,
      endpoint.id,
      request.id,
      run.id,
    ],
  };
}

import { type Receiver, startGatehouse, type TestGatehouse } from '@gatehouse/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { python } from '../support/scripts.js';

const DAY_MS = 86_400_000;

/** Whole days between two moments. */
const days = (later: Date, earlier: Date): number =>
  Math.round((later.getTime() - earlier.getTime()) / DAY_MS);

describe('a service in the process of a test', () => {
  const MachineDate = Date;
  const begun = new Date();
  let gatehouse: TestGatehouse;
  let other: TestGatehouse;

  beforeAll(async () => {
    const env = { GATEHOUSE_OUTBOUND_ALLOW: '127.0.0.1,::1' };
    [gatehouse, other] = await Promise.all([startGatehouse({ env, runsScripts: true }), startGatehouse()]);
  });

  afterAll(async () => {
    await Promise.all([gatehouse?.stop(), other?.stop()]);
    expect(Date).toBe(MachineDate);
    expect(days(new Date(), begun)).toBe(0);
  });

  describe('has a receiver, which', () => {
    let receiver: Receiver;
    beforeAll(async () => {
      receiver = await gatehouse.receiver(['secret.updated']);
    });

    it('collects what is delivered, of the types that it names', async () => {
      const owner = gatehouse.api.as(gatehouse.workspace.owner.token);
      await owner.post('/v1/scripts', { slug: 'other', name: 'Other' });
      await owner.put('/v1/workspace/secrets/KEY', { value: 'sk_of_the_test', hosts: ['api.example.com'] });
      const { data, headers } = await receiver.waitFor(
        'secret.updated',
        ({ data }) => data['name'] === 'KEY',
      );
      expect(data).toEqual({ name: 'KEY', environment: 'production' });
      expect(headers['webhook-signature']).toMatch(/^v1,/);
      expect(new Set(receiver.deliveries.map(({ type }) => type))).toEqual(new Set(['secret.updated']));
      expect(receiver.refused).toBe(0);
    });
  });

  describe('has a clock, which', () => {
    it('is the one of the machine until it is moved', async () => {
      expect(days(await gatehouse.clock.now(), begun)).toBe(0);
      expect(Date).toBe(MachineDate);
    });

    it('fires a daily schedule', async () => {
      const owner = gatehouse.api.as(gatehouse.workspace.owner);
      const { slug } = await python(owner, 'print("done")');
      const schedule = await owner.post(`/v1/scripts/${slug}/schedules`, {
        name: 'Daily',
        cron: '0 9 * * *',
      });
      expect(schedule.status, schedule.text).toBe(201);
      const runs = async () => (await owner.get(`/v1/runs?scheduleId=${schedule.body.id}`)).body.items;
      await gatehouse.clock.forwardTo(new Date(schedule.body.nextRunAt));
      const [first] = await runs();
      expect(first).toMatchObject({ interface: 'schedule' });
      await gatehouse.waitFor('run.succeeded', ({ data }) => data['runId'] === first.id);
      await gatehouse.clock.forward('1 day');
      const [run, ...rest] = await runs();
      expect(rest).toHaveLength(1);
      expect(days(new Date(run.startedAt), begun)).toBeGreaterThanOrEqual(1);
      const next = (await owner.get(`/v1/schedules/${schedule.body.id}`)).body.nextRunAt;
      expect(days(new Date(next), new Date(schedule.body.nextRunAt))).toBe(2);
    });

    it('ends what expires: tokens, sessions and requests for approval', async () => {
      const { workspace, api, clock } = gatehouse;
      const member = await workspace.person('member');
      const expiresAt = new Date((await clock.now()).getTime() + 2 * DAY_MS).toISOString();
      const passing = api.as(await member.tokenWith({ expiresAt }));
      const lasting = api.as(await member.tokenWith({ expiresAt: null }));
      const wish = { action: 'environment.create', input: { name: 'staging' }, reason: 'For tests' };
      const asked = await api.as(workspace.owner.token).post('/v1/workspace/approval-requests', wish);
      expect(asked.status, asked.text).toBe(201);

      await clock.forward('1 day 1 minute');
      const request = `/v1/workspace/approval-requests/${asked.body.id}`;
      expect((await api.as(workspace.owner.token).get(request)).body.status).toBe('expired');
      await gatehouse.waitFor('approval.decided', ({ data }) => data['status'] === 'expired');
      expect((await passing.get('/v1/scripts')).status).toBe(200);
      expect((await api.as(member).get('/v1/scripts')).status).toBe(200);

      await clock.forward('60 days');
      expect((await passing.get('/v1/scripts')).status).toBe(401);
      expect((await api.as(member).get('/v1/scripts')).status).toBe(401);
      expect((await lasting.get('/v1/scripts')).status).toBe(200);
    });

    it('moves nothing in the database of another service', async () => {
      expect(days(await gatehouse.clock.now(), begun)).toBeGreaterThan(60);
      expect(days(await other.clock.now(), begun)).toBe(0);
      expect(days(new Date(), begun)).toBeGreaterThan(60);
      await expect(startGatehouse()).rejects.toThrow('has its clock moved');
      expect((await other.api.as(other.workspace.owner).get('/v1/scripts')).status).toBe(200);
    });

    it('leaves certificates valid, and deliveries on their way', async () => {
      const receiver = await gatehouse.receiver(['secret.updated']);
      const owner = gatehouse.api.as(gatehouse.workspace.owner.token);
      await owner.put('/v1/workspace/secrets/LATER', { value: 'sk_of_the_test', hosts: ['api.example.com'] });
      await receiver.waitFor('secret.updated', ({ data }) => data['name'] === 'LATER');
    });

    it('is moved ahead only, by what is an interval', async () => {
      await expect(other.clock.forward('-1 day')).rejects.toThrow('moved ahead only, not by -86400 seconds');
      await expect(other.clock.forward('a while')).rejects.toThrow('interval');
      await expect(other.clock.forwardTo(new Date('never'))).rejects.toThrow('moved ahead only');
      await expect(other.clock.forwardTo(begun)).rejects.toThrow('moved ahead only');
      expect(days(await other.clock.now(), begun)).toBe(0);
    });
  });
});

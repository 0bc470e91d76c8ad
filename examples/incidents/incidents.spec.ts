import { startGatehouse, type TestGatehouse } from '@gatehouse/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import IncidentsExtension, { FailedRuns } from './incidents.extension.js';

describe('an incident', () => {
  let gatehouse: TestGatehouse;

  beforeAll(async () => {
    gatehouse = await startGatehouse({ extensions: [IncidentsExtension] });
  });

  afterAll(() => gatehouse?.stop());

  it('is opened for a run that fails, and once', async () => {
    const { workspace, database } = gatehouse;
    const data = { script: { id: 'scr_x', slug: 'report', name: 'Report' }, error: 'exit code 3' };
    const { id, type } = await gatehouse.tell('run.failed', data);
    await gatehouse.eventsHandled();
    // It may come again, as where a process died before it could note that it was handled.
    const place = { id: workspace.id, slug: workspace.slug, name: 'Ours' };
    const event = { id, type, data: { ...data }, createdAt: new Date().toISOString() };
    await gatehouse.get(FailedRuns).handle({ ...event, workspace: place, environment: null });
    const { rows } = await database.query('SELECT workspace_id, title FROM incidents');
    expect(rows).toEqual([{ workspace_id: workspace.id, title: 'Report: exit code 3' }]);
    const told = (await gatehouse.events()).filter(({ type }) => type === 'incidents.opened');
    expect(told).toHaveLength(1);
  });
});

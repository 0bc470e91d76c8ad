import type { ListeningTrigger } from './matches.js';

/** A trigger of an API key on failed runs, unless `more` says otherwise. */
export const listeningTrigger = (more: Partial<ListeningTrigger> = {}): ListeningTrigger => ({
  id: 'trg_1',
  workspaceId: 'wks_1',
  environmentId: 'env_1',
  scriptId: 'scr_1',
  createdByUserId: null,
  authorUserId: null,
  authorScriptChoice: null,
  byAgent: false,
  eventType: 'run.failed',
  filter: {},
  inputs: {},
  ...more,
});

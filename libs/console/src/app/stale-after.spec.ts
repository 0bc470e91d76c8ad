import * as queries from '@gatehouse/client/react-query';
import { describe, expect, it } from 'vitest';

import type { ListOperation } from '../api/operations.js';
import { BY_DOMAIN, countedAfter, staleAfter } from './stale-after.js';

/** Lists that nobody else changes, or that no event tells of: their pages read them again themselves. */
const UNTOLD: ListOperation[] = [
  'alertsList',
  'alertsListMessages',
  'apiKeysList',
  'connectedAppsList',
  'conversationsList',
  'deliveriesAttempts',
  'docsPage',
  'embeddedPageGet',
  'guidePage',
  'personalTokensList',
  'plannedRequestsList',
  'runLogRead',
  'runOperationsList',
  'savedViewsList',
  'sessionsList',
];

describe('staleAfter', () => {
  it('knows each list of the interface', () => {
    const ending = /InfiniteQueryKey$/;
    const lists = Object.keys(queries).filter((name) => ending.test(name));
    const told = Object.values(BY_DOMAIN)
      .flat()
      .map((name) => name.replace(/, pages$/, ''));
    const known = new Set<string>([...told, ...staleAfter('none.such'), ...UNTOLD]);
    expect(lists.map((name) => name.replace(ending, '')).filter((name) => !known.has(name))).toEqual([]);
  });

  it('goes by the domain of an event, however many words it has', () => {
    expect(staleAfter('workspace.member.joined')).toContain('membersList');
    expect(staleAfter('run.failed')).toContain('runsList');
    expect(countedAfter('run.failed')).toContain('runStatisticsRead');
    expect(countedAfter('workspace.member.joined')).not.toContain('runStatisticsRead');
    expect(countedAfter('workspace.member.joined')).toContain('deliveriesList');
  });
});

import { ApprovalAction, DefinesEventTypes, Extension } from '@gatehouse/extension';
import { startGatehouse, type TestGatehouse } from '@gatehouse/testing';
import { Injectable, Module } from '@nestjs/common';
import { DiscoveryModule, DiscoveryService } from '@nestjs/core';
import { afterAll, beforeAll, expect, it } from 'vitest';

import type { ApprovalActionProvider } from '../../src/approvals/approval-action.js';
import { assertDeclared } from '../../src/approvals/registered-action.js';
import { catalogueOf } from '../../src/core/outbox/event-catalogue.js';
import type { EventTypeSource } from '../../src/core/outbox/event-type.js';

@Injectable()
class Declared {
  constructor(private readonly discovery: DiscoveryService) {}

  by({ KEY }: { KEY: string }): unknown[] {
    return this.discovery.getProviders({ metadataKey: KEY }).map(({ instance }) => instance as unknown);
  }
}

@Extension({ name: 'declared' })
@Module({ imports: [DiscoveryModule], providers: [Declared] })
class LooksAtDeclarations {}

let gatehouse: TestGatehouse;

beforeAll(async () => {
  gatehouse = await startGatehouse({ extensions: [LooksAtDeclarations] });
});
afterAll(() => gatehouse?.stop());

/** A start holds extensions alone to these rules. */
it('every approval action of the program is declared as it must be', () => {
  const actions = gatehouse.get(Declared).by(ApprovalAction) as ApprovalActionProvider[];
  expect(actions.length).toBeGreaterThan(10);
  for (const action of actions) assertDeclared(action);
});

it('every type of event of the program is in order, its example too', () => {
  const sources = gatehouse.get(Declared).by(DefinesEventTypes) as EventTypeSource[];
  const definitions = [...new Set(sources)].flatMap(({ eventTypes }) => eventTypes);
  expect(definitions.length).toBeGreaterThan(20);
  expect(catalogueOf(definitions).size).toBe(definitions.length);
});

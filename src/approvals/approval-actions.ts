import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';

import { ApprovalAction, type ApprovalActionProvider } from './approval-action.js';
import type { ApprovableActionDto } from './approval.dto.js';
import { type RegisteredAction, registryOf } from './registered-action.js';

/** Every action that a person can be asked to approve, of whichever module. */
@Injectable()
export class ApprovalActions implements OnModuleInit {
  private actions: ReadonlyMap<string, RegisteredAction> = new Map();

  constructor(private readonly discovery: DiscoveryService) {}

  onModuleInit(): void {
    const wrappers = this.discovery.getProviders({ metadataKey: ApprovalAction.KEY });
    this.actions = registryOf(wrappers.map(({ instance }) => instance as ApprovalActionProvider));
  }

  find(id: string): RegisteredAction | null {
    return this.actions.get(id) ?? null;
  }

  /** One that the product itself files. */
  get(id: string): RegisteredAction {
    const action = this.find(id);
    if (!action) throw new Error(`There is no approval action "${id}".`);
    return action;
  }

  /** Those that can be asked for. */
  list(): ApprovableActionDto[] {
    return [...this.actions.values()]
      .filter(({ provider }) => provider.internal !== true)
      .map(({ provider }) => ({
        id: provider.id,
        title: provider.title,
        approverRoles: [...provider.approverRoles],
        createsSecret: provider.secret !== undefined,
        input: provider.inputSchema,
      }));
  }
}

import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import type { InstanceWrapper } from '@nestjs/core/injector/instance-wrapper.js';

import { ExtensionProblem, Extensions } from '../core/extensions/index.js';
import { ApprovalAction, type ApprovalActionProvider } from './approval-action.js';
import type { ApprovableActionDto } from './approval.dto.js';
import { assertDeclared, type RegisteredAction, registryOf } from './registered-action.js';
import { TimedAction } from './timed-action.js';

/** Every action that a person can be asked to approve, of whichever module. */
@Injectable()
export class ApprovalActions implements OnModuleInit {
  private actions: ReadonlyMap<string, RegisteredAction> = new Map();

  constructor(
    private readonly discovery: DiscoveryService,
    private readonly extensions: Extensions,
  ) {}

  onModuleInit(): void {
    const wrappers = this.discovery.getProviders({ metadataKey: ApprovalAction.KEY });
    this.actions = registryOf(
      wrappers.map(({ instance, host }) => this.limited(instance as ApprovalActionProvider, host)),
    );
  }

  /** One of an extension is held to its name and form, and to a time in which it has to end. Tests hold ours to the form. */
  private limited(provider: ApprovalActionProvider, module: InstanceWrapper['host']): ApprovalActionProvider {
    const owner = this.extensions.ownerOf(module);
    if (!owner) return provider;
    this.extensions.assertOwn(module, 'the approval action', provider.id);
    const missing = (['summarise', 'perform'] as const).find((name) => typeof provider[name] !== 'function');
    if (missing !== undefined) {
      const why = `the approval action "${provider.id}" has no method ${missing}.`;
      throw new ExtensionProblem(owner.reference, why);
    }
    assertDeclared(provider);
    return new TimedAction(provider);
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

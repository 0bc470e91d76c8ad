import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';

import { ExtensionProblem, Extensions } from '../core/extensions/index.js';
import { eventDataCheck } from '../core/outbox/index.js';
import {
  AUDIT_ACTIONS_KEY,
  type AuditActionDefinition,
  type AuditActionSource,
} from './audit-action-source.js';
import { AUDIT_DETAILS } from './audit-details.js';
import { addAuditActionName, type AuditAction } from './audit.actions.js';

const ACTION = /^[a-z][a-z_]*(\.[a-z][a-z_]*)+$/;
const NO_DETAILS = { type: 'object', additionalProperties: false };

interface AddedAction {
  description: string;
  check: (details: unknown) => string | null;
  /** The keys of details that its schema names. */
  keys: readonly string[];
}

/** The actions of extensions, by the providers that define them. Complete once the modules are initialised. */
@Injectable()
export class AuditActions implements OnModuleInit {
  private readonly actions = new Map<string, AddedAction>();

  constructor(
    private readonly discovery: DiscoveryService,
    private readonly extensions: Extensions,
  ) {}

  onModuleInit(): void {
    for (const { instance, host } of this.discovery.getProviders({ metadataKey: AUDIT_ACTIONS_KEY })) {
      const { auditActions } = instance as AuditActionSource;
      const owner = this.extensions.ownerOf(host);
      if (!Array.isArray(auditActions)) {
        const name = (instance as object).constructor.name;
        throw new ExtensionProblem(owner?.reference ?? '', `${name} has no list \`auditActions\`.`);
      }
      for (const definition of auditActions as AuditActionDefinition[]) {
        this.extensions.assertOwn(host, 'the audit action', definition.action);
        const problem = this.add(definition);
        if (problem === null) continue;
        throw new ExtensionProblem(
          owner?.reference ?? '',
          `the audit action "${definition.action}" ${problem}.`,
        );
      }
    }
  }

  all(): { action: string; description: string }[] {
    return [...this.actions].map(([action, { description }]) => ({ action, description }));
  }

  /** The keys of an action's details that responses have. None of one that nobody knows any more. */
  shownKeys(action: string): readonly string[] {
    if (Object.hasOwn(AUDIT_DETAILS, action)) return AUDIT_DETAILS[action as AuditAction].shown;
    return this.actions.get(action)?.keys ?? [];
  }

  /** @throws Error where no extension has defined the action, or the details do not fit its schema */
  assertFits(action: string, details: Record<string, unknown>): void {
    const defined = this.actions.get(action);
    if (!defined) throw new Error(`No extension has defined the audit action "${action}".`);
    const problem = defined.check(details);
    if (problem !== null) throw new Error(`Details of the audit action "${action}" do not fit: ${problem}.`);
  }

  private add({ action, description, details = NO_DETAILS }: AuditActionDefinition): string | null {
    if (!ACTION.test(action)) return 'is not a dotted name in lower case';
    if (this.actions.has(action)) return 'is defined twice';
    if (typeof description !== 'string' || description.trim() === '') return 'has no description';
    try {
      const keys = Object.keys((details['properties'] as object | undefined) ?? {});
      this.actions.set(action, { description, check: eventDataCheck(details), keys });
    } catch (error) {
      return `has a schema that cannot be used: ${(error as Error).message}`;
    }
    addAuditActionName(action);
    return null;
  }
}

import { randomBytes } from 'node:crypto';

import {
  ApprovalAction,
  type ApprovalActionProvider,
  Audit,
  DefinesAuditActions,
  Extension,
  type ExtensionSettings,
  inlineText,
  InvalidRequest,
  type PerformedRequest,
  type WorkspaceCaller,
} from '@gatehouse/extension';
import { type DynamicModule, Module } from '@nestjs/common';

interface Input {
  service: string;
}

/** Which services may be deployed: `EXTENSION_DEPLOY_ACTION_SERVICES=api,web`. */
export class DeployableServices {
  constructor(readonly names: readonly string[]) {}
}

@DefinesAuditActions()
export class DeployAuditActions {
  readonly auditActions = [
    {
      action: 'deploy_action.key_made',
      description: 'Somebody got a key to deploy a service',
      details: { type: 'object', properties: { request: { type: 'string' } }, required: ['request'] },
    },
  ];
}

/** A key to deploy a service: asked for by whoever needs it, made once a person says yes, and handed out once. */
@ApprovalAction()
export class DeployKeyAction implements ApprovalActionProvider<Input> {
  readonly id = 'deploy_action.key';
  readonly title = 'Make a key to deploy a service';
  readonly approverRoles = ['owner', 'admin'] as const;
  readonly secret = { name: 'deploy key', envVar: 'DEPLOY_KEY' };
  readonly inputSchema = {
    type: 'object',
    properties: { service: { type: 'string', minLength: 1, maxLength: 100 } },
    required: ['service'],
    additionalProperties: false,
  };

  constructor(
    private readonly services: DeployableServices,
    private readonly audit: Audit,
  ) {}

  summarise({ service }: Input, asker: WorkspaceCaller): string {
    if (!this.services.names.includes(service)) throw InvalidRequest.at('service', 'cannot be deployed');
    return `Make a key that deploys ${inlineText(service)} to ${inlineText(asker.environment.name)}.`;
  }

  /** In a transaction: the entry is there if and only if the key is. Whoever runs the deploys would be told of it here. */
  async perform({ service }: Input, approver: WorkspaceCaller, { id }: PerformedRequest) {
    const key = `deploy_${service}_${randomBytes(24).toString('base64url')}`;
    await this.audit.record({
      workspaceId: approver.workspace.id,
      by: approver,
      action: 'deploy_action.key_made',
      target: { type: 'service', id: service },
      details: { request: id },
    });
    return { result: { service }, secret: key };
  }
}

@Extension({ name: 'deploy-action' })
@Module({ providers: [DeployAuditActions, DeployKeyAction] })
export class DeployActionExtension {
  static readonly version = '1.0.0';

  static for(services: readonly string[]): DynamicModule {
    const given = { provide: DeployableServices, useValue: new DeployableServices(services) };
    return { module: DeployActionExtension, providers: [given] };
  }
}

export default ({ services = '' }: ExtensionSettings): DynamicModule =>
  DeployActionExtension.for(services.split(',').filter((name) => name !== ''));

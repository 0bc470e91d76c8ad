import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';

import { ApprovalAction } from '../approvals/index.js';
import { DefinesAuditActions } from '../audit/index.js';
import { DefinesCliCommands } from '../cli-commands/index.js';
import { Extensions } from '../core/extensions/index.js';
import { DefinesEventTypes } from '../core/outbox/index.js';
import { BlobStorage } from '../core/storage/index.js';
import { EventHandler } from '../event-handlers/index.js';
import { ScriptTemplate } from '../script-templates/index.js';
import { NotificationChannel } from '../notifications/index.js';
import { Runtime } from '../scripts/index.js';
import { SecretSource } from '../secrets/index.js';
import { SettingsPage } from '../settings-pages/index.js';
import { SignInWay } from '../sign-in/index.js';

interface Point {
  decorator: unknown;
  /** As it is written. */
  name: string;
  /** What such a provider has. */
  members: readonly string[];
  /** What its class is called, where its members alone may be anything's. */
  called?: RegExp;
}

const POINTS: readonly Point[] = [
  { decorator: ApprovalAction, name: '@ApprovalAction()', members: ['inputSchema', 'summarise', 'perform'] },
  {
    decorator: BlobStorage,
    name: '@BlobStorage(name)',
    members: ['ready', 'write', 'read', 'size', 'delete'],
  },
  { decorator: DefinesAuditActions, name: '@DefinesAuditActions()', members: ['auditActions'] },
  { decorator: DefinesCliCommands, name: '@DefinesCliCommands()', members: ['cliCommands'] },
  { decorator: DefinesEventTypes, name: '@DefinesEventTypes()', members: ['eventTypes'] },
  { decorator: EventHandler, name: '@EventHandler(name)', members: ['handles', 'handle'] },
  {
    decorator: NotificationChannel,
    name: '@NotificationChannel(name)',
    members: ['notify'],
    called: /Channel$/,
  },
  {
    decorator: NotificationChannel,
    name: '@NotificationChannel(name)',
    members: ['alert'],
    called: /Channel$/,
  },
  { decorator: Runtime, name: '@Runtime(name)', members: ['program', 'looksFor', 'detect'] },
  {
    decorator: ScriptTemplate,
    name: '@ScriptTemplate(name)',
    members: ['title', 'files'],
    called: /Template$/,
  },
  { decorator: SecretSource, name: '@SecretSource(name)', members: ['read'], called: /Source$/ },
  { decorator: SettingsPage, name: '@SettingsPage(name)', members: ['title', 'path', 'schema'] },
  { decorator: SettingsPage, name: '@SettingsPage(name)', members: ['title', 'routes', 'html'] },
  { decorator: SignInWay, name: '@SignInWay()', members: ['domains', 'begin', 'finish'] },
];

/** Warns of providers of extensions that look like an extension point's and lack its decorator: nothing would ever ask them. */
@Injectable()
export class UndecoratedProviders implements OnApplicationBootstrap {
  private readonly logger = new Logger('Extensions');

  constructor(
    private readonly discovery: DiscoveryService,
    private readonly extensions: Extensions,
  ) {}

  onApplicationBootstrap(): void {
    if (this.extensions.all().length === 0) return;
    const marked = new Set(POINTS.flatMap(({ decorator }) => this.markedBy(decorator)));
    for (const { instance, host, name } of this.discovery.getProviders()) {
      const owner = this.extensions.ownerOf(host);
      if (!owner || typeof instance !== 'object' || instance === null || marked.has(instance)) continue;
      const point = pointOf(instance as object);
      if (!point) continue;
      this.logger.warn(
        `${nameOf(instance as object) || String(name)} of the extension ${owner.name} has ${point.members.join(', ')}, and lacks ${point.name}: nothing uses it.`,
      );
    }
  }

  private markedBy(decorator: unknown): unknown[] {
    const { KEY: metadataKey } = decorator as { KEY: string };
    return this.discovery.getProviders({ metadataKey }).map(({ instance }) => instance as unknown);
  }
}

/** Nothing, where it has no class: a provider may be any value. */
function nameOf(provider: object): string {
  const { constructor: made } = provider as { constructor?: unknown };
  return typeof made === 'function' ? made.name : '';
}

function pointOf(provider: object): Point | undefined {
  return POINTS.find(
    ({ members, called = /^/ }) =>
      called.test(nameOf(provider)) && members.every((member) => member in provider),
  );
}

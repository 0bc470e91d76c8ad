import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import type { InstanceWrapper } from '@nestjs/core/injector/instance-wrapper.js';

import { type DeclaredRoute, DeclaredRoutes, letsIn, type WorkspaceCaller } from '../core/access/index.js';
import { ExtensionProblem, Extensions, type LoadedExtension } from '../core/extensions/index.js';
import { type CliCommandDefinition, type CliCommandSource, DefinesCliCommands } from './cli-command.js';
import { cliCommandProblem } from './cli-command-problem.js';

/** A command of an extension, checked. */
export interface KnownCommand {
  /** The name of the extension. */
  group: string;
  command: CliCommandDefinition;
  route: DeclaredRoute;
}

/** The commands that extensions add to the command line. Complete once the modules are initialised. */
@Injectable()
export class CliCommands implements OnModuleInit {
  private readonly commands = new Map<string, KnownCommand>();

  constructor(
    private readonly discovery: DiscoveryService,
    private readonly extensions: Extensions,
    private readonly declared: DeclaredRoutes,
  ) {}

  onModuleInit(): void {
    const sources = new Set<unknown>();
    for (const provider of this.discovery.getProviders({ metadataKey: DefinesCliCommands.KEY })) {
      const instance: unknown = provider.instance;
      const owner = this.extensions.ownerOf(provider.host);
      if (!owner) throw new Error('Commands of the command line are declared by extensions.');
      // A module that is imported twice has it once.
      if (!sources.has(instance)) this.addAll(instance as CliCommandSource, owner, provider);
      sources.add(instance);
    }
  }

  private addAll({ cliCommands }: CliCommandSource, owner: LoadedExtension, { name }: InstanceWrapper): void {
    if (!Array.isArray(cliCommands)) {
      throw new ExtensionProblem(owner.reference, `${String(name)} has no list \`cliCommands\`.`);
    }
    for (const command of cliCommands as CliCommandDefinition[]) this.add(command, owner);
  }

  private add(command: CliCommandDefinition, owner: LoadedExtension): void {
    const { name: group, reference } = owner;
    const fail = (why: string): never => {
      throw new ExtensionProblem(reference, `the command "${group} ${String(command.name)}" ${why}.`);
    };
    const problem = cliCommandProblem(command);
    if (problem !== null) fail(problem);
    const key = `${group} ${command.name}`;
    if (this.commands.has(key)) fail('is there twice');
    const found = this.declared.find(owner, command.route);
    const route = found ?? fail(`names ${command.route}, which is no route of the extension`);
    this.commands.set(key, { group, command, route });
  }

  /**
   * Those whose route is open to the caller's role and kind of credential. A scope that is missing does not hide one: its
   * refusal names the scope.
   */
  for(caller: WorkspaceCaller): KnownCommand[] {
    const unscoped = { ...caller, scopes: null };
    return [...this.commands.values()].filter(({ route }) => letsIn(route, unscoped));
  }
}

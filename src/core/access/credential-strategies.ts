import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';

import { type CredentialStrategy, RecognisesCredentials } from './credential-strategy.js';

const NAME = /^[a-z][a-z_]*$/;

/** Every kind of credential there is. Complete once the modules are initialised. */
@Injectable()
export class CredentialStrategies implements OnModuleInit {
  private readonly strategies: CredentialStrategy[] = [];

  constructor(private readonly discovery: DiscoveryService) {}

  onModuleInit(): void {
    for (const { instance } of this.discovery.getProviders({ metadataKey: RecognisesCredentials.KEY })) {
      this.add(instance as CredentialStrategy);
    }
  }

  all(): readonly CredentialStrategy[] {
    return this.strategies;
  }

  private add(strategy: CredentialStrategy): void {
    const { name } = strategy;
    // The name becomes part of a statement.
    if (!NAME.test(name)) throw new Error(`"${name}" is no name for a strategy of credentials.`);
    if (this.strategies.some((other) => other.name === name)) {
      throw new Error(`Two strategies of credentials have the name "${name}".`);
    }
    this.strategies.push(strategy);
  }
}

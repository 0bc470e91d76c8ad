import { Injectable, type OnModuleInit } from '@nestjs/common';

import { NamedProviders } from '../../core/extensions/index.js';
import { SecretSource, type SecretSourceProvider } from './secret-source.js';

/** Every place from which secrets are read, by its name. */
@Injectable()
export class SecretSources implements OnModuleInit {
  private sources: ReadonlyMap<string, SecretSourceProvider> = new Map();

  constructor(private readonly named: NamedProviders) {}

  onModuleInit(): void {
    this.sources = this.named.find<SecretSourceProvider>('secret source', {
      decorator: SecretSource,
      methods: ['read'],
    });
  }

  find(name: string): SecretSourceProvider | null {
    return this.sources.get(name) ?? null;
  }
}

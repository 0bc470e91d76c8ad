import { Injectable, type OnModuleInit } from '@nestjs/common';

import { NamedProviders } from '../../core/extensions/index.js';
import {
  type SecretPlace,
  SecretSource,
  type SecretSourceDescription,
  type SecretSourceProvider,
} from './secret-source.js';

type DescribedSource = SecretSourceDescription & { name: string };

const ANY_REFERENCE = "Which value it is, in the source's own words.";

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

  /** All of them, as a form shows them to somebody there. */
  describe(place: SecretPlace): DescribedSource[] {
    return [...this.sources].map(([name, source]) => ({
      name,
      ...(source.describe?.(place) ?? { title: name, reference: ANY_REFERENCE }),
    }));
  }

  find(name: string): SecretSourceProvider | null {
    return this.sources.get(name) ?? null;
  }
}

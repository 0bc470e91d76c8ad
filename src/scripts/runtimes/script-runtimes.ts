import { Injectable, type OnModuleInit } from '@nestjs/common';

import { NamedProviders } from '../../core/extensions/index.js';
import { Runtime, type RuntimeProvider } from './runtime.js';

const PROGRAM = /^[A-Za-z0-9][\w.+-]{0,60}$/;
const LONGEST_LOOKS_FOR = 200;

/** Every runtime of extensions, in their order. */
@Injectable()
export class ScriptRuntimes implements OnModuleInit {
  private runtimes: ReadonlyMap<string, RuntimeProvider> = new Map();

  constructor(private readonly named: NamedProviders) {}

  onModuleInit(): void {
    this.runtimes = this.named.find<RuntimeProvider>('runtime', {
      decorator: Runtime,
      methods: ['detect'],
    });
    for (const [name, runtime] of this.runtimes) assertSaysWhatItIs(name, runtime);
  }

  /** By their names. */
  all(): [name: string, runtime: RuntimeProvider][] {
    return [...this.runtimes];
  }
}

function assertSaysWhatItIs(name: string, { program, looksFor }: RuntimeProvider): void {
  if (typeof program !== 'string' || !PROGRAM.test(program)) {
    throw new Error(
      `The runtime "${name}" needs the name of a program, without a path: \`readonly program = 'perl'\`.`,
    );
  }
  const isLine = typeof looksFor === 'string' && /^\P{Cc}+$/u.test(looksFor);
  if (!isLine || looksFor.length > LONGEST_LOOKS_FOR) {
    throw new Error(
      `The runtime "${name}" has to say in a line what it looks for: \`readonly looksFor = 'main.pl'\`.`,
    );
  }
}

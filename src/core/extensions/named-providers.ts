import { Injectable } from '@nestjs/common';
import { type DiscoverableDecorator, DiscoveryService } from '@nestjs/core';

import { ExtensionProblem } from './extension-problem.js';
import { Extensions } from './extensions.js';
import { wordOf } from './loaded-extension.js';

const NAME = /^[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*)*$/;
const LONGEST_NAME = 60;

interface NamedSearch<T> {
  /** It marks them, and is given their names. */
  decorator: DiscoverableDecorator<string>;
  /** What each has to have. */
  methods: readonly string[];
  /** What else is wrong with one, in words that follow its name; null: nothing. */
  problemOf?: (provider: T) => string | null;
}

/** Checks providers that a decorator has given a name, and holds extensions to theirs. */
@Injectable()
export class NamedProviders {
  constructor(
    private readonly extensions: Extensions,
    private readonly discovery: DiscoveryService,
  ) {}

  /**
   * @param kind what they are, such as `notification channel`
   * @throws Error where a name is none or taken, or begins with another's; or a method is missing, or `problemOf` names a problem
   */
  find<T>(kind: string, { decorator, methods, problemOf }: NamedSearch<T>): Map<string, T> {
    const found = new Map<string, T>();
    for (const provider of this.discovery.getProviders({ metadataKey: decorator.KEY })) {
      const name: unknown = this.discovery.getMetadataByDecorator(decorator, provider);
      const instance: unknown = provider.instance;
      const fail = (why: string): never => {
        const owner = this.extensions.ownerOf(provider.host);
        const text = `the ${kind} "${String(name)}" ${why}.`;
        throw owner ? new ExtensionProblem(owner.reference, text) : new Error(text);
      };
      if (typeof name !== 'string' || !NAME.test(name) || name.length > LONGEST_NAME) {
        return fail('needs a name of lower-case words, such as the name of the extension');
      }
      const owner = this.extensions.ownerOf(provider.host);
      const word = owner && wordOf(owner.name);
      if (word !== null && name !== word && !name.startsWith(`${word}.`)) {
        fail(`has to be called "${word}", or a name that begins with "${word}."`);
      }
      if (found.has(name) && found.get(name) !== instance) fail('is there twice');
      const missing = methods.find(
        (method) => typeof (instance as Record<string, unknown>)[method] !== 'function',
      );
      if (missing !== undefined) fail(`has no method ${missing}`);
      const problem = problemOf?.(instance as T) ?? null;
      if (problem !== null) fail(problem);
      found.set(name, instance as T);
    }
    return found;
  }
}

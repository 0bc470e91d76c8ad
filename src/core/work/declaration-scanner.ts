import { Injectable } from '@nestjs/common';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';

/** A method of a provider that a decorator has marked. */
export interface Declaration<T> {
  /** Class and method, such as `RunSweeper.sweep`. */
  name: string;
  options: T;
  instance: object;
  call: (...parameters: unknown[]) => unknown;
}

/** Finds what providers declare by decorators, in the order of their modules. */
@Injectable()
export class DeclarationScanner {
  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
  ) {}

  /**
   * @param optionsOf what a method was marked with, undefined where it was not
   * @throws Error where a class is provided twice, which would do its work twice, or for each request anew
   */
  find<T>(optionsOf: (method: object) => T | undefined): Declaration<T>[] {
    const found = new Map<string, Declaration<T>>();
    for (const wrapper of this.discovery.getProviders()) {
      const instance: unknown = wrapper.instance;
      if (typeof instance !== 'object' || instance === null) continue;
      const prototype = Object.getPrototypeOf(instance) as Record<string, unknown> | null;
      for (const key of this.scanner.getAllMethodNames(prototype)) {
        const method = prototype![key];
        const options = typeof method === 'function' ? optionsOf(method) : undefined;
        if (options === undefined) continue;
        const name = `${instance.constructor.name}.${key}`;
        if (!wrapper.isDependencyTreeStatic())
          throw new Error(`${name}: its class must not be made for each request`);
        const same = found.get(name);
        if (same && same.instance !== instance)
          throw new Error(`${name}: its class is provided by two modules`);
        const call = (method as Declaration<T>['call']).bind(instance);
        found.set(name, { name, options, instance, call });
      }
    }
    return [...found.values()];
  }
}

import { Injectable, type Type } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';

import { Extensions, type LoadedExtension } from '../extensions/index.js';

/** Which controllers are an extension's. */
@Injectable()
export class RouteOwners {
  constructor(
    private readonly extensions: Extensions,
    private readonly modules: ModulesContainer,
  ) {}

  all(): Map<Type, LoadedExtension> {
    const owners = new Map<Type, LoadedExtension>();
    for (const module of this.modules.values()) {
      const owner = this.extensions.ownerOf(module);
      if (!owner) continue;
      for (const { metatype } of module.controllers.values()) owners.set(metatype as Type, owner);
    }
    return owners;
  }
}

import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';

import { type DeclaredRoute, DeclaredRoutes, letsIn, type WorkspaceCaller } from '../core/access/index.js';
import { NotFound } from '../core/errors/index.js';
import {
  ExtensionProblem,
  Extensions,
  type LoadedExtension,
  NamedProviders,
} from '../core/extensions/index.js';
import { type EmbeddedPageProvider, SettingsPage, type SettingsFormProvider } from './settings-page.js';
import { settingsPageProblem, wantedRoutes } from './settings-page-problem.js';

/** A page in the settings, whole and checked. */
export interface KnownPage {
  name: string;
  page: SettingsFormProvider | EmbeddedPageProvider;
  routes: readonly DeclaredRoute[];
}

/** The pages that extensions add to the settings of the console. Complete once the modules are initialised. */
@Injectable()
export class SettingsPages implements OnModuleInit {
  private readonly pages = new Map<string, KnownPage>();

  constructor(
    private readonly discovery: DiscoveryService,
    private readonly named: NamedProviders,
    private readonly extensions: Extensions,
    private readonly declared: DeclaredRoutes,
  ) {}

  onModuleInit(): void {
    const providers = this.discovery.getProviders({ metadataKey: SettingsPage.KEY });
    const found = this.named.find<KnownPage['page']>('settings page', {
      decorator: SettingsPage,
      methods: [],
    });
    for (const [name, page] of found) {
      const owner = this.extensions.ownerOf(providers.find(({ instance }) => instance === page)!.host);
      this.pages.set(name, { name, page, routes: this.routesOf(name, page, owner) });
    }
  }

  private routesOf(name: string, page: KnownPage['page'], owner: LoadedExtension | null): DeclaredRoute[] {
    const fail = (why: string): never => {
      throw new ExtensionProblem(owner?.reference ?? '', `the settings page "${name}" ${why}.`);
    };
    const problem = settingsPageProblem(page);
    if (problem !== null) fail(problem);
    return wantedRoutes(page).map(
      (text) => this.declared.find(owner, text) ?? fail(`names ${text}, which is no route of the extension`),
    );
  }

  /** Those whose routes let the caller in, all of them; by their names. */
  for(caller: WorkspaceCaller): KnownPage[] {
    return [...this.pages.values()]
      .filter(({ routes }) => routes.every((route) => letsIn(route, caller)))
      .sort((one, other) => one.name.localeCompare(other.name, 'en'));
  }

  /** @throws NotFound */
  embedded(name: string): EmbeddedPageProvider {
    const page = this.pages.get(name)?.page;
    if (!page || !isEmbedded(page)) throw new NotFound('embedded page');
    return page;
  }
}

export function isEmbedded(page: KnownPage['page']): page is EmbeddedPageProvider {
  return 'html' in page;
}

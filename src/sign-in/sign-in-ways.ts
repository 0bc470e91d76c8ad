import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';

import { InvalidSettings, Settings } from '../core/config/index.js';
import { NotFound } from '../core/errors/index.js';
import { ExtensionProblem, Extensions } from '../core/extensions/index.js';
import { lineProblem } from '../core/http/index.js';
import { CompanyWays } from './company/company-ways.js';
import { SIGN_IN_WAY_KEY, type SignInWayProvider } from './sign-in-way.js';

const ID = /^[a-z]+(-[a-z]+)*$/;
const DOMAIN = /^[a-z0-9-]+(\.[a-z0-9-]+)*$/;
const LONGEST_TITLE = 40;

const LOCKED_OUT =
  'GATEHOUSE_PASSWORDS: got "off"; it takes `on` where there is no other way to sign in: set GATEHOUSE_OIDC_ISSUER as well.';

/** The ways to sign in besides a password, of the settings and of whichever module. Complete once the modules are initialised. */
@Injectable()
export class SignInWays implements OnModuleInit {
  private readonly ways = new Map<string, SignInWayProvider>();

  constructor(
    private readonly discovery: DiscoveryService,
    private readonly extensions: Extensions,
    private readonly companies: CompanyWays,
    private readonly settings: Settings,
  ) {}

  /** @throws InvalidSettings where nobody could sign in; ExtensionProblem */
  onModuleInit(): void {
    for (const way of this.companies.all) this.ways.set(way.id, way);
    for (const { instance, host } of this.discovery.getProviders({ metadataKey: SIGN_IN_WAY_KEY })) {
      const way = instance as SignInWayProvider;
      const owner = this.extensions.ownerOf(host);
      const problem = this.ways.has(way.id) ? 'is there twice' : problemOf(way, owner?.name ?? null);
      if (problem !== null) {
        throw new ExtensionProblem(owner?.reference ?? '', `the way to sign in "${way.id}" ${problem}.`);
      }
      this.ways.set(way.id, way);
    }
    if (!this.settings.passwords && this.ways.size === 0) throw new InvalidSettings([LOCKED_OUT]);
  }

  all(): SignInWayProvider[] {
    return [...this.ways.values()];
  }

  /** @throws NotFound */
  get(id: string): SignInWayProvider {
    const way = this.ways.get(id);
    if (!way) throw new NotFound('way to sign in');
    return way;
  }
}

/** What is wrong with a way, or null. */
export function problemOf(
  { id, title, domains, begin, finish }: Partial<SignInWayProvider>,
  owner: string | null,
): string | null {
  if (typeof id !== 'string' || !ID.test(id))
    return 'has an id that is not words in lower case with - between';
  if (owner !== null && id !== owner && !id.startsWith(`${owner}-`)) {
    return `has to be called "${owner}", or begin with "${owner}-"`;
  }
  if (typeof title !== 'string' || title === '' || title.length > LONGEST_TITLE || lineProblem(title)) {
    return `has no title of one line with up to ${LONGEST_TITLE} characters`;
  }
  if (!Array.isArray(domains) || domains.length === 0) return 'names no `domains` that it speaks for';
  const wrong = (domains as unknown[]).find((domain) => typeof domain !== 'string' || !DOMAIN.test(domain));
  if (wrong !== undefined) return `speaks for "${String(wrong)}", which is no domain in lower case`;
  return [begin, finish].every((method) => typeof method === 'function')
    ? null
    : 'lacks one of the methods begin and finish';
}

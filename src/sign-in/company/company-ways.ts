import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';

import { Settings } from '../../core/config/index.js';
import { OpenId } from '../open-id/open-id.js';
import { ProvisionedGroupsService } from '../scim/provisioned-groups.service.js';
import { CompanyWay } from './company-way.js';

/** The ways of the settings. Whether their providers can be reached is looked at while the service starts, which does not wait. */
@Injectable()
export class CompanyWays implements OnApplicationBootstrap {
  readonly all: readonly CompanyWay[];
  private readonly logger = new Logger(CompanyWays.name);

  constructor(
    openId: OpenId,
    provisioned: ProvisionedGroupsService,
    private readonly settings: Settings,
  ) {
    this.all = settings.oidc.map(
      (provider) => new CompanyWay(provider, openId, (of, person) => provisioned.of(of, person)),
    );
  }

  onApplicationBootstrap(): void {
    if (!this.settings.servesApi) return;
    for (const way of this.all) {
      way.check().catch((error: Error) => {
        const { title } = way;
        this.logger.warn(
          `Nobody can sign in with ${title} for now; each try asks it again. ${error.message}`,
        );
      });
    }
  }
}

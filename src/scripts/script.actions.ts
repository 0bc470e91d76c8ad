import { ApprovalAction, type ApprovalActionProvider, inputOf, named } from '../approvals/index.js';
import { nameText } from '../notifications/index.js';
import type { WorkspaceCaller } from '../core/access/index.js';
import { assertExpected, EXPECTED_VERSION_SCHEMA } from './expected-version.js';
import type { PublishInput } from './script-input.dto.js';
import { PublishingService, publishSummary } from './publishing.service.js';
import { ScriptSettingsService } from './script-settings.service.js';
import { statusAfter } from './script.status.js';
import { ScriptsService } from './scripts.service.js';
import { VersionsService } from './versions/versions.service.js';

type PublishScriptInput = PublishInput & { slug: string };

/** Asked for as such, or filed by publishing where that needs a second person. */
@ApprovalAction()
export class PublishScriptAction implements ApprovalActionProvider<PublishScriptInput> {
  readonly id = 'script.publish';
  readonly title = 'Publish a version of a script';
  readonly approverRoles = ['owner', 'admin'] as const;
  readonly inputSchema = inputOf(
    {
      slug: { type: 'string', minLength: 1, description: "The script's." },
      version: { type: 'integer', minimum: 1, maximum: 2_147_483_647 },
    },
    {
      expectedVersion: {
        ...EXPECTED_VERSION_SCHEMA,
        description:
          'The number of the version that is published now, 0 for none: where it is another one, nothing is published.',
      },
    },
  );

  constructor(
    private readonly publishing: PublishingService,
    private readonly scripts: ScriptsService,
    private readonly versions: VersionsService,
    private readonly settings: ScriptSettingsService,
  ) {}

  async summarise({ slug, version, expectedVersion }: PublishScriptInput, asker: WorkspaceCaller) {
    const script = await named('slug', this.scripts.detail(asker, slug));
    await named('version', this.versions.find(asker, slug, version));
    statusAfter(script.status, 'publish');
    assertExpected(expectedVersion, 'published', script);
    return publishSummary(script, version);
  }

  needsSecondPerson(workspaceId: string): Promise<boolean> {
    return this.settings.publishNeedsSecondPerson(workspaceId);
  }

  async perform({ slug, ...wanted }: PublishScriptInput, approver: WorkspaceCaller) {
    await this.publishing.publishApproved(approver, slug, wanted);
    return { result: { slug, version: wanted.version } };
  }
}

interface ArchiveScriptInput {
  slug: string;
}

@ApprovalAction()
export class ArchiveScriptAction implements ApprovalActionProvider<ArchiveScriptInput> {
  readonly id = 'script.archive';
  readonly title = 'Archive a script';
  readonly approverRoles = ['owner', 'admin'] as const;
  readonly inputSchema = inputOf({ slug: { type: 'string', minLength: 1, description: "The script's." } });

  constructor(private readonly scripts: ScriptsService) {}

  async summarise({ slug }: ArchiveScriptInput, asker: WorkspaceCaller) {
    const { id, name } = await named('slug', this.scripts.detail(asker, slug));
    const text = `Archive the script ${nameText(name)} (${slug}): it no longer runs until it is restored.`;
    return { text, about: id };
  }

  async perform({ slug }: ArchiveScriptInput, approver: WorkspaceCaller) {
    await this.scripts.archive(approver, slug);
    return { result: { slug } };
  }
}

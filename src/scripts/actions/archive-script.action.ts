import { ApprovalAction, type ApprovalActionProvider, inlineText, named } from '../../approvals/index.js';
import type { WorkspaceCaller } from '../../core/access/index.js';
import { ScriptsService } from '../scripts.service.js';

interface Input {
  slug: string;
}

@ApprovalAction()
export class ArchiveScriptAction implements ApprovalActionProvider<Input> {
  readonly id = 'script.archive';
  readonly title = 'Archive a script';
  readonly approverRoles = ['owner', 'admin'] as const;
  readonly inputSchema = {
    type: 'object',
    properties: { slug: { type: 'string', minLength: 1, description: "The script's." } },
    required: ['slug'],
    additionalProperties: false,
  };

  constructor(private readonly scripts: ScriptsService) {}

  async summarise({ slug }: Input, asker: WorkspaceCaller): Promise<string> {
    const { name } = await named('slug', this.scripts.detail(asker, slug));
    return `Archive the script ${inlineText(name)} (${slug}): it no longer runs until it is restored.`;
  }

  async perform({ slug }: Input, approver: WorkspaceCaller) {
    await this.scripts.archive(approver, slug);
    return { result: { slug } };
  }
}

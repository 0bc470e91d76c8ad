import { ApprovalAction, type ApprovalActionProvider, asBody, inlineText } from '../../approvals/index.js';
import type { WorkspaceCaller } from '../../core/access/index.js';
import { Forbidden } from '../../core/errors/index.js';
import { WorkspacePatch } from '../workspace.dto.js';
import { WorkspacesService } from '../workspaces.service.js';

interface Input {
  name: string;
}

@ApprovalAction()
export class RenameWorkspaceAction implements ApprovalActionProvider<Input> {
  readonly id = 'workspace.rename';
  readonly title = 'Rename the workspace';
  readonly approverRoles = ['owner', 'admin'] as const;
  readonly inputSchema = {
    type: 'object',
    properties: { name: { type: 'string', minLength: 1, maxLength: 100 } },
    required: ['name'],
    additionalProperties: false,
  };

  constructor(private readonly workspaces: WorkspacesService) {}

  async summarise(input: Input, { workspace }: WorkspaceCaller): Promise<string> {
    const { name } = await asBody(WorkspacePatch, input);
    return `Rename the workspace ${inlineText(workspace.name)} to ${inlineText(name!)}.`;
  }

  /** As on the route, only an owner may rename. An admin sees the request and may deny it. */
  async perform({ name }: Input, approver: WorkspaceCaller) {
    if (approver.role !== 'owner') throw new Forbidden('Only an owner may rename the workspace.');
    return { result: { ...(await this.workspaces.update(approver, { name })) } };
  }
}

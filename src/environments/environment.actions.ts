import {
  ApprovalAction,
  type ApprovalActionProvider,
  asBody,
  inputOf,
  named,
  type PerformedRequest,
} from '../approvals/index.js';
import { APPROVAL_POLICIES, type ApprovalPolicy, type WorkspaceCaller } from '../core/access/index.js';
import { InvalidRequest } from '../core/errors/index.js';
import { parseRunsOn } from '../core/http/index.js';
import { EnvironmentInput, EnvironmentPatch } from './environment.dto.js';
import { EnvironmentsService } from './environments.service.js';

const RUNS_ON = {
  type: 'array',
  items: { type: 'string' },
  description: 'The tags that a worker must carry; empty: as each version says.',
};

const ENVIRONMENT = {
  environment: { type: 'string', minLength: 1, maxLength: 100, description: 'Its name or id.' },
};

type CreateEnvironmentInput = Required<EnvironmentInput>;

@ApprovalAction()
export class CreateEnvironmentAction implements ApprovalActionProvider<CreateEnvironmentInput> {
  readonly id = 'environment.create';
  readonly title = 'Make an environment';
  readonly approverRoles = ['owner', 'admin'] as const;
  readonly inputSchema = inputOf(
    { name: { type: 'string', minLength: 1, maxLength: 100 } },
    {
      approvalPolicy: { enum: APPROVAL_POLICIES, default: 'none' },
      agentsAllowed: { type: 'boolean', default: true },
      runsOn: RUNS_ON,
    },
  );

  constructor(private readonly environments: EnvironmentsService) {}

  async summarise(input: CreateEnvironmentInput) {
    const { name } = await asBody(EnvironmentInput, input);
    return `Make the environment ${name}: ${environmentFields(input)}.`;
  }

  async perform(input: CreateEnvironmentInput, approver: WorkspaceCaller) {
    return { result: { ...(await this.environments.create(approver, input)) } };
  }
}

type UpdateEnvironmentInput = { environment: string } & EnvironmentPatch;

@ApprovalAction()
export class UpdateEnvironmentAction implements ApprovalActionProvider<UpdateEnvironmentInput> {
  readonly id = 'environment.update';
  readonly title = 'Change an environment';
  readonly approverRoles = ['owner', 'admin'] as const;
  readonly inputSchema = inputOf(ENVIRONMENT, {
    name: { type: 'string', minLength: 1, maxLength: 100, description: 'Its new name.' },
    approvalPolicy: { enum: APPROVAL_POLICIES },
    agentsAllowed: { type: 'boolean' },
    runsOn: RUNS_ON,
    isDefault: { const: true, description: 'Makes it the default.' },
  });

  constructor(private readonly environments: EnvironmentsService) {}

  async summarise({ environment, ...input }: UpdateEnvironmentInput, asker: WorkspaceCaller) {
    const patch = await asBody(EnvironmentPatch, input);
    if (Object.keys(input).length === 0) throw InvalidRequest.at('', 'names nothing to change');
    const { id, name } = await named('environment', this.environments.get(asker, environment));
    const settings = environmentFields(patch);
    const parts = [...(patch.name === undefined ? [] : [`it is called ${patch.name}`]), settings];
    const text = `Change the environment ${name}: ${parts.filter((part) => part !== '').join(', ')}.`;
    return { text, about: id };
  }

  /** By its id, since another environment may have its name by now. */
  async perform(
    { environment: _, ...patch }: UpdateEnvironmentInput,
    approver: WorkspaceCaller,
    { about }: PerformedRequest,
  ) {
    return { result: { ...(await this.environments.update(approver, about!, patch)) } };
  }
}

interface DeleteEnvironmentInput {
  environment: string;
}

@ApprovalAction()
export class DeleteEnvironmentAction implements ApprovalActionProvider<DeleteEnvironmentInput> {
  readonly id = 'environment.delete';
  readonly title = 'Delete an environment';
  readonly approverRoles = ['owner', 'admin'] as const;
  readonly inputSchema = inputOf(ENVIRONMENT);

  constructor(private readonly environments: EnvironmentsService) {}

  async summarise({ environment }: DeleteEnvironmentInput, asker: WorkspaceCaller) {
    const { id, name } = await named('environment', this.environments.get(asker, environment));
    return { text: `Delete the environment ${name} with all of its secret values.`, about: id };
  }

  /** By its id, since another environment may have its name by now. */
  async perform(
    { environment }: DeleteEnvironmentInput,
    approver: WorkspaceCaller,
    { about }: PerformedRequest,
  ) {
    await this.environments.delete(approver, about!);
    return { result: { environment } };
  }
}

const POLICIES: Readonly<Record<ApprovalPolicy, string>> = {
  none: 'runs need no approval',
  agents: 'runs started by agents need approval',
  always: 'every run needs approval',
};

/** What settings of an environment mean, in words. */
function environmentFields({ approvalPolicy, agentsAllowed, runsOn, isDefault }: EnvironmentPatch): string {
  const words: string[] = [];
  if (approvalPolicy !== undefined) words.push(POLICIES[approvalPolicy]);
  if (agentsAllowed !== undefined)
    words.push(agentsAllowed ? 'agents may run scripts there' : 'agents may not run scripts there');
  if (runsOn !== undefined) words.push(placeOf(parseRunsOn(runsOn)));
  if (isDefault) words.push('it is the default');
  return words.join(', ');
}

function placeOf(tags: readonly string[]): string {
  if (tags.length === 0) return 'runs go to the workers that their versions ask for';
  return `runs go to workers with ${tags.length === 1 ? 'the tag' : 'the tags'} ${tags.join(', ')}`;
}

import { type ActionOutcome, ApprovalAction, type ApprovalActionProvider } from '../../approvals/index.js';
import type { WorkspaceCaller } from '../../core/access/index.js';
import { EndpointValidator } from '../endpoint-validator.js';
import { EndpointRegistrationService } from '../endpoint-registration.service.js';

interface Input {
  url: string;
  description?: string | null;
  eventTypes?: string[] | null;
}

@ApprovalAction()
export class CreateEndpoint implements ApprovalActionProvider<Input> {
  readonly id = 'webhook_endpoint.create';
  readonly title = 'Register a webhook endpoint';
  readonly approverRoles = ['owner'] as const;
  readonly secret = { name: 'signing secret', envVar: 'GATEHOUSE_WEBHOOK_SECRET' };
  readonly inputSchema = {
    type: 'object',
    properties: {
      url: { type: 'string', maxLength: 2048, description: 'Where events are sent: a public https URL.' },
      description: { type: ['string', 'null'], maxLength: 500 },
      eventTypes: {
        type: ['array', 'null'],
        items: { type: 'string' },
        minItems: 1,
        maxItems: 100,
        uniqueItems: true,
        description: 'Which events it gets; leave it out for every event.',
      },
    },
    required: ['url'],
    additionalProperties: false,
  };

  constructor(
    private readonly registration: EndpointRegistrationService,
    private readonly checks: EndpointValidator,
  ) {}

  summarise({ url, description, eventTypes }: Input, { environment }: WorkspaceCaller): string {
    this.checks.checkForm({ url, description, eventTypes });
    const events = eventTypes ? `these events: ${eventTypes.join(', ')}` : 'every event';
    const named = description ? ` (“${description}”)` : '';
    return `Register the webhook endpoint ${url}${named} in the environment ${environment.name}; it gets ${events}.`;
  }

  prepare({ url }: Input): Promise<void> {
    return this.checks.check({ url });
  }

  async perform(input: Input, approver: WorkspaceCaller): Promise<ActionOutcome> {
    const { endpoint, secret } = await this.registration.create(approver, input);
    return { result: { ...endpoint }, secret };
  }
}

import { ApprovalAction, type ApprovalActionProvider, inputOf, named } from '../approvals/index.js';
import type { WorkspaceCaller } from '../core/access/index.js';
import { inlineText } from '../notifications/index.js';
import type { EndpointInput } from './endpoint.dto.js';
import { EndpointRegistrationService } from './endpoint-registration.service.js';
import { EndpointValidator } from './endpoint-validator.js';
import { EndpointsService } from './endpoints.service.js';

@ApprovalAction()
export class CreateEndpoint implements ApprovalActionProvider<EndpointInput> {
  readonly id = 'webhook_endpoint.create';
  readonly title = 'Register a webhook endpoint';
  readonly approverRoles = ['owner'] as const;
  readonly secret = { name: 'signing secret', envVar: 'GATEHOUSE_WEBHOOK_SECRET' };
  readonly inputSchema = inputOf(
    { url: { type: 'string', maxLength: 2048, description: 'Where events are sent: a public https URL.' } },
    {
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
  );

  constructor(
    private readonly registration: EndpointRegistrationService,
    private readonly checks: EndpointValidator,
  ) {}

  summarise({ url, description, eventTypes }: EndpointInput, { environment }: WorkspaceCaller): string {
    this.checks.checkForm({ url, description, eventTypes });
    const events = eventTypes ? `these events: ${eventTypes.join(', ')}` : 'every event';
    // What is quoted must not end the quotation.
    const described = description ? ` (“${inlineText(description).replace(/[“”]/g, '"')}”)` : '';
    // The host as it is asked for: letters of two scripts can look alike.
    const { href } = new URL(url);
    return `Register the webhook endpoint ${href}${described} in the environment ${environment.name}; it gets ${events}.`;
  }

  prepare({ url }: EndpointInput): Promise<void> {
    return this.checks.check({ url });
  }

  async perform(input: EndpointInput, approver: WorkspaceCaller) {
    const { endpoint, secret } = await this.registration.create(approver, input);
    return { result: { ...endpoint }, secret };
  }
}

interface EndpointReference {
  endpointId: string;
}

const ENDPOINT_INPUT = inputOf({
  endpointId: { type: 'string', description: 'The id of the endpoint (`whe_…`).' },
});

@ApprovalAction()
export class EnableEndpoint implements ApprovalActionProvider<EndpointReference> {
  readonly id = 'webhook_endpoint.enable';
  readonly title = 'Resume deliveries to a webhook endpoint';
  readonly approverRoles = ['owner'] as const;
  readonly inputSchema = ENDPOINT_INPUT;

  constructor(private readonly endpoints: EndpointsService) {}

  async summarise({ endpointId }: EndpointReference, asker: WorkspaceCaller) {
    const { url, environment } = await named('endpointId', this.endpoints.get(asker, endpointId));
    return `Resume deliveries to the webhook endpoint ${url} of the environment ${environment}; its signing secret stays.`;
  }

  async perform({ endpointId }: EndpointReference, approver: WorkspaceCaller) {
    return { result: { ...(await this.endpoints.enable(approver, endpointId)) } };
  }
}

@ApprovalAction()
export class DeleteEndpoint implements ApprovalActionProvider<EndpointReference> {
  readonly id = 'webhook_endpoint.delete';
  readonly title = 'Delete a webhook endpoint';
  readonly approverRoles = ['owner'] as const;
  readonly inputSchema = ENDPOINT_INPUT;

  constructor(private readonly endpoints: EndpointsService) {}

  async summarise({ endpointId }: EndpointReference, asker: WorkspaceCaller) {
    const { url, environment } = await named('endpointId', this.endpoints.get(asker, endpointId));
    return `Delete the webhook endpoint ${url} of the environment ${environment}, with its signing secret and its deliveries.`;
  }

  async perform({ endpointId }: EndpointReference, approver: WorkspaceCaller) {
    await this.endpoints.delete(approver, endpointId);
    return { result: { id: endpointId } };
  }
}

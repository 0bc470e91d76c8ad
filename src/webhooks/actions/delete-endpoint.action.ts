import {
  type ActionOutcome,
  ApprovalAction,
  type ApprovalActionProvider,
  named,
} from '../../approvals/index.js';
import type { WorkspaceCaller } from '../../core/access/index.js';
import { EndpointsService } from '../endpoints.service.js';
import { ENDPOINT_INPUT, type EndpointReference } from './endpoint-input.js';

@ApprovalAction()
export class DeleteEndpoint implements ApprovalActionProvider<EndpointReference> {
  readonly id = 'webhook_endpoint.delete';
  readonly title = 'Delete a webhook endpoint';
  readonly approverRoles = ['owner'] as const;
  readonly inputSchema = ENDPOINT_INPUT;

  constructor(private readonly endpoints: EndpointsService) {}

  async summarise({ endpointId }: EndpointReference, asker: WorkspaceCaller): Promise<string> {
    const { url, environment } = await named('endpointId', this.endpoints.get(asker, endpointId));
    return `Delete the webhook endpoint ${url} of the environment ${environment}, with its signing secret and its deliveries.`;
  }

  async perform({ endpointId }: EndpointReference, approver: WorkspaceCaller): Promise<ActionOutcome> {
    await this.endpoints.delete(approver, endpointId);
    return { result: { id: endpointId } };
  }
}

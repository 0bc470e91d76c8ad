import { Injectable } from '@nestjs/common';
import { IsString } from 'class-validator';

import {
  ApprovalRequestInput,
  ApprovalRequestsService,
  ASK_FOR_APPROVAL,
  READ_APPROVALS,
} from '../../approvals/index.js';
import { type FixedTool, fixedTool } from '../fixed-tool.js';
import { jsonResult } from '../tool-results.js';

class NoArguments {}

class ApprovalArguments {
  @IsString()
  request: string;
}

/**
 * Asking a person for what an agent may not do itself. There is no tool to approve with, nor one to redeem a secret with:
 * the first is for people, and the second would bring the secret to a model.
 */
@Injectable()
export class ApprovalTools {
  readonly tools: readonly FixedTool[] = [
    fixedTool({
      name: 'list_approval_actions',
      title: 'List the actions that a person can be asked for',
      description:
        'Lists the actions that `request_approval` can ask a person to carry out, each with the JSON Schema of its input. Those with `createsSecret` are not for agents.',
      properties: {},
      takes: NoArguments,
      rule: READ_APPROVALS,
      effect: 'reads',
      run: () => Promise.resolve(jsonResult(this.requests.listActions(), 'The rest is in the app.')),
    }),
    fixedTool({
      name: 'request_approval',
      title: 'Ask a person to approve an action',
      description:
        'Asks a person to carry out an action that you may not carry out yourself. Show them `approveUrl`; `get_approval` tells what became of it.',
      properties: {
        action: { type: 'string', description: 'The id of an action of list_approval_actions.' },
        input: { type: 'object', description: "What the action's schema asks for." },
        reason: {
          type: 'string',
          minLength: 1,
          maxLength: 500,
          description: 'Why, for the person who decides.',
        },
      },
      required: ['action', 'input', 'reason'],
      takes: ApprovalRequestInput,
      rule: ASK_FOR_APPROVAL,
      effect: 'changes',
      inEnvironment: true,
      run: async (caller, input) => jsonResult(await this.requests.create(caller, input), ''),
    }),
    fixedTool({
      name: 'get_approval',
      title: 'Read an approval request',
      description: 'Tells what became of a request that you have made.',
      properties: { request: { type: 'string', description: "The request's id." } },
      required: ['request'],
      takes: ApprovalArguments,
      rule: READ_APPROVALS,
      effect: 'reads',
      run: async (caller, { request }) => jsonResult(await this.requests.get(caller, request), ''),
    }),
  ];

  constructor(private readonly requests: ApprovalRequestsService) {}
}

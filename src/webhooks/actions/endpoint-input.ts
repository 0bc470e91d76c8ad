export interface EndpointReference {
  endpointId: string;
}

export const ENDPOINT_INPUT = {
  type: 'object',
  properties: { endpointId: { type: 'string', description: 'The id of the endpoint (`whe_…`).' } },
  required: ['endpointId'],
  additionalProperties: false,
};

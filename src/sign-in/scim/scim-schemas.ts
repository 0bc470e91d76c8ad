import { MOST_RESULTS } from './scim-query.js';

export const USER_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:User';
export const GROUP_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:Group';
export const LIST_RESPONSE = 'urn:ietf:params:scim:api:messages:2.0:ListResponse';
export const ERROR_RESPONSE = 'urn:ietf:params:scim:api:messages:2.0:Error';
const CONFIG_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig';
const TYPE_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:ResourceType';
const SCHEMA_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:Schema';

const ATTRIBUTE = {
  type: 'string',
  multiValued: false,
  required: false,
  caseExact: false,
  mutability: 'readWrite',
  returned: 'default',
  uniqueness: 'none',
};

type Attribute = Partial<Omit<typeof ATTRIBUTE, 'type'>> & {
  name: string;
  description: string;
  type?: string;
  subAttributes?: object[];
};

function attribute(own: Attribute): object {
  return { ...ATTRIBUTE, ...own };
}

const EXTERNAL_ID = attribute({
  name: 'externalId',
  description: 'What the directory calls it.',
  caseExact: true,
});

const USER = [
  attribute({
    name: 'userName',
    description: 'The name in the directory. Where it is no e-mail address, an address at work is needed.',
    required: true,
    uniqueness: 'server',
  }),
  EXTERNAL_ID,
  attribute({
    name: 'name',
    description: "The person's name.",
    type: 'complex',
    subAttributes: [
      attribute({ name: 'formatted', description: 'All of it.' }),
      attribute({ name: 'givenName', description: 'The first name.' }),
      attribute({ name: 'familyName', description: 'The last name.' }),
    ],
  }),
  attribute({ name: 'displayName', description: 'How others see the person here.' }),
  attribute({
    name: 'emails',
    description: 'Addresses; that which is primary, or else that at work, counts.',
    type: 'complex',
    multiValued: true,
    subAttributes: [
      attribute({ name: 'value', description: 'The address.' }),
      attribute({ name: 'type', description: 'Such as work.' }),
      attribute({ name: 'primary', description: 'Whether it is the one that counts.', type: 'boolean' }),
    ],
  }),
  attribute({
    name: 'active',
    description: 'Whether the person may come in. False ends all that acts for them.',
    type: 'boolean',
  }),
];

const GROUP = [
  attribute({
    name: 'displayName',
    description: 'The name of the group, by which the settings say what it is here.',
    required: true,
    uniqueness: 'server',
  }),
  EXTERNAL_ID,
  attribute({
    name: 'members',
    description: 'The people in it. Lists of groups leave it out.',
    type: 'complex',
    multiValued: true,
    subAttributes: [
      attribute({
        name: 'value',
        description: 'The id of a person.',
        caseExact: true,
        mutability: 'immutable',
      }),
      attribute({ name: 'type', description: 'User.', mutability: 'immutable' }),
    ],
  }),
];

/** What the service can do, in the protocol's words (RFC 7643, section 5). */
export function serviceProviderConfig(baseUrl: string): object {
  return {
    schemas: [CONFIG_SCHEMA],
    documentationUri: `${baseUrl}/docs/guide/sign-in`,
    patch: { supported: true },
    bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
    filter: { supported: true, maxResults: MOST_RESULTS },
    changePassword: { supported: false },
    sort: { supported: false },
    etag: { supported: false },
    authenticationSchemes: [
      {
        type: 'oauthbearertoken',
        name: 'Bearer token',
        description: 'The token of the setting SCIM_TOKEN, as `Authorization: Bearer <token>`.',
        primary: true,
      },
    ],
    meta: { resourceType: 'ServiceProviderConfig', location: `${baseUrl}/scim/v2/ServiceProviderConfig` },
  };
}

export function resourceTypes(baseUrl: string): Record<string, object> {
  const type = (name: string, schema: string): object => ({
    schemas: [TYPE_SCHEMA],
    id: name,
    name,
    endpoint: `/${name}s`,
    schema,
    meta: { resourceType: 'ResourceType', location: `${baseUrl}/scim/v2/ResourceTypes/${name}` },
  });
  return { User: type('User', USER_SCHEMA), Group: type('Group', GROUP_SCHEMA) };
}

export function schemas(baseUrl: string): Record<string, object> {
  const schema = (id: string, name: string, description: string, attributes: object[]): object => ({
    schemas: [SCHEMA_SCHEMA],
    id,
    name,
    description,
    attributes,
    meta: { resourceType: 'Schema', location: `${baseUrl}/scim/v2/Schemas/${id}` },
  });
  return {
    [USER_SCHEMA]: schema(USER_SCHEMA, 'User', 'A person', USER),
    [GROUP_SCHEMA]: schema(GROUP_SCHEMA, 'Group', 'A group of people', GROUP),
  };
}

/** All there are of what describes the service. */
export function listOf(resources: Record<string, object>): object {
  const all = Object.values(resources);
  return {
    schemas: [LIST_RESPONSE],
    totalResults: all.length,
    startIndex: 1,
    itemsPerPage: all.length,
    Resources: all,
  };
}

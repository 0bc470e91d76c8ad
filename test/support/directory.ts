import { type Answer, createClient } from '../../libs/testing/index.js';

const TYPE = { 'content-type': 'application/scim+json' };
const USER = 'urn:ietf:params:scim:schemas:core:2.0:User';
const GROUP = 'urn:ietf:params:scim:schemas:core:2.0:Group';
const PATCH = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';

/** A company's directory, which manages people and groups by SCIM. */
export class Directory {
  private readonly client;

  constructor(baseUrl: string, token: string, headers: Record<string, string> = {}) {
    this.client = createClient({ baseUrl, token, headers });
  }

  get(path: string): Promise<Answer> {
    return this.client.get(`/scim/v2/${path}`);
  }

  find(what: 'Users' | 'Groups', filter: string, more = ''): Promise<Answer> {
    return this.get(`${what}?filter=${encodeURIComponent(filter)}${more}`);
  }

  post(path: string, body: object): Promise<Answer> {
    return this.client.post(`/scim/v2/${path}`, body, TYPE);
  }

  put(path: string, body: object): Promise<Answer> {
    return this.client.put(`/scim/v2/${path}`, body, TYPE);
  }

  patch(path: string, ...operations: object[]): Promise<Answer> {
    return this.client.patch(`/scim/v2/${path}`, { schemas: [PATCH], Operations: operations }, TYPE);
  }

  delete(path: string): Promise<Answer> {
    return this.client.delete(`/scim/v2/${path}`);
  }

  /** The id of a new person. */
  async person(userName: string, more: object = {}): Promise<string> {
    const { status, body, text } = await this.post('Users', {
      schemas: [USER],
      userName,
      active: true,
      ...more,
    });
    if (status !== 201) throw new Error(text);
    return body.id as string;
  }

  /** The id of a new group. */
  async group(displayName: string, members: readonly string[] = [], more: object = {}): Promise<string> {
    const list = members.map((value) => ({ value }));
    const group = { schemas: [GROUP], displayName, members: list, ...more };
    const { status, body, text } = await this.post('Groups', group);
    if (status !== 201) throw new Error(text);
    return body.id as string;
  }
}

import { createClient, firstRun, type GatehouseProcess, type Json } from '../../libs/testing/index.js';
import { App, type Tokens } from './oauth.js';

const COMMAND_LINE = 'gatehouse-cli';

/** A device that shows a code and waits for a person. */
export class AskingDevice {
  private constructor(private readonly codes: Json) {}

  static async at({ baseUrl }: GatehouseProcess): Promise<AskingDevice> {
    const { body } = await new App(COMMAND_LINE, baseUrl).form('/oauth/device', { client_id: COMMAND_LINE });
    return new AskingDevice(body as Json);
  }

  /** The first owner types the code in and says yes, and the device fetches its tokens. */
  async allow(gatehouse: GatehouseProcess): Promise<Tokens> {
    const { baseUrl } = gatehouse;
    const { email, password, workspace } = await firstRun(gatehouse);
    const login = await createClient({ baseUrl }).post('/v1/auth/login', { email, password });
    const cookie = login.headers.get('set-cookie')?.split(';')[0];
    if (cookie === undefined) throw new Error(`Nobody could sign in: ${login.text}`);
    const input = { userCode: this.codes.user_code, workspace, scopes: ['runs:read'] };
    const owner = createClient({ baseUrl, cookie });
    const allowed = await owner.post('/v1/account/device-requests/approve', input);
    if (allowed.status !== 200) throw new Error(`Not allowed: ${allowed.text}`);
    const grantType = 'urn:ietf:params:oauth:grant-type:device_code';
    const asked = { grant_type: grantType, device_code: this.codes.device_code as string };
    const { status, body } = await new App(COMMAND_LINE, baseUrl).token(asked);
    if (status !== 200) throw new Error(`No tokens: ${JSON.stringify(body)}`);
    return body as unknown as Tokens;
  }
}

import { client } from '../../../support/gatehouse.js';

/** A device shows a code. Gives what a person types in. */
export async function askFromDevice(): Promise<{ userCode: string }> {
  const { body } = await client().post('/oauth/device', 'client_id=gatehouse-cli', {
    'content-type': 'application/x-www-form-urlencoded',
  });
  return { userCode: body.user_code };
}

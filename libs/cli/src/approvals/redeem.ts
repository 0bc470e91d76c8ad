import type { Context } from '../context.js';
import { redeemSecret } from './redeem-secret.js';

export default async function redeem({
  args,
  options,
  gatehouse,
}: Context<{ envFile?: string }>): Promise<void> {
  await redeemSecret(await gatehouse(), args[0]!, options.envFile);
}

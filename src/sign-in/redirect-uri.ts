import type { Settings } from '../core/config/index.js';

/** Where a provider sends browsers back to. */
export function redirectUriOf({ baseUrl }: Settings, way: string): string {
  return `${baseUrl}/v1/auth/ways/${way}/callback`;
}

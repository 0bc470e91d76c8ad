import { basePath } from './base.js';

/** Whether the service responds at all. Code of the console that it has no more is of an older console than it serves now. */
export async function isReachable(): Promise<boolean> {
  const response = await fetch(`${basePath}/`, { method: 'HEAD', cache: 'no-store' }).catch(() => null);
  return response?.ok ?? false;
}

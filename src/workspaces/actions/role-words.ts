import type { Role } from '../../core/access/index.js';

export function withArticle(role: Role): string {
  return role === 'admin' || role === 'owner' ? `an ${role}` : `a ${role}`;
}

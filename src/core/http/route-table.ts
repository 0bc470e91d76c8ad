import type { FastifyInstance, FastifyRequest } from 'fastify';

import { NotFound, ProblemError } from './errors.js';

interface KnownPath {
  pattern: RegExp;
  methods: Set<string>;
}

/** Which paths there are, collected as routes are added: a known path with another method is a 405 that says so. */
export class RouteTable {
  private readonly paths = new Map<string, KnownPath>();

  constructor(server: FastifyInstance) {
    server.addHook('onRoute', ({ url, method }) => {
      if (!url.includes('*')) for (const name of [method].flat()) this.add(url, name);
    });
  }

  /** Whatever was thrown then: for an unknown path Nest has an exception of its own, and Fastify one for some methods. */
  isUnknown(request: FastifyRequest): boolean {
    return request.routeOptions?.url === undefined;
  }

  private add(url: string, method: string): void {
    let path = this.paths.get(url);
    if (!path) {
      const source = url
        .split(/:[A-Za-z]+/)
        .map((text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
        .join('[^/]+');
      path = { pattern: new RegExp(`^${source}$`), methods: new Set() };
      this.paths.set(url, path);
    }
    path.methods.add(method);
  }

  /** What it should have said. */
  problemOf(request: FastifyRequest): ProblemError {
    const path = request.url.split('?', 1)[0]!;
    const methods = [...this.paths.values()]
      .filter(({ pattern }) => pattern.test(path))
      .flatMap((known) => [...known.methods]);
    if (methods.length === 0) return new NotFound(`route as ${request.method} ${path.slice(0, 200)}`);
    const allow = [...new Set(methods)].sort().join(', ');
    return new ProblemError('method_not_allowed', `This path takes ${allow}.`, undefined, { allow });
  }
}

import { METHODS, type ApiDocument } from '../../../../src/core/openapi/document.js';
import { client } from '../../../support/gatehouse.js';

/** Every route that the service says it has: `GET /v1/runs/{runId}`. */
export async function documentedRoutes(): Promise<string[]> {
  const { body } = await client().get('/v1/openapi.json');
  return Object.entries((body as ApiDocument).paths).flatMap(([path, item]) =>
    METHODS.filter((method) => item[method]).map((method) => `${method.toUpperCase()} ${path}`),
  );
}

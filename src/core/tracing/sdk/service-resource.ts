import {
  defaultResource,
  detectResources,
  envDetector,
  type Resource,
  resourceFromAttributes,
} from '@opentelemetry/resources';

import { VERSION } from '../../config/index.js';

/** What a collector is told of this service, with what OpenTelemetry's variables say of it. */
export function serviceResource(role: string): Resource {
  const own = { 'service.name': 'gatehouse', 'service.version': VERSION, 'gatehouse.role': role };
  return defaultResource()
    .merge(resourceFromAttributes(own))
    .merge(detectResources({ detectors: [envDetector] }));
}

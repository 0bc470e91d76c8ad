export { BodyInterceptor } from './body.interceptor.js';
export { ApiByteResponse } from './byte-response.decorator.js';
export type { ByteContent } from './byte-response.js';
export type { CausingRun } from './causing-run.js';
export { asSeconds, MOMENT, momentOf, Seconds, secondsForm } from './durations.js';
export { sendEventStream } from './event-stream.js';
export { ApiExport, ExportOf, sendExport } from './export.js';
export { ApiFixedResponse } from './fixed-response.decorator.js';
export { FixedResponseInterceptor } from './fixed-response.interceptor.js';
export { FixedResponse } from './fixed-response.js';
export { HostCookie } from './host-cookie.js';
export { HttpServer } from './http-server.js';
export { HttpModule } from './http.module.js';
export { IfGiven } from './if-given.js';
export { isLarge, parseJson, readBody } from './json-body.js';
export { labelProblem } from './label-problem.js';
export { observeResponses } from './observe-responses.js';
export { JsonObject, OpaqueJson } from './opaque-json.js';
export { OptionalTimestamp } from './optional-timestamp.js';
export { PageOf } from './page-of.js';
export { PageQuery } from './page-query.dto.js';
export { PatchOf } from './patch-of.js';
export { envelope, sendProblem } from './problem-response.js';
export { Repeatable } from './repeatable.js';
export { type GatehouseRequest, type GatehouseResponse, routeOf, singleHeader } from './request.js';
export {
  BodyLimit,
  DEFAULT_BODY_LIMIT,
  ForeignRequest,
  IDEMPOTENCY,
  IdempotentBy,
  LINK_TOKEN,
  OpenedByLink,
  STREAMED_BODY,
  StreamedBody,
} from './route-options.js';
export { MethodNotAllowedCheck } from './method-not-allowed-check.js';
export { type Route, Routes } from './routes.js';
export { parseRunsOn, RunsOn } from './runs-on.js';
export { IsLine, IsMoment, IsText, IsTimestamp, lineProblem, textProblem } from './text.validators.js';
export { uncheckedInput } from './unchecked-input.js';
export { StrictValidationPipe } from './validation.pipe.js';
export { whenOver } from './when-over.js';
export { WholeNumber } from './whole-number.js';
export { writtenAddress } from './written-address.js';

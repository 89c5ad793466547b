export { Application, type ApplicationOptions } from './application/application.ts';
export { httpMetricCells, httpMetrics, type Route } from './application/http-metrics.ts';
export type { Outcome, OutcomeWatch, WatchedVisit } from './application/outcomes.ts';
export { type HttpServer, serveHttp } from './application/server.ts';
export { fieldErrors } from './input/field-errors.ts';
export { formText } from './input/form-text.ts';
export { issueText } from './input/issue-text.ts';
export { lostDigits } from './input/json/lost-digits.ts';
export { parseJson } from './input/json/parse-json.ts';
export {
  listReader,
  objectReader,
  optionalMember,
  plainMember,
  plainObject,
  plainText,
} from './input/json/plain-json.ts';
export { queryBoolean, queryInteger, queryList } from './input/query-schemas.ts';
export type { FieldWords } from './openapi/described-fields.ts';
export { describedObject } from './openapi/described-object.ts';
export { type ApiInfo, type OpenApiDocument, openApiDocument } from './openapi/openapi.ts';
export type { PathFamily } from './openapi/operation-name.ts';
export type { RequestExample, RequestExamples } from './openapi/request-examples.ts';
export { mayReadMetrics, metricsType, operationsEndpoints, type Probe } from './operations/operations-endpoints.ts';
export { referenceEndpoints } from './operations/reference-endpoints.ts';
export { shown, withAbsence } from './problems/absence.ts';
export { problemFromError } from './problems/from-error.ts';
export {
  type FieldError,
  inEnglish,
  invalidRequest,
  Problem,
  ProblemError,
  type ProblemOptions,
  problem,
  tooManyRequests,
  unauthenticated,
} from './problems/problem.ts';
export { defineProblems, type ProblemCode, type ProblemKind, problemKinds } from './problems/problem-kinds.ts';
export { type ErrorRenderer, renderProblem } from './problems/problem-renderer.ts';
export {
  type EventSource,
  eventStream,
  type RenderedEvent,
  renderEvent,
  type ServerEvent,
} from './reply/event-stream.ts';
export {
  bytes,
  json,
  jsonText,
  lasting,
  noContent,
  page,
  type Reply,
  redirect,
  stream,
  withHeaders,
} from './reply/reply.ts';
export { UnreadChunks } from './reply/unread-chunks.ts';
export type { Access, Guard, Visit } from './routing/access.ts';
export type { Call } from './routing/call.ts';
export { type Answer, type Endpoint, endpointFor, type Method } from './routing/endpoint.ts';
export { type Allowance, type RateClass, rated, type Throttle } from './routing/throttle.ts';
export { ConnectionBound } from './transport/connection-bound.ts';
export { FixedHeaders } from './transport/header-block.ts';
export { openTransport, type TransportChoice } from './transport/open-transport.ts';
export type {
  ClosedConnections,
  Foreseen,
  IncomingRequest,
  Listener,
  Outgoing,
  StreamSource,
  Transport,
  TransportKind,
  TransportLimits,
} from './transport/transport.ts';

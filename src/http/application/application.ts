import {
  type AddressList,
  endOfTurn,
  forgetEnd,
  type Log,
  type Metrics,
  type RequestClock,
  readStopwatch,
  type Tracing,
} from '../../platform/index.ts';
import { decodeInput, type InputLimits } from '../input/decode-input.ts';
import { shown, withAbsence } from '../problems/absence.ts';
import { problemFromError } from '../problems/from-error.ts';
import { Problem, problem, tooManyRequests } from '../problems/problem.ts';
import { type ErrorRenderer, renderProblem } from '../problems/problem-renderer.ts';
import { noContent, type Reply, withHeaders } from '../reply/reply.ts';
import type { Guard } from '../routing/access.ts';
import { ActiveCall } from '../routing/call.ts';
import type { Endpoint } from '../routing/endpoint.ts';
import { type Match, Router } from '../routing/router.ts';
import type { Throttle, ThrottleRule } from '../routing/throttle.ts';
import type { FixedHeaders } from '../transport/header-block.ts';
import type { Foreseen, IncomingRequest, Listener, Outgoing, Refusal } from '../transport/transport.ts';
import { addedHeaders, preflightHeaders, readableByAll } from './added-headers.ts';
import { noMeter, type RouteMeter, routeMeter, unmatchedMeter } from './http-metrics.ts';
import { type Outcome, type OutcomeWatch, tellingOutcome } from './outcomes.ts';
import { rendered } from './rendered.ts';
import { checkReply } from './reply-check.ts';
import { RequestFailures } from './request-failures.ts';

/** The lowest status of the answers that are logged. */
const loggedFrom = { off: Number.POSITIVE_INFINITY, errors: 500, '4xx': 400, all: 0 } as const;

type AccessLog = keyof typeof loggedFrom;

export interface ApplicationOptions<Caller> {
  readonly endpoints: readonly Endpoint[];
  readonly guard: Guard<Caller>;
  readonly limits: InputLimits;
  readonly requestId: () => string;
  /** Whose `X-Forwarded-For` counts. */
  readonly trustedProxies: AddressList;
  readonly log: Log;
  /** Held while a request is answered, as far as that is done in one turn. */
  readonly clock?: RequestClock | undefined;
  readonly accessLog?: AccessLog;
  readonly tracing?: Tracing;
  /** Opened with `httpMetrics(endpoints)` among its definitions. */
  readonly metrics?: Metrics;
  readonly watchOutcomes?: OutcomeWatch<Caller>;
  /** Told, in the turn of the request, of each that no endpoint is for. */
  readonly watchUnmatched?: (request: Pick<IncomingRequest, 'id' | 'method' | 'path'>, refusal: Problem) => void;
  readonly throttle?: Throttle<Caller>;
  /** How it is said that there is nothing at an address. As a problem where omitted. */
  readonly rendererAt?: (path: string) => ErrorRenderer | undefined;
  /** Fails a request whose JSON answer does not fit its schema, or whose problem is not listed: for tests. */
  readonly checkReplies?: boolean;
}

/** What stands ready for each endpoint. */
interface Prepared {
  readonly rule: ThrottleRule<never> | undefined;
  readonly meter: RouteMeter;
  readonly bodyMax: number;
  readonly added: FixedHeaders | undefined;
}

type RouteMatch = Match<Prepared>;
type Result = Outcome;

/**
 * The service as a transport sees it: finds the endpoint, asks the guard, reads the input, calls the handler and writes
 * what comes back. Where guard and handler answer in the same turn, so does this: no promise is made on that way.
 */
export class Application<Caller> implements Listener {
  readonly #options: ApplicationOptions<Caller>;
  readonly #router: Router<Prepared>;
  readonly #unmatched: RouteMeter;
  readonly #failures: RequestFailures;

  /** @throws RangeError where two endpoints have the same method and path */
  constructor(options: ApplicationOptions<Caller>) {
    this.#options = options;
    this.#failures = new RequestFailures(options.log);
    const { metrics, limits } = options;
    this.#unmatched = metrics === undefined ? noMeter : unmatchedMeter(metrics);
    this.#router = new Router(options.endpoints, (endpoint) => ({
      rule: options.throttle?.(endpoint),
      meter: metrics === undefined ? noMeter : routeMeter(metrics, endpoint.method, endpoint.path),
      bodyMax: endpoint.bodyMax ?? limits.bodyBytes,
      added: addedHeaders(endpoint),
    }));
  }

  foresee(requests: readonly Foreseen[]): void {
    this.#options.guard.foresee?.(requests);
  }

  accept(request: IncomingRequest): number {
    request.id = this.#options.requestId();
    request.added = undefined;
    const { notes } = request;
    // only this application puts something there
    const match = (notes?.route as RouteMatch | undefined) ?? this.#router.match(request.method, request.path);
    if (notes !== undefined && notes.route === undefined) notes.route = match;
    request.route = match;
    if (match.kind !== 'found') return this.#options.limits.bodyBytes;
    // reading it now keeps it: see the contract
    if (match.route.endpoint.query !== undefined) void request.query;
    return match.route.prepared.bodyMax;
  }

  handle(request: IncomingRequest): Outgoing | Promise<Outgoing> {
    const match = request.route as RouteMatch;
    const { clock, tracing } = this.#options;
    let result: Result | Promise<Result>;
    clock?.hold(request.handledAt);
    forgetEnd();
    try {
      result = tracing?.enabled ? this.#traced(match, request) : this.#answer(match, request);
    } catch (error) {
      result = this.#failure(request, error);
    } finally {
      clock?.release();
    }
    if (!(result instanceof Promise)) return this.#finish(match, request, result, endOfTurn());
    // the next request begins now, whatever was measured in this one
    readStopwatch();
    return result.then(
      (late) => this.#finish(match, request, late, readStopwatch()),
      (error) => this.#finish(match, request, this.#failure(request, error), readStopwatch()),
    );
  }

  refuse(request: IncomingRequest, reason: Refusal): Outgoing {
    const match = request.route as RouteMatch;
    return this.#finish(match, request, problem(reason, this.#refusalDetail(match, reason)), readStopwatch());
  }

  #refusalDetail(match: RouteMatch, reason: Refusal): string | undefined {
    if (reason !== 'body_too_large') return refusalDetails[reason];
    const max = match.kind === 'found' ? match.route.prepared.bodyMax : this.#options.limits.bodyBytes;
    return `The body is larger than ${max} bytes, which is the limit here.`;
  }

  failed(request: IncomingRequest, error: unknown): void {
    this.#options.log.error({ request_id: request.id, path: request.path, error }, 'a stream broke off');
  }

  #traced(match: RouteMatch, request: IncomingRequest): Result | Promise<Result> {
    const route = match.kind === 'found' ? match.route.endpoint.path : undefined;
    const attributes = {
      'http.request.method': request.method,
      'url.path': request.path,
      ...(route === undefined ? {} : { 'http.route': route }),
    };
    const name = route === undefined ? request.method : `${request.method} ${route}`;
    const header = (header: string): string => request.header(header);
    return (this.#options.tracing as Tracing).serverSpan(name, header, attributes, () => this.#answer(match, request));
  }

  #answer(match: RouteMatch, request: IncomingRequest): Result | Promise<Result> {
    switch (match.kind) {
      case 'found':
        return this.#enter(match.route.endpoint, match.params, request);
      case 'not_found':
        return this.#refused(
          request,
          problem('not_found', `There is nothing at ${request.method} ${shown(request.path)}.`),
        );
      case 'malformed':
        return this.#refused(request, problem('malformed_url', 'The path cannot be decoded.'));
      case 'options':
        return noContent({ allow: match.allow, ...(match.cors ? preflightHeaders(match.allow) : {}) });
      case 'method_not_allowed':
        return this.#refused(
          request,
          problem('method_not_allowed', `${request.method} is not allowed here. Allowed: ${match.allow}.`, {
            headers: { allow: match.allow, ...(match.cors ? readableByAll : {}) },
          }),
        );
    }
  }

  #refused(request: IncomingRequest, refusal: Problem): Problem {
    this.#options.watchUnmatched?.(request, refusal);
    return refusal;
  }

  #enter(
    endpoint: Endpoint,
    params: Readonly<Record<string, string>>,
    request: IncomingRequest,
  ): Result | Promise<Result> {
    const call = new ActiveCall(endpoint, params, request, this.#options.trustedProxies);
    if (endpoint.access === 'public') return this.#throttled(call, undefined) ?? this.#run(call, undefined);
    const caller = this.#options.guard.authenticate(call);
    if (!(caller instanceof Promise)) return this.#authorize(call, caller, undefined);
    const body = Buffer.from(request.body);
    return caller.then((late) => this.#authorize(call, late, body));
  }

  /** @param body where it was copied; undefined in the turn of the request, which has it */
  #authorize(call: ActiveCall, caller: Caller | Problem, body: Buffer | undefined): Result | Promise<Result> {
    if (caller instanceof Problem) return caller;
    call.caller = caller;
    const tell = this.#options.watchOutcomes?.(caller, call);
    return tell === undefined
      ? this.#admit(call, caller, body)
      : tellingOutcome(tell, () => this.#admit(call, caller, body));
  }

  #admit(call: ActiveCall, caller: Caller, body: Buffer | undefined): Result | Promise<Result> {
    return this.#throttled(call, caller) ?? this.#permit(call, caller, body);
  }

  #throttled(call: ActiveCall, caller: Caller | undefined): Problem | undefined {
    const match = call.request.route as RouteMatch;
    // made by this application's own throttle, for its own callers
    const rule = match.kind === 'found' ? (match.route.prepared.rule as ThrottleRule<Caller> | undefined) : undefined;
    if (rule === undefined) return undefined;
    const { headers, retryAfter } = rule(caller, call);
    call.request.added = headers;
    return retryAfter === undefined ? undefined : tooManyRequests(retryAfter);
  }

  #permit(call: ActiveCall, caller: Caller, body: Buffer | undefined): Result | Promise<Result> {
    const denial = this.#options.guard.authorize(caller, call.endpoint.access, call);
    if (!(denial instanceof Promise)) return denial ?? this.#run(call, body);
    const kept = body ?? Buffer.from(call.request.body);
    return denial.then((late) => late ?? this.#run(call, kept));
  }

  #run(call: ActiveCall, body: Buffer | undefined): Result | Promise<Result> {
    return decodeInput(call, body, this.#options.limits) ?? call.endpoint.handler(call);
  }

  #failure(request: IncomingRequest, error: unknown): Problem {
    const known = problemFromError(error);
    if (known !== undefined && known.kind.status < 500) return known;
    this.#failures.failed(request, error, known);
    return known ?? problem('internal', 'The request failed. The log has the reason under its request id.');
  }

  #finish(match: RouteMatch, request: IncomingRequest, result: Result, endedAt: number): Outgoing {
    const route = match.kind === 'found' ? match.route : undefined;
    let reply: Reply;
    if (result instanceof Problem) {
      const said = match.kind === 'found' ? withAbsence(result, match.route.endpoint.path, match.params) : result;
      const failure = this.#options.checkReplies && route !== undefined ? this.#declared(route.endpoint, said) : said;
      reply = rendered(this.#rendererOf(match, request.path), failure, request);
    } else
      reply =
        this.#options.checkReplies && route !== undefined ? this.#checked(route.endpoint, request, result) : result;
    if (route?.prepared.added !== undefined) reply = withHeaders(reply, route.prepared.added);
    if (request.added !== undefined) reply = withHeaders(reply, request.added);
    (route?.prepared.meter ?? this.#unmatched).record(request.startedAt, endedAt, reply.status);
    if (reply.status >= loggedFrom[this.#options.accessLog ?? 'off']) this.#logAccess(request, endedAt, reply.status);
    return reply;
  }

  /** As the endpoint writes its problems, or those that stand at the path for other methods. */
  #rendererOf(match: RouteMatch, path: string): ErrorRenderer {
    if (match.kind === 'found') return match.route.endpoint.renderer;
    if (match.kind === 'method_not_allowed') return match.renderer;
    return this.#options.rendererAt?.(path) ?? renderProblem;
  }

  #checked(endpoint: Endpoint, request: IncomingRequest, reply: Reply): Reply {
    const fault = checkReply(endpoint, reply);
    if (fault === undefined) return reply;
    const fields = { request_id: request.id, path: request.path, fault };
    this.#options.log.error(fields, 'an answer does not fit its schema');
    return rendered(endpoint.renderer, problem('internal', `The answer does not fit its schema: ${fault}`), request);
  }

  #declared(endpoint: Endpoint, failure: Problem): Problem {
    const { code, status } = failure.kind;
    if (status >= 500 || endpoint.errors.some((kind) => kind.code === code)) return failure;
    return problem('internal', `${endpoint.method} ${endpoint.path} does not list ${code} among its errors`);
  }

  #logAccess(request: IncomingRequest, endedAt: number, status: number): void {
    const ms = Math.round((endedAt - request.startedAt) * 1_000) / 1_000;
    const { id, method, path } = request;
    this.#options.log.info({ request_id: id, method, path, status, ms }, 'request');
  }
}

const refusalDetails: Readonly<Partial<Record<Refusal, string>>> = {
  length_required: 'Chunked bodies (Transfer-Encoding) are not accepted: send Content-Length.',
  request_timeout: 'The rest of the body did not arrive in time.',
};

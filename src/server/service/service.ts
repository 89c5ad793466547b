import { isForScim, loggedGuard, type ServiceCaller, ServiceGuard } from '../../access/guard/index.ts';
import { ElevationTrail } from '../../access/trail/index.ts';
import { countedGuard } from '../../access/usage/index.ts';
import { keyUseRecords } from '../../directory/keys/index.ts';
import { keyRecords, scimTokenRecords, scimTokenUseRecords } from '../../directory/records/index.ts';
import {
  Application,
  type ApplicationOptions,
  type Endpoint,
  type ErrorRenderer,
  httpMetrics,
  type OutcomeWatch,
  type Route,
  referenceEndpoints,
  type Throttle,
} from '../../http/index.ts';
import { createThrottle } from '../../identity/limits/index.ts';
import { problemsOfPages } from '../../identity/pages/index.ts';
import type { FailureLog } from '../../kernel/audit/index.ts';
import { type LastUseNotes, lastUseNotes } from '../../kernel/commits/index.ts';
import { ofAll } from '../../kernel/modules/index.ts';
import {
  addressList,
  createTracing,
  type MetricDefinition,
  type Metrics,
  requestIdGenerator,
} from '../../platform/index.ts';
import { isScimPath, organizationAt, renderScim, ScimRequestLog } from '../../protocols/scim/index.ts';
import { platformRefusals, refusalWatch, superAccessRecorder } from './access-entries.ts';
import { apiInfo } from './api-info.ts';
import type { ServiceDependencies } from './dependencies.ts';
import { createServices, type Flush, flushesOf, type Services } from './services.ts';

/** One thread's service. */
export interface ThreadService {
  /** What its transport calls. */
  readonly application: Application<unknown>;
  readonly services: Services;
  /** All that the application has, as tests hold it against what is answered. */
  readonly endpoints: readonly Endpoint[];
  /** What `httpMetrics` says of its endpoints. */
  readonly routes: readonly Route[];
  /** Writes down what it remembers for a while: when keys were used, who was refused; `all` at its end. */
  readonly flushes: readonly Flush[];
}

/** @param openRoutes where requests are counted, by route */
export function createService(
  dependencies: ServiceDependencies,
  openRoutes: (definitions: readonly MetricDefinition[]) => Metrics,
): ThreadService {
  const { modules, reader, config, log } = dependencies;
  const services = createServices(dependencies);
  const { failures, apiCalls } = services;
  const keyUse = lastUseNotes(reader.engine, reader.clock, keyUseRecords, keyRecords);
  const scimRequests = new ScimRequestLog(reader.engine, reader.clock);
  const trail = new ElevationTrail(reader.engine, services.audit);
  const scimTokenUse = lastUseNotes(reader.engine, reader.clock, scimTokenUseRecords, scimTokenRecords);
  const described = ofAll(modules, ({ endpoints }) => endpoints?.(services));
  const routes = [
    ...described,
    ...ofAll(modules, ({ pages }) => pages?.(services)),
    ...referenceEndpoints(described, apiInfo(config.baseUrl)),
  ];
  const guard = loggedGuard(createGuard(dependencies, services, { keyUse, scimTokenUse, trail }), {
    ...reader,
    watch: (visit) => (isForScim(visit) ? scimRequests.watchStranger(visit) : platformRefusals(failures, visit)),
  });
  const application = new Application<unknown>({
    endpoints: routes,
    guard: countedGuard(guard, apiCalls) as never,
    limits: config.limits,
    requestId: requestIdGenerator(),
    trustedProxies: addressList(config.trustedProxies),
    log,
    clock: dependencies.clock,
    accessLog: config.accessLog,
    tracing: createTracing(),
    metrics: openRoutes(httpMetrics(routes)),
    watchOutcomes: outcomeWatch({ failures, scimRequests, trail }) as OutcomeWatch<unknown>,
    watchUnmatched: unmatchedWatch(reader, scimRequests),
    throttle: throttleOf(dependencies) as Throttle<unknown>,
    rendererAt: rendererAt(config.baseUrl),
  });
  return {
    application,
    services,
    endpoints: routes,
    routes: routes.map(({ method, path }) => ({ method, path })),
    flushes: [
      (all) => keyUse.flush(all),
      (all) => scimTokenUse.flush(all),
      () => scimRequests.flush(),
      () => trail.flush(),
      ...flushesOf(services),
    ],
  };
}

/** Requests are counted by the subject of their credential, in its organization. */
function throttleOf({ reader: { clock }, config: { limits }, memory: { rates } }: ServiceDependencies) {
  const nameOf = (caller: ServiceCaller): string =>
    'kind' in caller ? '' : `${caller.organization.slug}\n${caller.actor ?? caller.subject ?? ''}`;
  return createThrottle({ memory: rates, limits, clock, nameOf });
}

/** How it is said that there is nothing at a path: in the form of what is near it. */
function rendererAt(baseUrl: string): (path: string) => ErrorRenderer | undefined {
  const ofPages = problemsOfPages(baseUrl);
  return (path) => (isScimPath(path) ? renderScim : ofPages(path));
}

interface UseNotes {
  readonly keyUse: LastUseNotes;
  readonly scimTokenUse: LastUseNotes;
  readonly trail: ElevationTrail;
}

function createGuard(
  { reader, platformDigest }: ServiceDependencies,
  services: Services,
  { keyUse, scimTokenUse, trail }: UseNotes,
): ServiceGuard {
  const { engine, audit, guesses, oauth, baseUrl, signedIn, agentUse, refusedElsewhere } = services;
  return new ServiceGuard({
    ...reader,
    platformDigest,
    guesses,
    recordSuperAccess: superAccessRecorder(engine, audit),
    keyUse,
    agentUse,
    refusedElsewhere,
    elevatedRefused: (...refusal) => trail.refused(...refusal),
    scimTokenUse,
    tokens: oauth.verifier,
    requireHeard: services.requireHeard,
    proofs: oauth.proofs,
    baseUrl,
    tokenUsed: ({ organization: { store } }, id) => signedIn.tokens.touch(store, id),
  });
}

/** Requests of SCIM are written down also where there is nothing at their path. */
function unmatchedWatch(
  { engine, directory }: ServiceDependencies['reader'],
  scimRequests: ScimRequestLog,
): NonNullable<ApplicationOptions<unknown>['watchUnmatched']> {
  return (request, refusal) => {
    const named = organizationAt(request.path);
    const organization = named === undefined ? undefined : engine.read(() => directory.find(named));
    if (organization !== undefined) scimRequests.unmatched(organization, request, refusal);
  };
}

interface Watching {
  readonly failures: FailureLog;
  readonly scimRequests: ScimRequestLog;
  readonly trail: ElevationTrail;
}

/** Requests of SCIM and with elevated tokens are written down, and refusals of administration are put on record. */
function outcomeWatch({ failures, scimRequests, trail }: Watching): OutcomeWatch<ServiceCaller> {
  const refusals = refusalWatch(failures);
  return (caller, visit) => {
    if ('kind' in caller) return refusals(caller, visit);
    if (isForScim(visit)) return scimRequests.watch(caller, visit);
    if (caller.agency === undefined) return refusals(caller, visit);
    const tellTrail = trail.watch(caller, visit);
    const tellRefusals = refusals(caller, visit);
    return (outcome) => {
      tellTrail?.(outcome);
      tellRefusals?.(outcome);
    };
  };
}

import {
  type AuthzParts,
  checkEndpoints,
  checkMeter,
  modelEndpoints,
  relationEndpoints,
  tupleEndpoints,
  Watches,
} from '../../access/decisions/index.ts';
import { ServiceGuard } from '../../access/guard/index.ts';
import { ApiCalls, countedGuard } from '../../access/usage/index.ts';
import { auditEndpoints } from '../../audit/index.ts';
import { KeyUse, keyEndpoints } from '../../directory/keys/index.ts';
import { Organizations, platformEndpoints } from '../../directory/organizations/index.ts';
import { userEndpoints } from '../../directory/users/index.ts';
import {
  Application,
  type Endpoint,
  operationsEndpoints,
  type Probe,
  type RefusalWatch,
  rated,
  referenceEndpoints,
  type Throttle,
} from '../../http/index.ts';
import { accountEndpoints } from '../../identity/account/index.ts';
import { federationEndpoints, identityEndpoints, type Route } from '../../identity/federation/index.ts';
import { Guesses } from '../../identity/limits/index.ts';
import { factorEndpoints } from '../../identity/mfa/index.ts';
import { problemsOfPages } from '../../identity/pages/index.ts';
import { type AuditMaker, FailureLog } from '../../kernel/audit/index.ts';
import {
  addressList,
  Background,
  type Config,
  createSealer,
  createTracing,
  type Log,
  type MetricDefinition,
  type Metrics,
  requestIdGenerator,
  type Sealer,
  silentLog,
  singleThreadMetrics,
  uuidGenerator,
} from '../../platform/index.ts';
import {
  type AuthorizationParts,
  applicationPages,
  authorizationEndpoints,
  authorizationPages,
  createClientUse,
  protocolEndpoints,
} from '../../protocols/oauth/index.ts';
import type { ReaderParts } from '../threads/open-reader.ts';
import { allocateServiceMemory, type ServiceMemory } from '../threads/service-memory.ts';
import { accessEndpoints } from './access-endpoints.ts';
import { adminParts } from './admin-parts.ts';
import { apiInfo } from './api-info.ts';
import { configurationEndpoints } from './configuration-endpoints.ts';
import { clientAdministration } from './oauth/client-administration.ts';
import { oauthParts } from './oauth/oauth-parts.ts';
import { refusalWatch } from './refused-admin.ts';
import { serviceMetrics } from './server-metrics.ts';
import { type SessionServices, serviceThrottle, sessionAdministration, sessionServices } from './session-parts.ts';
import { federationService } from './signin/federation-service.ts';
import { pagesOfService, type SignInService, signInService } from './signin/sign-in-parts.ts';
import { creationRecorder, superAccessRecorder } from './super-access.ts';
import { userParts } from './user-parts.ts';

export interface ServiceParts {
  readonly reader: ReaderParts;
  readonly config: Config;
  readonly heavy: AuthzParts['heavy'];
  readonly metrics: Metrics;
  readonly log: Log;
  readonly background: Background;
  readonly platformDigest: string;
  readonly sealer: Sealer;
  readonly memory: ServiceMemory;
  readonly ready: () => Probe;
  /** Where URLs of providers of sign-in are really asked: set in tests alone, which run providers of their own. */
  readonly route?: Route;
  /** The text of `/metrics`. */
  readonly metricsPage: () => string | Promise<string | undefined>;
}

/** One thread's service: what its transport calls, and what writes down when keys were used and who was refused. */
export function createService(parts: ServiceParts): {
  readonly application: Application<unknown>;
  readonly keyUse: KeyUse;
  readonly clientUse: ReturnType<typeof createClientUse>;
  readonly apiCalls: ApiCalls;
  readonly failures: FailureLog;
  readonly signedIn: SessionServices;
  readonly signIn: SignInService;
} {
  const { reader, config, log, background, metrics } = parts;
  const { engine, clock } = reader;
  const audit: AuditMaker = { newId: uuidGenerator(clock), now: () => clock.now() };
  const failures = new FailureLog({ engine, audit, background });
  const keyUse = new KeyUse(engine, clock);
  const apiCalls = new ApiCalls(engine, clock);
  const identity = identityProvider(parts, audit, failures);
  const { signedIn, guesses, oauth, clientUse, signIn } = identity;
  const guard = new ServiceGuard({
    ...reader,
    platformDigest: parts.platformDigest,
    guesses,
    recordSuperAccess: superAccessRecorder(engine, audit),
    keyUsed: (caller, id) => keyUse.note(caller.organization.store.name, id),
    tokens: oauth.verifier,
    proofs: oauth.proofs,
    baseUrl: config.baseUrl,
    tokenUsed: ({ organization: { store } }, id) => signedIn.tokens.touch(store, id),
  });
  const endpoints = serviceEndpoints(parts, apiCalls, identity);
  const application = new Application<unknown>({
    endpoints: [...endpoints, ...pages(identity), ...referenceEndpoints(endpoints, apiInfo(config.baseUrl))],
    guard: countedGuard(guard, apiCalls) as never,
    limits: config.limits,
    requestId: requestIdGenerator(),
    trustedProxies: addressList(config.trustedProxies),
    log,
    accessLog: config.accessLog,
    tracing: createTracing(),
    metrics,
    watchRefusals: refusalWatch(failures) as RefusalWatch<unknown>,
    throttle: serviceThrottle(reader, config, parts.memory) as Throttle<unknown>,
    rendererAt: problemsOfPages(config.baseUrl),
  });
  return { application, keyUse, clientUse, apiCalls, failures, signedIn, signIn };
}

/** Who is signed in, how people sign in, and the provider of tokens. */
function identityProvider(parts: ServiceParts, audit: AuditMaker, failures: FailureLog) {
  const { reader, config, memory, sealer, heavy, log, background } = parts;
  const signedIn = sessionServices(reader, audit, memory);
  const guesses = new Guesses(memory.guesses, config.limits.rateRefused, reader.clock);
  const { sessions, tokens } = signedIn;
  const clientUse = createClientUse(reader.engine, reader.clock);
  const oauth = oauthParts({
    reader,
    audit,
    sealer,
    config,
    memory,
    guesses,
    sessions,
    tokens,
    clientUsed: (store, id) => clientUse.note(store, id),
  });
  const people = userParts({ reader, heavy, audit, sealer, config, log });
  const signIn = signInService({ reader, people, config, sealer, log, background, signedIn, failures, guesses });
  const federation = federationService(signIn, config, parts.route);
  return { signedIn, guesses, oauth, clientUse, people, signIn, federation };
}

type IdentityProvider = ReturnType<typeof identityProvider>;

function authorizationParts({ oauth, signIn }: IdentityProvider): AuthorizationParts {
  return { ...oauth, signIn: signIn.signIn, visits: signIn.parts };
}

/** Pages for people. */
function pages(identity: IdentityProvider): Endpoint[] {
  const { signIn, federation } = identity;
  const account = { ...signIn.parts, signIn: signIn.signIn, federation: federation.federation };
  return [
    ...pagesOfService(signIn),
    ...federationEndpoints(federation.parts),
    ...accountEndpoints(account),
    ...applicationPages(account),
    ...authorizationPages(authorizationParts(identity)),
  ];
}

/** Every endpoint of the service but those that describe the others. */
function serviceEndpoints(parts: ServiceParts, apiCalls: ApiCalls, identity: IdentityProvider): Endpoint[] {
  const { oauth, guesses, people, signIn } = identity;
  const { reader, heavy, metrics, config, sealer, background } = parts;
  const { engine, clock, systemModel, tokens } = reader;
  const newId = uuidGenerator(clock);
  const audit = { newId, now: () => clock.now() };
  const recordCreation = creationRecorder(audit);
  const organizations = new Organizations({ engine, clock, newId, systemModel, recordCreation });
  const admin = adminParts(reader, audit);
  const watches = new Watches({
    engine,
    tokens,
    clock,
    limits: config.limits,
    background,
    memory: parts.memory.watches,
  });
  const authz: AuthzParts = { ...reader, ...admin, heavy, meter: checkMeter(metrics), watches };
  return [
    ...operationsEndpoints({ ready: parts.ready, metricsPage: parts.metricsPage, metricsToken: config.metricsToken }),
    ...platformEndpoints(organizations),
    ...rated('decisions', [...checkEndpoints(authz), ...relationEndpoints(authz), ...tupleEndpoints(authz)]),
    ...modelEndpoints(authz),
    ...keyEndpoints(authz),
    ...userEndpoints(people),
    ...factorEndpoints(signIn.parts.mfa.parts, signIn.parts.mfa.recovery),
    ...identityEndpoints(people),
    ...accessEndpoints(admin, heavy),
    ...configurationEndpoints({ reader, audit, sealer, config, apiCalls }),
    ...sessionAdministration(reader, audit, heavy),
    ...clientAdministration({ reader, heavy, audit, config, guesses }),
    ...protocolEndpoints(oauth),
    ...authorizationEndpoints(authorizationParts(identity)),
    ...auditEndpoints({ engine, heavy, audit, dataDir: config.dataDir }),
  ];
}

/** What the service measures: known from its endpoints, before the memory for it is made. */
export function serviceDefinitions(reader: ReaderParts, config: Config): MetricDefinition[] {
  const metrics = singleThreadMetrics(serviceMetrics([]));
  const parts: ServiceParts = {
    reader,
    config,
    metrics,
    heavy: { run: () => Promise.reject(new Error('only described here')) },
    log: silentLog,
    background: new Background({ log: silentLog }),
    platformDigest: '',
    sealer: createSealer('only described here'),
    memory: allocateServiceMemory({ geoDatabase: null }),
    ready: () => ({ ready: false, checks: {} }),
    metricsPage: () => '',
  };
  const { clock, engine } = reader;
  const audit: AuditMaker = { newId: uuidGenerator(clock), now: () => clock.now() };
  const identity = identityProvider(parts, audit, new FailureLog({ engine, audit, background: parts.background }));
  const endpoints = serviceEndpoints(parts, new ApiCalls(engine, clock), identity);
  return serviceMetrics([...endpoints, ...pages(identity), ...referenceEndpoints([], apiInfo(config.baseUrl))]);
}

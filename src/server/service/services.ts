import { LanguageModels } from '../../access/ask/index.ts';
import { type AuthzDependencies, checkMeter, Freshness, Watches } from '../../access/decisions/index.ts';
import { FollowedStreams } from '../../access/follow/index.ts';
import { ApiCalls } from '../../access/usage/index.ts';
import { EventCursors, EventLog } from '../../delivery/stream/index.ts';
import type { ElevationDependencies } from '../../directory/elevations/index.ts';
import { Organizations } from '../../directory/organizations/index.ts';
import type { UserDependencies } from '../../directory/users/index.ts';
import type { Probe } from '../../http/index.ts';
import type { AccountDependencies } from '../../identity/account/index.ts';
import type { Route } from '../../identity/federation/index.ts';
import { Guesses } from '../../identity/limits/index.ts';
import type { Mfa } from '../../identity/mfa/index.ts';
import { type AuditMaker, FailureLog } from '../../kernel/audit/index.ts';
import { EventFeed, EventTypes } from '../../kernel/events/index.ts';
import type { RequireHeard } from '../../kernel/organizations/index.ts';
import type { TaskQueue } from '../../kernel/tasks/index.ts';
import { Numbers } from '../../kernel/transactions/index.ts';
import {
  type Background,
  type Config,
  type Log,
  type Metrics,
  OutboundGuard,
  type RequestClock,
  type Sealer,
  uuidGenerator,
} from '../../platform/index.ts';
import { type AuthorizationDependencies, clientAt } from '../../protocols/oauth/index.ts';
import { requireHeardBy } from '../cluster/require-heard.ts';
import { eventsOf, recordsOf, type ServiceModule } from '../modules.ts';
import type { ReaderDependencies } from '../threads/open-reader.ts';
import type { ServiceMemory } from '../threads/service-memory.ts';
import { adminDependencies } from './admin-dependencies.ts';
import { elevationDependencies } from './elevation-dependencies.ts';
import { oauthDependencies } from './oauth/oauth-dependencies.ts';
import { type ProgramUse, programUse } from './oauth/program-use.ts';
import { type SessionServices, sessionServices } from './session-dependencies.ts';
import { type FederationService, federationService } from './signin/federation-service.ts';
import { type SignInService, signInService } from './signin/sign-in-dependencies.ts';
import { creationRecorder, readingRecorder } from './super-access.ts';
import { userDependencies } from './user-dependencies.ts';

/** What a thread's service is made from. */
export interface ServiceDependencies {
  readonly modules: readonly ServiceModule[];
  readonly reader: ReaderDependencies;
  /** The clock of `reader`, where requests are answered with it. */
  readonly clock?: RequestClock;
  readonly config: Config;
  readonly queryPool: AuthzDependencies['queryPool'];
  readonly tasks: TaskQueue;
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

/** What the endpoints of modules work with, in one thread. */
export interface Services extends AuthzDependencies, ProgramUse {
  readonly tasks: TaskQueue;
  readonly log: Log;
  readonly background: Background;
  readonly ready: ServiceDependencies['ready'];
  readonly metricsPage: ServiceDependencies['metricsPage'];
  readonly config: Config;
  readonly dataDir: string;
  /** Without a trailing slash. */
  readonly baseUrl: string;
  readonly sealer: Sealer;
  /** Rules for the URLs of tenants. */
  readonly outbound: OutboundGuard;
  readonly languageModels: LanguageModels;
  readonly directory: ReaderDependencies['directory'];
  readonly organizations: Organizations;
  readonly numbers: Numbers;
  readonly failures: FailureLog;
  readonly guesses: Guesses;
  readonly apiCalls: ApiCalls;
  /** Whether a client is registered. To be called inside `Engine.read`. */
  readonly isClient: (store: Parameters<typeof clientAt>[0], id: string) => boolean;
  readonly people: UserDependencies;
  readonly signedIn: SessionServices;
  readonly elevations: ElevationDependencies;
  readonly mfa: Mfa;
  readonly signIn: SignInService;
  readonly federation: FederationService;
  readonly account: AccountDependencies;
  readonly eventTypes: EventTypes;
  readonly eventLog: EventLog;
  readonly streams: FollowedStreams;
  readonly oauth: AuthorizationDependencies;
  /** On a node of a cluster. */
  readonly requireHeard: RequireHeard | undefined;
}

function eventLog({ engine, clock }: ReaderDependencies, eventTypes: EventTypes): EventLog {
  const feed = new EventFeed({ engine, clock });
  return new EventLog({ engine, feed, eventTypes, cursors: new EventCursors(engine.logIdentity) });
}

export function createServices(dependencies: ServiceDependencies): Services {
  const { reader, config, memory, sealer, queryPool, tasks, log, background, metrics, ready, metricsPage } =
    dependencies;
  const { engine, clock, systemModel, tokens } = reader;
  const { baseUrl, dataDir, limits } = config;
  const newId = uuidGenerator(clock);
  const audit: AuditMaker = { newId, now: () => clock.now() };
  const failures = new FailureLog({ engine, audit, background });
  const requireHeard = requireHeardBy(memory.cluster, config);
  const signedIn = sessionServices(reader, audit, memory, requireHeard);
  const guesses = new Guesses(memory.guesses, limits.rateRefused, clock);
  const programs = programUse(engine, clock, failures);
  const records = recordsOf(dependencies.modules);
  const people = userDependencies({ reader, queryPool, audit, sealer, config, log, records });
  const signIn = signInService({ reader, people, config, sealer, log, background, signedIn, failures, guesses });
  const federation = federationService(signIn, config, dependencies.route);
  const provider = oauthDependencies({
    reader,
    audit,
    sealer,
    config,
    memory,
    guesses,
    sessions: signedIn.sessions,
    tokens: signedIn.tokens,
    requireHeard,
    ...programs,
  });
  const eventTypes = new EventTypes(eventsOf(dependencies.modules));
  const streams = new FollowedStreams({ engine, clock, limits, background, memory: memory.watches, requireHeard });
  return {
    eventTypes,
    eventLog: eventLog(reader, eventTypes),
    streams,
    requireHeard,
    ...reader,
    ...adminDependencies(reader, audit),
    ready,
    metricsPage,
    config,
    dataDir,
    baseUrl,
    queryPool,
    tasks,
    background,
    log,
    sealer,
    ...outboundServices(dependencies),
    organizations: new Organizations({
      engine,
      clock,
      newId,
      systemModel,
      recordCreation: creationRecorder(audit),
      recordReading: readingRecorder(audit),
    }),
    numbers: new Numbers(engine),
    failures,
    guesses,
    apiCalls: new ApiCalls(engine, clock),
    ...programs,
    isClient: (store, id) => clientAt(store, id) !== undefined,
    meter: checkMeter(metrics),
    watches: new Watches({ engine, tokens, streams }),
    freshness: config.clusterUrl === null ? undefined : new Freshness(engine, tokens),
    people,
    elevations: elevationDependencies(people, background, provider.spent, sealer),
    signedIn,
    mfa: signIn.dependencies.mfa,
    signIn,
    federation,
    account: { ...signIn.dependencies, signIn: signIn.signIn, federation: federation.federation },
    oauth: { ...provider, signIn: signIn.signIn, visits: signIn.dependencies },
  };
}

/** The rules for the URLs of tenants, and what asks at such URLs by itself. */
function outboundServices({ reader, config, sealer, log }: ServiceDependencies) {
  const outbound = new OutboundGuard(config.allowPrivateUrls);
  return { outbound, languageModels: new LanguageModels({ ...reader, sealer, log, outbound }) };
}

/** Writes down what services remember for a while; `all` at the end of their thread. */
export type Flush = (all: boolean) => Promise<unknown>;

/** To be called every few seconds in the thread that the services were made for. */
export function flushesOf({ clientUse, agentUse, apiCalls, signedIn, failures }: Services): Flush[] {
  return [
    () => clientUse.flush(),
    () => agentUse.flush(),
    (all) => apiCalls.flush(all),
    () => signedIn.flush(),
    (all) => failures.flush(all),
  ];
}

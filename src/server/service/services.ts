import { LanguageModels } from '../../access/ask/index.ts';
import { type AuthzDependencies, checkMeter, freshnessOf, Watches } from '../../access/decisions/index.ts';
import { FollowedStreams } from '../../access/follow/index.ts';
import { ApiCalls } from '../../access/usage/index.ts';
import { EventCursors, EventLog } from '../../delivery/stream/index.ts';
import type { ElevationDependencies } from '../../directory/elevations/index.ts';
import { Organizations } from '../../directory/organizations/index.ts';
import type { UserDependencies } from '../../directory/users/index.ts';
import { Guesses } from '../../identity/limits/index.ts';
import { type CallerAuditMaker, FailureLog } from '../../kernel/audit/index.ts';
import { EventFeed, EventTypes } from '../../kernel/events/index.ts';
import { Numbers } from '../../kernel/transactions/index.ts';
import { OutboundGuard, uuidGenerator } from '../../platform/index.ts';
import { type AuthorizationDependencies, clientAt } from '../../protocols/oauth/index.ts';
import { requireHeardBy } from '../cluster/require-heard.ts';
import { eventsOf } from '../modules.ts';
import type { ReaderDependencies } from '../threads/open-reader.ts';
import { creationRecorder, readingRecorder } from './access-entries.ts';
import type { ServiceBasis, ServiceDependencies } from './dependencies.ts';
import {
  type SessionServices,
  type SignInServices,
  sessionServices,
  signInServices,
  userDependencies,
} from './identity-services.ts';
import { oauthDependencies, type ProgramUse, programUse } from './oauth-services.ts';

type Shared = Pick<
  ServiceBasis,
  | 'tasks'
  | 'log'
  | 'background'
  | 'ready'
  | 'metricsPage'
  | 'config'
  | 'sealer'
  | 'outbound'
  | 'failures'
  | 'guesses'
  | 'requireHeard'
>;

/** What the endpoints of modules work with, in one thread. */
export interface Services extends Shared, AuthzDependencies, ProgramUse, SignInServices {
  readonly dataDir: string;
  /** Without a trailing slash. */
  readonly baseUrl: string;
  readonly languageModels: LanguageModels;
  readonly directory: ReaderDependencies['directory'];
  readonly organizations: Organizations;
  readonly numbers: Numbers;
  readonly apiCalls: ApiCalls;
  /** Whether a client is registered. To be called inside `Engine.read`. */
  readonly isClient: (store: Parameters<typeof clientAt>[0], id: string) => boolean;
  readonly people: UserDependencies;
  readonly signedIn: SessionServices;
  readonly elevations: ElevationDependencies;
  readonly eventTypes: EventTypes;
  readonly eventLog: EventLog;
  readonly streams: FollowedStreams;
  readonly oauth: AuthorizationDependencies;
}

function eventLog({ engine }: ReaderDependencies, eventTypes: EventTypes): EventLog {
  const feed = new EventFeed({ engine });
  return new EventLog({ engine, feed, eventTypes, cursors: new EventCursors(engine.logIdentity) });
}

export function createServices(dependencies: ServiceDependencies): Services {
  const { reader, config, memory, sealer, queryPool, tasks, log, background, metrics, ready, metricsPage } =
    dependencies;
  const { engine, clock, rights, actors, systemModel, tokens } = reader;
  const { baseUrl, dataDir, limits } = config;
  const newId = uuidGenerator(clock);
  const audit: CallerAuditMaker = { newId, now: () => clock.now(), actors };
  const requireHeard = requireHeardBy(memory.cluster, config);
  const basis: ServiceBasis = {
    ...dependencies,
    admin: { engine, clock, rights, actors, audit },
    outbound: new OutboundGuard(config.allowPrivateUrls),
    failures: new FailureLog({ engine, audit, background }),
    guesses: new Guesses(memory.guesses, limits.rateRefused, clock),
    requireHeard,
  };
  const { outbound, failures, guesses } = basis;
  const signedIn = sessionServices(basis);
  const programs = programUse(basis);
  const people = userDependencies(basis);
  const signInAll = signInServices(basis, people, signedIn);
  const { signIn, dependencies: visits } = signInAll.signIn;
  const provider = oauthDependencies(basis, signedIn, programs);
  const eventTypes = new EventTypes(eventsOf(dependencies.modules));
  const streams = new FollowedStreams({ engine, clock, limits, background, memory: memory.watches, requireHeard });
  return {
    eventTypes,
    eventLog: eventLog(reader, eventTypes),
    streams,
    requireHeard,
    ...reader,
    audit,
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
    outbound,
    languageModels: new LanguageModels({ ...reader, sealer, log, outbound }),
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
    freshness: config.clusterUrl === null ? undefined : freshnessOf(engine, tokens),
    people,
    elevations: { ...people, background, spent: provider.spent, sealer },
    signedIn,
    ...signInAll,
    oauth: { ...provider, signIn, visits },
  };
}

/** Writes down what services remember for a while; `all` at the end of their thread. */
export type Flush = (all: boolean) => Promise<unknown>;

/** To be called every few seconds in the thread that the services were made for. */
export function flushesOf({ clientUse, agentUse, apiCalls, signedIn, failures }: Services): Flush[] {
  return [
    (all) => clientUse.flush(all),
    (all) => agentUse.flush(all),
    (all) => apiCalls.flush(all),
    (all) => signedIn.flush(all),
    (all) => failures.flush(all),
  ];
}

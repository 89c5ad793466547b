import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Change } from '../../../engine/index.ts';
import { Organizations } from '../../../src/directory/organizations/index.ts';
import { type HttpServer, openTransport, serveHttp } from '../../../src/http/index.ts';
import type { SweepStep } from '../../../src/kernel/organizations/index.ts';
import {
  Background,
  createSealer,
  digestOf,
  loadConfig,
  type ManualClock,
  manualClock,
  silentLog,
  singleThreadMetrics,
  systemRandom,
  uuidGenerator,
} from '../../../src/platform/index.ts';
import { LogoutNotifier, SigningKeys } from '../../../src/protocols/oauth/index.ts';
import { type JobServices, jobServices } from '../../../src/server/jobs.ts';
import { modules, type ServiceModule } from '../../../src/server/modules.ts';
import type { ServiceDependencies } from '../../../src/server/service/dependencies.ts';
import type { SessionServices } from '../../../src/server/service/identity-services.ts';
import { metricsOf } from '../../../src/server/service/server-metrics.ts';
import { createService } from '../../../src/server/service/service.ts';
import type { Services } from '../../../src/server/service/services.ts';
import type { ReaderDependencies } from '../../../src/server/threads/open-reader.ts';
import { allocateServiceMemory } from '../../../src/server/threads/service-memory.ts';
import { Answer, type CallOptions } from '../../server/running-service.ts';
import { commitFound, type Found } from './in-process-commit.ts';
import { jobSteps, sweeping } from './in-process-jobs.ts';
import { InProcessOrganization } from './in-process-organization.ts';
import { openReader } from './in-process-reader.ts';
import { InProcessTasks, inProcessQueries } from './in-process-threads.ts';
import { OperationLedger } from './operation-ledger.ts';

export {
  facts,
  type InProcessOrganization,
  isGoodToken,
  type NewUser,
  type SignedIn,
} from './in-process-organization.ts';

const masterKey = 'the master key of a test';

type OwnParts = 'clock' | 'background' | 'signedIn' | 'clientUse' | 'signIn' | 'endpoints' | 'flushes' | 'folder';

/**
 * The whole service in the process of the test, over the real transport, with a clock that the test moves: for what no
 * endpoint starts before people can sign in. Tests reach its own services and never its records.
 */
export class InProcessService {
  readonly clock: ManualClock;
  readonly background: Background;
  readonly signedIn: SessionServices;
  /** When clients were last used, to be flushed by the test. */
  readonly clientUse: Services['clientUse'];
  /** Sign-in itself, for features that stand on it. */
  readonly signIn: Services['signIn'];
  readonly endpoints: ReturnType<typeof createService>['endpoints'];
  /** Write down what is remembered for a while. */
  readonly flushes: ReturnType<typeof createService>['flushes'];
  /** Which operations have caused which events. */
  readonly ledger: OperationLedger;
  readonly #reader: ReaderDependencies;
  readonly #organizations: Organizations;
  readonly #server: HttpServer;
  /** Where its store lies, for tests that damage it. */
  readonly folder: string;
  readonly #jobServices: JobServices;
  readonly #steps: ReadonlyMap<string, SweepStep>;
  /** What is to be stopped before it. */
  readonly beforeEnd: (() => Promise<unknown>)[] = [];

  private constructor(
    dependencies: Pick<InProcessService, OwnParts> & {
      modules: readonly ServiceModule[];
      jobServices: JobServices;
      reader: ReaderDependencies;
      organizations: Organizations;
      server: HttpServer;
    },
  ) {
    this.clock = dependencies.clock;
    this.background = dependencies.background;
    this.signedIn = dependencies.signedIn;
    this.clientUse = dependencies.clientUse;
    this.signIn = dependencies.signIn;
    this.endpoints = dependencies.endpoints;
    this.flushes = dependencies.flushes;
    this.ledger = new OperationLedger(dependencies.endpoints, dependencies.reader.engine);
    this.#reader = dependencies.reader;
    this.#organizations = dependencies.organizations;
    this.#server = dependencies.server;
    this.folder = dependencies.folder;
    this.#jobServices = dependencies.jobServices;
    this.#steps = jobSteps(dependencies.modules, dependencies.jobServices);
  }

  /** @param given parts of the service that are not the usual ones */
  static async start(
    environment: Readonly<Record<string, string>> = {},
    given: Partial<ServiceDependencies> = {},
  ): Promise<InProcessService> {
    const folder = await mkdtemp(join(tmpdir(), 'relata-in-process-'));
    const { config } = loadConfig({ environment: { RELATA_TRANSPORT: 'socket', ...environment } });
    // a whole minute, so that what is counted by the minute is not cut by chance
    const clock = manualClock(Math.ceil(Date.now() / 60_000) * 60_000);
    const all = given.modules ?? modules;
    const reader = await openReader(folder, config, clock, all);
    const newId = uuidGenerator(clock, systemRandom);
    const { engine, systemModel } = reader;
    const organizations = new Organizations({ engine, clock, newId, systemModel });
    await organizations.prepare();
    const background = given.background ?? new Background({ log: silentLog });
    const queryPool = inProcessQueries(all, reader, background);
    const tasks = new InProcessTasks(reader);
    const dependencies: ServiceDependencies = {
      tasks,
      modules: all,
      reader,
      config,
      metrics: singleThreadMetrics(metricsOf(all)),
      log: silentLog,
      background,
      queryPool,
      platformDigest: digestOf('no platform key'),
      sealer: createSealer(masterKey),
      memory: allocateServiceMemory(config, clock),
      ready: () => ({ ready: true, checks: {} }),
      metricsPage: () => '',
      ...given,
    };
    const { application, services, endpoints, flushes } = createService(dependencies, singleThreadMetrics);
    tasks.serve(all, services);
    const transport = openTransport({ choice: config.transport, threads: 1 }, config.limits);
    const server = await serveHttp(transport, { host: '127.0.0.1', port: 0 }, application);
    return new InProcessService({
      ...services,
      clock,
      background,
      endpoints,
      flushes,
      reader,
      organizations,
      server,
      folder,
      modules: all,
      jobServices: jobServices(all, {
        reader,
        organizations,
        pool: queryPool,
        background,
        isClockTrusted: () => true,
        config,
        masterKey,
        log: silentLog,
        metrics: dependencies.metrics,
      }),
    });
  }

  /** Where it listens, whatever it believes to be called. */
  get url(): string {
    return `http://127.0.0.1:${this.#server.port}`;
  }

  async call(method: string, path: string, { key, body, headers }: CallOptions = {}): Promise<Answer> {
    const response = await fetch(this.url + path, {
      method,
      headers: {
        ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const isJson = /json/.test(response.headers.get('content-type') ?? '');
    return new Answer(response.status, isJson ? JSON.parse(text) : text, response.headers);
  }

  async organization(slug: string): Promise<InProcessOrganization> {
    const created = await this.#organizations.create(slug, slug);
    const own = this.#reader.engine.read(() => this.#reader.directory.find(slug));
    if (created === undefined || own === undefined) throw new Error(`no organization ${slug}`);
    return new InProcessOrganization(this, own, created.adminApiKey);
  }

  /** Asks as code does that has a request's snapshot. */
  read<T>(ask: () => T): T {
    return this.#reader.engine.read(ask);
  }

  revision(): number {
    return this.#reader.engine.revision();
  }

  /** Collections in which sessions and tokens have left something, and ids in them. */
  leftOf(store: string): string[] {
    const collections = ['sessions', 'tokens', 'session_settling', 'session_epochs'];
    return collections.flatMap((name) => this.idsOf(store, name).map((id) => `${name}/${id}`));
  }

  idsOf(store: string, collection: string): string[] {
    const { records } = this.#reader.engine.store(store);
    return records.list(collection).map(({ id }) => id);
  }

  /** Commits changes that a service has given for a commit of somebody else. */
  async submit(changes: readonly Change[]): Promise<void> {
    const { engine } = this.#reader;
    await engine.submit(engine.command(changes));
  }

  /** Does something when the next commit is planned and not yet submitted: once. */
  beforeNextCommit(task: () => Promise<unknown>): void {
    const { engine } = this.#reader;
    const { submit } = engine;
    engine.submit = async (command) => {
      engine.submit = submit;
      await task();
      return submit.call(engine, command);
    };
  }

  /**
   * Commits what a plan finds in a snapshot, as features do with what sessions and tokens are begun with: again where
   * something else came first, and nothing where it finds nothing.
   */
  async commit<T extends Found>(plan: () => T | undefined): Promise<T | undefined> {
    return commitFound(this.#reader.engine, plan);
  }

  /** The file of the store as text, for what must not stand in it. */
  everythingStored(): string {
    return readdirSync(this.folder)
      .filter((name) => name.endsWith('.mdb'))
      .map((name) => readFileSync(join(this.folder, name), 'latin1'))
      .join('');
  }

  async sweepOnce(limit: number): Promise<boolean> {
    const more: boolean[] = [];
    for (const name of sweeping) more.push((await this.#steps.get(name)?.(limit)) === true);
    return more.includes(true);
  }

  /** What the main thread does from time to time, to its end. */
  async runJob(name: string): Promise<void> {
    while (await this.#steps.get(name)?.(100));
  }

  /** What an export has of an organization's records. */
  exported({ organization: { store } }: InProcessOrganization): object[] {
    const { engine, records } = this.#jobServices;
    return records.flatMap((kind) => [...kind.exported(engine, store)].flat());
  }

  /** Looks at the signing keys of all organizations. */
  rotateKeys(): Promise<void> {
    return this.runJob('signing_keys');
  }

  /** Keys that sign: for tokens that the service would never make. */
  signingKeys(): SigningKeys {
    return new SigningKeys(this.#jobServices);
  }

  /** What the main thread has one of; a new one knows nothing, as after a restart. */
  newLogoutNotifier(): LogoutNotifier {
    return new LogoutNotifier({ ...this.#jobServices, keys: this.signingKeys() });
  }

  /** What the services are made of that make and open keys. */
  keyDependencies(): JobServices {
    return this.#jobServices;
  }

  /** What the service's main thread does every few seconds. Answers how many steps it took. */
  async sweep(limit = 2000): Promise<number> {
    for (let steps = 0; ; steps++) if (!(await this.sweepOnce(limit))) return steps;
  }

  async stop(): Promise<void> {
    for (const end of this.beforeEnd) await end();
    await this.#server.close();
    await this.#reader.engine.close();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

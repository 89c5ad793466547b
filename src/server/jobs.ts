import { ExportRunner, RetentionEnforcer } from '../audit/index.ts';
import type { Organizations } from '../directory/organizations/index.ts';
import { sweepFederation } from '../identity/federation/index.ts';
import { sweepSessions } from '../identity/sessions/index.ts';
import { type SweepStep, sweepExpired, type WalkParts } from '../kernel/organizations/index.ts';
import type { HeavyRunner } from '../kernel/queries/index.ts';
import { type Background, type Config, createSealer, uuidGenerator } from '../platform/index.ts';
import { rotateSigningKeys, sweepProtocol } from '../protocols/oauth/index.ts';
import { allRecords } from './records.ts';
import { adminParts } from './service/admin-parts.ts';
import { createLogoutNotifier } from './service/oauth/logout-notifier.ts';
import { Sweeper } from './sweeper.ts';
import type { ReaderParts } from './threads/open-reader.ts';

export interface JobParts {
  readonly reader: ReaderParts;
  readonly organizations: Organizations;
  readonly pool: HeavyRunner;
  readonly background: Background;
  readonly isClockTrusted: () => boolean;
  /** With the base URL that the service is reached by. */
  readonly config: Config;
  readonly masterKey: string;
}

/** The jobs of the main thread: sweeps, key rotation, exports, logout notices. */
export function startJobs(parts: JobParts): { stop(): Promise<void> } {
  const { reader, organizations, pool, background, isClockTrusted, config, masterKey } = parts;
  const { engine, clock } = reader;
  const audit = { newId: uuidGenerator(clock), now: () => clock.now() };
  const sealer = createSealer(masterKey);
  const base = { engine, clock, background };
  const retention = new RetentionEnforcer({ ...base, audit, organizations });
  const steps: SweepStep[] = [
    (limit) => engine.sweep(limit),
    (limit) => retention.step(limit),
    ...sweepSteps(base, config),
    rotateSigningKeys({ ...adminParts(reader, audit), sealer, directory: reader.directory, background }),
  ];
  const sweeper = new Sweeper(background, steps, isClockTrusted);
  const exports = new ExportRunner({ engine, clock, heavy: pool, dataDir: config.dataDir, background });
  const notifier = createLogoutNotifier({ reader, audit, sealer, config, background });
  const jobs = [sweeper, exports, notifier];
  for (const job of jobs) job.start();
  return {
    async stop() {
      await Promise.all(jobs.map((job) => job.stop()));
    },
  };
}

/** What has ended by its time, in all organizations. */
export function sweepSteps(parts: WalkParts, { limits }: Pick<Config, 'limits'>): SweepStep[] {
  return [
    sweepExpired(parts, allRecords),
    sweepSessions(parts, limits.endedSessionMs),
    sweepProtocol(parts),
    sweepFederation(parts),
  ];
}

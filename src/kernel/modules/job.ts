import { setTimeout as sleep } from 'node:timers/promises';
import type { Background } from '../../platform/index.ts';
import type { SweepStep } from '../organizations/index.ts';
import type { AnyRecordKind } from '../records/index.ts';

export interface RunningJob {
  /** Resolves when nothing of the job runs any more. */
  stop(): Promise<void>;
}

/** What every job is guarded by. */
export interface JobGuard {
  readonly background: Background;
  /** Whether the time can be believed: nothing is removed for good because of a wrong one. */
  readonly isClockTrusted: () => boolean;
}

/** Something that goes on as long as the service runs: in the main thread, where nothing else is said. */
export interface Job<in Services = unknown> {
  /** In logs and metrics: `signing_keys`. */
  readonly name: string;
  /** Whether the job runs on one node of the cluster or on each. A node that is alone runs all jobs. */
  readonly runs: 'in the cluster' | 'on each node';
  /** A thread of its own, started when an organization has a record of one of the job's kinds. */
  readonly thread?: 'delivery';
  readonly for?: readonly AnyRecordKind[];
  readonly start: (services: Services & JobGuard) => RunningJob;
}

/** One of bounded steps, each of which can be taken by itself. */
export interface SteppedJob<in Services = unknown> extends Job<Services> {
  readonly stepOf: (services: Services & JobGuard) => SweepStep;
}

/** Steps of one turn, in each organization. */
const LIMIT = 2000;
const GAP_MS = 10_000;
/** Between two rounds, so that requests' commits are not held up. */
const PAUSE_MS = 20;
/** Longest turn: what is left waits for the next turn, even if a step never ends. */
const ROUNDS_MAX = 250;

interface SteppedJobSettings extends Pick<Job, 'name' | 'runs'> {
  /** Goes on while the time is not to be believed: nothing that it does depends on it. */
  readonly ignoresClock?: boolean;
}

/**
 * A job of bounded steps. It runs again until a step says that there is nothing more to do now, and then after a gap. A
 * failed step is reported and counted; the job then waits longer each time, and stops no other.
 */
export function steppedJob<Services>(
  { name, runs, ignoresClock = false }: SteppedJobSettings,
  stepOf: (services: Services & JobGuard) => SweepStep,
): SteppedJob<Services> {
  return {
    name,
    runs,
    stepOf,
    start(services) {
      const { background, isClockTrusted } = services;
      const step = stepOf(services);
      let isStopped = false;
      const turn = async (): Promise<void> => {
        for (let round = 0; round < ROUNDS_MAX; round++) {
          if (isStopped || !(ignoresClock || isClockTrusted()) || !(await step(LIMIT))) return;
          await sleep(PAUSE_MS);
        }
      };
      const repetition = background.every(name, GAP_MS, turn);
      return {
        stop() {
          isStopped = true;
          return repetition.stop();
        },
      };
    },
  };
}

import type { SteppedJob } from '../../../src/kernel/modules/index.ts';
import type { SweepStep } from '../../../src/kernel/organizations/index.ts';
import type { JobServices } from '../../../src/server/jobs.ts';
import type { ServiceModule } from '../../../src/server/modules.ts';

/** Steps of the jobs of modules, by their names. */
export function jobSteps(all: readonly ServiceModule[], services: JobServices): ReadonlyMap<string, SweepStep> {
  const jobs = all.flatMap(({ jobs = [] }) => jobs);
  const stepped = jobs.filter((job): job is SteppedJob<JobServices> => 'stepOf' in job);
  return new Map(stepped.map((job) => [job.name, job.stepOf(services)]));
}

/** Those that remove what is over. */
export const sweeping = [
  'expired_records',
  'sessions',
  'consents',
  'gone_providers',
  'client_documents',
  'signal_streams',
] as const;

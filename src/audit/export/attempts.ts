import { EngineError } from '#engine';
import type { ExportJob } from './export-job.ts';

/** How many times a job is started, restarts included. */
export const ATTEMPTS_MAX = 5;
/** Waits before the second and each later attempt. */
const gapsMs = [2_000, 15_000, 60_000, 300_000];

/** What the system says, in words that an administrator can act on. */
const systemReasons: Readonly<Record<string, string>> = {
  ENOSPC: 'storage_full',
  EDQUOT: 'storage_full',
  EMFILE: 'too_many_files',
  ENFILE: 'too_many_files',
};

export function reasonOf(error: unknown): string {
  const code = String((error as { code?: unknown } | null | undefined)?.code);
  return error instanceof EngineError ? code : (systemReasons[code] ?? 'internal');
}

/** A job after a failed attempt: it waits for the next one, or has failed for good. */
export function afterFailure(job: ExportJob, reason: string, now: number): ExportJob {
  const attempts = job.attempts ?? 1;
  const gap = gapsMs[attempts - 1];
  if (attempts >= ATTEMPTS_MAX || gap === undefined) return { ...job, state: 'failed', reason };
  return { ...job, state: 'queued', reason, notBefore: now + gap };
}

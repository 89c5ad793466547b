import { chmodSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Engine, EngineError } from '#engine';
import { commit } from '../../kernel/commits/index.ts';
import { platformStore } from '../../kernel/organizations/index.ts';
import type { QueryPool } from '../../kernel/queries/index.ts';
import { type Background, type Clock, type Repetition, SetAside } from '../../platform/index.ts';
import type { AuditTask } from '../query/audit-queries.ts';
import {
  type ExportEntry,
  type ExportJob,
  exportFile,
  exportFolder,
  exportRecords,
  exportStates,
  exportsIn,
  nextExport,
} from './export-job.ts';
import { type ExportPage, exportFormats } from './export-page.ts';

export interface ExportRunnerDependencies {
  readonly engine: Engine;
  readonly clock: Clock;
  readonly queryPool: QueryPool;
  readonly dataDir: string;
  readonly background: Background;
}

const LOOK_MS = 1000;
/** Ends the name of a file that is being written. */
const DRAFT = '.part';
/** An answer of the pool that says nothing about the export itself. */
const BUSY = 'unavailable';

/**
 * Writes the files of exports, one job at a time. One of these runs in the whole process, and one in a cluster: a job that
 * runs was left behind by another.
 */
export class ExportRunner {
  readonly #dependencies: ExportRunnerDependencies;
  readonly #aside: SetAside;
  #repetition: Repetition | undefined;
  #isPrepared = false;
  #isStopped = false;

  constructor(dependencies: ExportRunnerDependencies) {
    this.#dependencies = dependencies;
    this.#aside = new SetAside(dependencies.background, 'audit_export', platformStore);
  }

  start(): void {
    this.#repetition = this.#dependencies.background.every('audit_export', LOOK_MS, () => this.step());
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#repetition?.stop();
  }

  /** Removes what is over, and runs the next job to its end. */
  async step(): Promise<void> {
    const { engine, clock } = this.#dependencies;
    if (!this.#isPrepared) this.#prepare();
    await this.#expire();
    const next = engine.read(() => nextExport(engine, clock.now(), this.#aside));
    if (next !== undefined) await this.#run(next);
  }

  /** Removes drafts, left by a process that ended. */
  #prepare(): void {
    const folder = exportFolder(this.#dependencies.dataDir);
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    chmodSync(folder, 0o700);
    for (const name of readdirSync(folder)) if (name.endsWith(DRAFT)) rmSync(join(folder, name));
    this.#isPrepared = true;
  }

  async #run(waiting: ExportEntry): Promise<void> {
    const { background, clock, dataDir } = this.#dependencies;
    const { attempts = 0, reason = 'interrupted', notBefore: _, ...job } = waiting.document;
    if (attempts >= ATTEMPTS_MAX) {
      await this.#change(waiting, { ...job, attempts, state: 'failed', reason });
      return;
    }
    const running = await this.#change(waiting, { ...job, attempts: attempts + 1, state: 'running' });
    try {
      await this.#change(running, { ...running.document, ...(await this.#produce(running)) });
    } catch (error) {
      const facts = { organization: running.document.organization.slug, export: running.id, attempt: attempts + 1 };
      background.failed('audit_export', error, facts);
      await rm(exportFile(dataDir, running), { force: true });
      await this.#change(running, afterFailure(running.document, reasonOf(error), clock.now()));
    }
  }

  /** Writes to a temporary file first, which is removed if the export fails. */
  async #produce(running: ExportEntry): Promise<Partial<ExportJob>> {
    const file = exportFile(this.#dependencies.dataDir, running);
    const draft = file + DRAFT;
    const handle = await open(draft, 'w', 0o600);
    try {
      const outcome = await this.#write(running.document, handle);
      await handle.sync();
      if (outcome.state === 'done') await rename(draft, file);
      return outcome;
    } finally {
      await handle.close().catch(() => {});
      await rm(draft, { force: true });
    }
  }

  async #write(job: ExportJob, handle: FileHandle): Promise<Partial<ExportJob>> {
    const format = exportFormats[job.format];
    // not `write`: on a nearly full disk it writes only a part, without an error
    await handle.appendFile(format.head);
    let records = 0;
    let before: string | undefined;
    let newest: string | undefined;
    do {
      // the next process starts it again, and this does not count as an attempt
      if (this.#isStopped) return { state: 'queued', attempts: (job.attempts ?? 1) - 1 };
      const task: AuditTask = { kind: 'audit_export', filters: job.filters, format: job.format, before };
      const request = { organization: job.organization.slug, subject: job.subject, actor: job.actor, task };
      const answer = await this.#dependencies.queryPool.run(request);
      if (!answer.ok && answer.kind.code === BUSY) return afterFailure(job, BUSY, this.#dependencies.clock.now());
      if (!answer.ok) return { state: 'failed', reason: answer.kind.code };
      const page = JSON.parse(answer.text) as ExportPage; // `audit_export` made it
      if (page.rows.length > 0)
        await handle.appendFile((records === 0 ? '' : format.between) + page.rows.join(format.between));
      records += page.rows.length;
      newest ??= page.newest;
      before = page.before;
    } while (before !== undefined);
    await handle.appendFile(format.foot);
    return { state: 'done', records, ...(newest === undefined ? {} : { newest }) };
  }

  /** @throws Error where somebody else has changed it */
  async #change(entry: ExportEntry, document: ExportJob): Promise<ExportEntry> {
    await commit(this.#dependencies.engine, platformStore, (changes) => {
      if (!changes.isUnchanged(exportRecords, entry)) throw new Error(`the export ${entry.id} was changed meanwhile`);
      changes.put(exportRecords, entry.id, document);
    });
    return { id: entry.id, version: entry.version + 1, document };
  }

  /** A file that cannot be removed does not block the others. */
  async #expire(): Promise<void> {
    const { engine, clock, dataDir, background } = this.#dependencies;
    const all = engine.read(() => exportStates.flatMap((state) => exportsIn(engine, state, this.#aside)));
    for (const entry of all) {
      if (clock.now() < entry.document.expiresAt) continue;
      await background.run('audit_export', async () => {
        await commit(engine, platformStore, (changes) => changes.delete(exportRecords, entry.id));
        await rm(exportFile(dataDir, entry), { force: true });
      });
    }
  }
}

/** How many times a job is started, restarts included. */
const ATTEMPTS_MAX = 5;
/** Waits before the second and each later attempt. */
const gapsMs = [2_000, 15_000, 60_000, 300_000];

/** What the system says, in words that an administrator can act on. */
const systemReasons: Readonly<Record<string, string>> = {
  ENOSPC: 'storage_full',
  EDQUOT: 'storage_full',
  EMFILE: 'too_many_files',
  ENFILE: 'too_many_files',
};

function reasonOf(error: unknown): string {
  const code = String((error as { code?: unknown } | null | undefined)?.code);
  return error instanceof EngineError ? code : (systemReasons[code] ?? 'internal');
}

/** A job after a failed attempt: it waits for the next one, or has failed for good. */
function afterFailure(job: ExportJob, reason: string, now: number): ExportJob {
  const attempts = job.attempts ?? 1;
  const gap = gapsMs[attempts - 1];
  if (attempts >= ATTEMPTS_MAX || gap === undefined) return { ...job, state: 'failed', reason };
  return { ...job, state: 'queued', reason, notBefore: now + gap };
}

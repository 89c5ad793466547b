import { chmodSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Engine } from '#engine';
import type { HeavyRunner } from '../../heavy/index.ts';
import type { Background, Clock, Repetition } from '../../platform/index.ts';
import type { AuditTask } from '../query/audit-work.ts';
import {
  type ExportEntry,
  type ExportJob,
  exportDelete,
  exportFile,
  exportFolder,
  exportStates,
  exportsIn,
  exportUnchanged,
  exportWrite,
} from './export-job.ts';
import type { ExportPage } from './export-page.ts';
import { exportFormats } from './formats.ts';

export interface ExportRunnerParts {
  readonly engine: Engine;
  readonly clock: Clock;
  readonly heavy: HeavyRunner;
  readonly dataDir: string;
  readonly background: Background;
}

const LOOK_MS = 500;

/** Writes the files of exports, one job at a time. One of these runs in the whole process. */
export class ExportRunner {
  readonly #parts: ExportRunnerParts;
  #repetition: Repetition | undefined;
  #isStopped = false;

  constructor(parts: ExportRunnerParts) {
    this.#parts = parts;
  }

  /** Begins with what a process that ended has left: its jobs are run again, and files without a job are removed. */
  start(): void {
    const { engine, dataDir, background } = this.#parts;
    const folder = exportFolder(dataDir);
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    chmodSync(folder, 0o700);
    const kept = new Set(engine.read(() => exportsIn(engine, 'done')).map((entry) => exportFile(dataDir, entry)));
    for (const name of readdirSync(folder)) if (!kept.has(join(folder, name))) rmSync(join(folder, name));
    this.#repetition = background.every('audit_export', LOOK_MS, () => this.#step());
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#repetition?.stop();
  }

  async #step(): Promise<void> {
    const { engine } = this.#parts;
    await this.#expire();
    // a job that runs while this one looks was left behind by another process
    const next = engine.read(() => exportsIn(engine, 'running')[0] ?? exportsIn(engine, 'queued')[0]);
    if (next !== undefined) await this.#run(next);
  }

  async #run(queued: ExportEntry): Promise<void> {
    const running = await this.#change(queued, { ...queued.document, state: 'running' });
    const file = exportFile(this.#parts.dataDir, running);
    const draft = `${file}.part`;
    const handle = await open(draft, 'w', 0o600);
    try {
      const outcome = await this.#write(running.document, handle);
      if (outcome === 'stopped') return;
      await handle.sync();
      if ('records' in outcome) await rename(draft, file);
      await this.#change(running, { ...running.document, ...outcome });
    } finally {
      await handle.close();
      await rm(draft, { force: true });
    }
  }

  async #write(job: ExportJob, handle: FileHandle): Promise<Ending | 'stopped'> {
    const format = exportFormats[job.format];
    await handle.write(format.head);
    let records = 0;
    let before: string | undefined;
    do {
      if (this.#isStopped) return 'stopped';
      const task: AuditTask = { kind: 'audit_export', filters: job.filters, format: job.format, before };
      const request = { organization: job.organization.slug, subject: job.subject, actor: job.actor, task };
      const answer = await this.#parts.heavy.run(request);
      if (!answer.ok) return { state: 'failed', reason: answer.code };
      const page = JSON.parse(answer.text) as ExportPage; // `audit_export` made it
      if (page.rows.length > 0)
        await handle.write((records === 0 ? '' : format.between) + page.rows.join(format.between));
      records += page.rows.length;
      before = page.before;
    } while (before !== undefined);
    await handle.write(format.foot);
    return { state: 'done', records };
  }

  async #change(entry: ExportEntry, document: ExportJob): Promise<ExportEntry> {
    const { engine } = this.#parts;
    const preconditions = [exportUnchanged(entry)];
    await engine.submit(engine.command([exportWrite(entry.id, document)], { preconditions }));
    return { id: entry.id, version: entry.version + 1, document };
  }

  async #expire(): Promise<void> {
    const { engine, clock, dataDir } = this.#parts;
    const all = engine.read(() => exportStates.flatMap((state) => exportsIn(engine, state)));
    for (const entry of all) {
      if (clock.now() < entry.document.expiresAt) continue;
      await engine.submit(engine.command([exportDelete(entry.id)], { preconditions: [exportUnchanged(entry)] }));
      await rm(exportFile(dataDir, entry), { force: true });
    }
  }
}

type Ending =
  | { readonly state: 'done'; readonly records: number }
  | { readonly state: 'failed'; readonly reason: string };

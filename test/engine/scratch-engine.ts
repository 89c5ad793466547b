import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { WalkLimits } from '../../engine/evaluate/limits.ts';
import { Engine, type EngineOptions } from '../../engine/index.ts';
import { type Damage, damageRecord, type RecordPlace } from './plant-record.ts';

/** Enough for the names of a test. Many engines are opened in one process, and each has as much address space. */
export const NAME_BYTES_OF_TESTS = 16 * 2 ** 20;

/** What these tests ask about does not depend on what a power cut leaves, and not flushing saves most of their time. */
const optionsOfTests = { unsafeNoSync: true, nameBytes: NAME_BYTES_OF_TESTS };

/** The groups of tests are few: whatever can be kept is kept, so that it is seen to end when it must. */
const limitsOfTests: Partial<WalkLimits> = { keptMin: 0 };

function inFull({ limits, ...options }: Omit<EngineOptions, 'path'>): Omit<EngineOptions, 'path'> {
  return { ...optionsOfTests, ...options, limits: { ...limitsOfTests, ...limits } };
}

/** An engine in a folder of its own under the temporary folder. */
export class ScratchEngine {
  readonly path: string;
  engine: Engine;

  readonly #options: Omit<EngineOptions, 'path'>;

  private constructor(path: string, engine: Engine, options: Omit<EngineOptions, 'path'>) {
    this.path = path;
    this.engine = engine;
    this.#options = options;
  }

  static async open(options: Omit<EngineOptions, 'path'> = {}): Promise<ScratchEngine> {
    const path = await mkdtemp(join(tmpdir(), 'relata-'));
    return new ScratchEngine(path, await Engine.open({ ...inFull(options), path }), options);
  }

  /** The same folder with nothing kept in memory. */
  async reopen(): Promise<void> {
    await this.engine.close();
    this.engine = await Engine.open({ ...inFull(this.#options), path: this.path });
  }

  /**
   * Damages a record past the engine, which sees it from then on. A commit says so: without one, what was read last may
   * still be read for a millisecond, until a timer of lmdb ends the read transaction.
   */
  async damage({ store, ...place }: RecordPlace, damage: Damage): Promise<void> {
    await damageRecord(this.path, { store, ...place }, damage);
    const record = { collection: 'seen_after_damage', id: store, document: {} };
    await this.engine.submit(this.engine.command([{ op: 'put_record', store, record }]));
  }

  /** Closes the engine and removes its folder. */
  async close(): Promise<void> {
    await this.engine.close();
    await rm(this.path, { recursive: true, force: true });
  }
}

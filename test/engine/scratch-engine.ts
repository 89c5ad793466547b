import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Engine, type EngineOptions } from '../../engine/index.ts';

/** An engine in a folder of its own under the temporary folder. */
export class ScratchEngine {
  readonly path: string;
  engine: Engine;

  private constructor(path: string, engine: Engine) {
    this.path = path;
    this.engine = engine;
  }

  static async open(options: Omit<EngineOptions, 'path'> = {}): Promise<ScratchEngine> {
    const path = await mkdtemp(join(tmpdir(), 'relata-'));
    // What these tests ask about does not depend on what a power cut leaves, and not flushing saves most of their time.
    return new ScratchEngine(path, await Engine.open({ unsafeNoSync: true, ...options, path }));
  }

  /** The same folder with nothing kept in memory. */
  async reopen(): Promise<void> {
    await this.engine.close();
    this.engine = await Engine.open({ path: this.path, unsafeNoSync: true });
  }

  /** Closes the engine and removes its folder. */
  async close(): Promise<void> {
    await this.engine.close();
    await rm(this.path, { recursive: true, force: true });
  }
}

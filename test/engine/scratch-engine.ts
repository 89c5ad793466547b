import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Engine } from '../../engine/index.ts';

export interface ScratchEngine {
  readonly engine: Engine;
  readonly path: string;
  /** Closes the engine and removes its folder. */
  close(): Promise<void>;
}

/** An engine in a folder of its own under the temporary folder. */
export async function openScratchEngine(): Promise<ScratchEngine> {
  const path = await mkdtemp(join(tmpdir(), 'relata-'));
  const engine = await Engine.open({ path });
  const close = async () => {
    await engine.close();
    await rm(path, { recursive: true, force: true });
  };
  return { engine, path, close };
}

import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { repositoryRoot } from '../../../architecture/source-tree.ts';
import { bundledScript } from '../bundled-script.ts';
import type { Recovery } from '../recovery.ts';
import { type Progress, readProgress, WritingChild } from '../start-child.ts';
import { Machine } from './machine.ts';

const INSPECT = fileURLToPath(new URL('../inspect.ts', import.meta.url));

export interface CutOptions {
  readonly round: number;
  readonly cutAfterMs: number;
  /** Leaves out all syncing, to show that this would be noticed. */
  readonly unsafeNoSync?: boolean;
  readonly mayLoseLastCommit?: boolean;
}

/** Cuts the power in the middle of writes. `lost` are commits that were acknowledged before the cut began. */
export async function cutOnce(options: CutOptions): Promise<Recovery & { readonly acknowledged: number }> {
  const machine = Machine.start();
  let child: WritingChild | undefined;
  try {
    const path = join(machine.data, 'store');
    mkdirSync(path);
    const { cutAfterMs, ...how } = options;
    child = await WritingChild.start({ path, ...how });
    await sleep(cutAfterMs);
    const { data, witness } = machine.cutPower(child.output);
    const before = readProgress(witness);
    await child.kill();
    child = undefined;
    return { ...(await inspectAfter(join(data, 'store'), before)), acknowledged: before.acknowledged.length };
  } finally {
    await child?.kill();
    machine.destroy();
  }
}

/** Where there is no database left that could be read, all of it is lost. */
async function inspectAfter(path: string, before: Progress): Promise<Recovery> {
  const folder = mkdtempSync(join(tmpdir(), 'relata-progress-'));
  const progress = join(folder, 'progress.json');
  writeFileSync(progress, JSON.stringify(before));
  const parameters = [await bundledScript(INSPECT), path, progress];
  const options = { cwd: repositoryRoot, encoding: 'utf8', maxBuffer: 2 ** 30 } as const;
  const { status, signal, stdout, stderr } = spawnSync(process.execPath, parameters, options);
  rmSync(folder, { recursive: true });
  if (status === 0) return JSON.parse(stdout) as Recovery;
  const problem = `the data cannot be read (${signal ?? status}): ${stderr.slice(0, 500)}`;
  return { commits: 0, tuples: 0, unanswered: 0, lost: before.acknowledged, problems: [problem] };
}

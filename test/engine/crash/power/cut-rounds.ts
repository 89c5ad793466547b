import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { inspectRecovery, type Recovery } from '../recovery.ts';
import { WritingChild } from '../start-child.ts';
import { Machine } from './machine.ts';

export interface CutOptions {
  readonly round: number;
  readonly cutAfterMs: number;
  /** Leaves out all syncing, to show that this would be noticed. */
  readonly unsafeNoSync?: boolean;
}

/** Cuts the power in the middle of writes. `lost` are commits that were acknowledged before the cut began. */
export async function cutOnce(options: CutOptions): Promise<Recovery & { readonly acknowledged: number }> {
  const machine = Machine.start();
  let child: WritingChild | undefined;
  try {
    const path = join(machine.data, 'store');
    mkdirSync(path);
    child = await WritingChild.start({ path, round: options.round, unsafeNoSync: options.unsafeNoSync ?? false });
    await sleep(options.cutAfterMs);
    const acknowledged = child.acknowledged();
    const after = join(machine.cutPower(), 'store');
    await child.kill();
    child = undefined;
    return { ...(await inspectAfter(after, acknowledged)), acknowledged: acknowledged.length };
  } finally {
    await child?.kill();
    machine.destroy();
  }
}

/** Where not even a database is left, all of it is lost. */
async function inspectAfter(path: string, acknowledged: readonly string[]): Promise<Recovery> {
  try {
    if (!existsSync(path)) throw new Error('the folder is not there');
    return await inspectRecovery(path, acknowledged);
  } catch (error) {
    return { commits: 0, tuples: 0, unanswered: 0, lost: acknowledged, problems: [String(error)] };
  }
}

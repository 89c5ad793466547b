import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { inspectRecovery, type Recovery } from './recovery.ts';
import { type Progress, WritingChild } from './start-child.ts';

/** A few crashes in the same data, so that recovery starts from what recovery left; then a new folder. */
const ROUNDS_PER_FOLDER = 4;

export interface KillOptions {
  readonly rounds: number;
  /** The most milliseconds to the kill, from when so many commits were acknowledged. */
  readonly killAfterMsMax: number;
  readonly commitsMin?: number;
  /** From 0 to 1. */
  readonly random: () => number;
}

/**
 * Kills a writing process again and again, and answers after each time what it left. `acknowledged` and `unanswered`
 * count the commits of that round, everything else the data of all rounds in the same folder.
 */
export async function* killRounds(
  options: KillOptions,
): AsyncGenerator<Recovery & { readonly round: number; readonly acknowledged: number }> {
  let path = '';
  let acknowledged: string[] = [];
  let unanswered = 0;
  try {
    for (let round = 0; round < options.rounds; round++) {
      if (round % ROUNDS_PER_FOLDER === 0) {
        if (path !== '') rmSync(path, { recursive: true, force: true });
        path = mkdtempSync(join(tmpdir(), 'relata-kill-'));
        acknowledged = [];
        unanswered = 0;
      }
      const child = await WritingChild.start({ path, round });
      let said: Progress;
      try {
        await child.acknowledges(options.commitsMin ?? 1);
        await sleep(options.random() * options.killAfterMsMax);
      } finally {
        said = await child.kill();
      }
      acknowledged.push(...said.acknowledged);
      const found = await inspectRecovery(path, { acknowledged, seen: said.seen });
      yield { ...found, round, acknowledged: said.acknowledged.length, unanswered: found.unanswered - unanswered };
      unanswered = found.unanswered;
    }
  } finally {
    rmSync(path, { recursive: true, force: true });
  }
}

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { allocateShared, openWriter } from '../../../../engine/store/open-writer.ts';
import { verifyStore } from '../../../../engine/store/verify/verify.ts';
import { applyAt } from '../../../../engine/store/write/log/apply-at.ts';
import { repositoryRoot } from '../../../architecture/source-tree.ts';
import { rowsOf } from '../../store/scratch-store.ts';
import { bundledScript } from '../bundled-script.ts';
import { delivered, RETENTION } from './shared-log.ts';

const SCRIPT = fileURLToPath(new URL('./deliver.ts', import.meta.url));
const ROUNDS = 5;
const KILL_AFTER_MS_MAX = 200;
const START_MS_MAX = 120_000;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'relata-redelivery-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Applies the log from a position on until it is killed. Answers up to where it said that it had applied it. */
async function deliverUntilKilled(path: string, first: number): Promise<number> {
  const output = join(folder, 'said.txt');
  const file = openSync(output, 'w');
  const child = spawn(process.execPath, [await bundledScript(SCRIPT), path, String(first)], {
    cwd: repositoryRoot,
    stdio: ['ignore', file, 'inherit'],
  });
  closeSync(file);
  const exited = once(child, 'exit');
  const lines = () => readFileSync(output, 'utf8').split('\n').slice(0, -1);
  for (const deadline = Date.now() + START_MS_MAX; lines().length < 3 && child.exitCode === null; await sleep(5)) {
    if (Date.now() > deadline) break;
  }
  await sleep(Math.random() * KILL_AFTER_MS_MAX);
  child.kill('SIGKILL');
  await exited;
  return Number(lines().at(-1) ?? first - 1);
}

/** Applies the log up to a position, and answers from where it was not applied yet. */
async function finish(path: string, first: number, last: number): Promise<number> {
  const opened = openWriter({ path, shared: allocateShared(2 ** 16), retention: RETENTION });
  const { position } = opened.writer;
  applyAt(opened.writer, first, delivered(first, last - first + 1));
  await opened.close();
  return position;
}

describe('a log that is delivered again after each crash', () => {
  it(`gives the store that it gives without a crash, after ${ROUNDS}`, { timeout: 300_000 }, async () => {
    const crashed = join(folder, 'crashed');
    let acknowledged = 0;
    for (let round = 0; round < ROUNDS; round++) {
      // from where the last answer was heard, and every other time from some commands earlier
      const first = Math.max(1, acknowledged + 1 - (round % 2) * 20);
      const said = await deliverUntilKilled(crashed, first);
      expect(said, `round ${round}`).toBeGreaterThan(acknowledged);
      acknowledged = said;
    }
    const last = acknowledged + 50;
    const position = await finish(crashed, acknowledged + 1, last);
    expect(position).toBeGreaterThanOrEqual(acknowledged);
    const whole = join(folder, 'whole');
    expect(await finish(whole, 1, last)).toBe(0);
    expect(rowsOf(crashed)).toEqual(rowsOf(whole));
    for (const path of [crashed, whole]) expect(await finish(path, 1, last)).toBe(last);
    expect(await verifyStore(crashed)).toMatchObject({ problems: [] });
  });
});

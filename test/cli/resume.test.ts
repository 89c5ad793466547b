import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { verifyStore } from '../../engine/store/verify/verify.ts';
import { withEngine } from '../../src/cli/data-folder.ts';
import { type Checkpoint, importRecords } from '../../src/directory/records/index.ts';
import { runCli, startCli } from './run-cli.ts';
import { MODEL, scratchFolder } from './scratch-folder.ts';

const scratch = scratchFolder();
/** Enough for five kills before its end; where the machine lets a kill come too late, there are more. */
const LINES = [60_000, 240_000, 960_000];
const KILLS = 5;
const BATCH = '2000';

function lineOf(i: number): string {
  return i % 7 === 0 ? `doc:${i}#nothing@user:${i}` : `doc:${i}#viewer@user:${i % 1000}`;
}

/** An import of so many lines, and what it writes. */
function prepare(lines: number) {
  const model = scratch.file('model.fga', MODEL);
  const file = scratch.file('a.txt', `${Array.from({ length: lines }, (_, i) => lineOf(i)).join('\n')}\n`);
  const [data, refused] = [scratch.path(`data-${lines}`), scratch.path(`refused-${lines}.txt`)];
  const options = ['--model', model, '--data', data, '--batch', BATCH, '--skip-invalid', refused, '--errors', '1'];
  return { argv: ['import', file, '--store', 's', ...options, '--resume'], data, refused };
}

/** Lines that are refused are on disk before the commit that counts them: their file tells how far an import is. */
function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

async function killWhen(child: ChildProcess, isTime: () => boolean): Promise<void> {
  const exited = once(child, 'exit');
  const timer = setInterval(() => {
    if (isTime()) child.kill('SIGKILL');
  }, 1);
  await exited;
  clearInterval(timer);
}

async function checkpointOf(data: string): Promise<{ checkpoint: Checkpoint | undefined; tuples: number }> {
  return withEngine(data, {}, async (engine) => {
    if (!engine.storeNames().includes('s')) return { checkpoint: undefined, tuples: 0 };
    const store = engine.store('s');
    const [entry] = importRecords.list(store);
    return { checkpoint: entry?.document, tuples: store.stats().tuples };
  });
}

describe('relata import --resume', () => {
  /** Kills it again and again. Answers how far it had come, or undefined where it came to its end before a kill. */
  async function killed(lines: number, { argv, data, refused: file }: ReturnType<typeof prepare>) {
    let reached = 0;
    for (let kill = 0; kill < KILLS; kill++) {
      const child = startCli(argv);
      const part = (kill + 1) / (2 * KILLS);
      await killWhen(child, () => sizeOf(file) > part * (lines / 7) * 60);
      if (child.exitCode !== null) {
        expect(child.exitCode).toBe(0);
        return undefined;
      }
      expect(await verifyStore(join(data, 'store'))).toMatchObject({ problems: [] });
      const { checkpoint, tuples } = await checkpointOf(data);
      // each line makes one tuple or is refused, so that the place tells both counts
      const line = checkpoint?.position.line ?? 0;
      const refused = Math.ceil(line / 7);
      expect({ tuples, line }).toEqual({ tuples: line - refused, line });
      expect(checkpoint?.tuples ?? 0).toBe(tuples);
      expect(line).toBeGreaterThanOrEqual(reached);
      if (line === lines) return undefined;
      reached = line;
    }
    return reached;
  }

  it('goes on exactly where a killed import had come to', { timeout: 300_000 }, async () => {
    for (const lines of LINES) {
      const prepared = prepare(lines);
      const reached = await killed(lines, prepared);
      if (reached === undefined) continue;
      expect(reached).toBeGreaterThan(lines / 10);
      await expectEnd(lines, prepared);
      return;
    }
    throw new Error('every import came to its end before it was killed');
  });

  async function expectEnd(lines: number, { argv, data, refused: file }: ReturnType<typeof prepare>) {
    const { code, err } = await runCli(argv);
    expect({ code, err: err.replaceAll(/^.*a\.txt:1: .*\n/gm, '') }).toEqual({ code: 0, err: '' });
    const refused = Math.ceil(lines / 7);
    expect(await checkpointOf(data)).toMatchObject({
      tuples: lines - refused,
      checkpoint: { isDone: true, tuples: lines - refused, refused, position: { line: lines } },
    });
    const kept = readFileSync(file, 'utf8').split('\n');
    const expected = Array.from({ length: lines }, (_, i) => lineOf(i)).filter((line) => line.includes('nothing'));
    expect(kept.filter((line) => line !== '' && !line.startsWith('#'))).toEqual(expected);
    expect((await runCli(argv)).out).toContain('was imported already');
  }

  it('starts over where the file has changed, and finds its tuples there', async () => {
    const model = scratch.file('model.fga', MODEL);
    const data = scratch.path('data');
    const rows = Array.from({ length: 3000 }, (_, i) => `doc:${i},viewer,user:1`);
    const write = (row: string) => scratch.file('a.csv', ['object,relation,subject', ...rows, row, ''].join('\n'));
    const argv = ['--store', 's', '--model', model, '--data', data, '--batch', '500', '--resume'];
    const failed = await runCli(['import', write('doc:x,vievver,user:1'), ...argv]);
    expect(failed.code).toBe(2);
    expect(failed.err).toMatch(/a\.csv:3002: .*\nrelata: 1 line refused; [\d,]+ tuples before it were imported/);
    const { tuples } = await checkpointOf(data);
    expect(tuples).toBeGreaterThan(0);
    const corrected = await runCli(['import', write('doc:x,viewer,user:1'), ...argv]);
    expect(corrected.out).toContain(`3,001 tuples imported, ${(3001 - tuples).toLocaleString('en-US')} new or changed`);
  });
});

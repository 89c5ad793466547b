import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  Background,
  backgroundMetrics,
  createLog,
  type LogFields,
  singleThreadMetrics,
} from '../../src/platform/index.ts';

const lines: LogFields[] = [];
const log = createLog({ level: 'debug', write: (line) => lines.push(JSON.parse(line) as LogFields) });

function guard() {
  lines.length = 0;
  const metrics = singleThreadMetrics(backgroundMetrics(['audit_export', 'sweep']));
  return { background: new Background({ log, metrics }), metrics };
}

const lost = () => new TypeError('the outer error', { cause: new Error('the inner error') });

describe('the guard of background work', () => {
  afterEach(() => vi.useRealTimers());

  const ways = [
    {
      name: 'a task that throws',
      task: () => {
        throw lost();
      },
    },
    { name: 'a task whose promise rejects', task: () => Promise.reject(lost()) },
  ];
  it.each(ways)('$name is logged with its name and cause, and counted', async ({ task }) => {
    const { background, metrics } = guard();
    expect(await background.run('sweep', task)).toBe(false);
    background.guarded('letters', task)();
    await background.stop();
    expect(lines).toMatchObject(
      ['sweep', 'letters'].map((job) => ({
        level: 'error',
        job,
        error: { type: 'TypeError', message: 'the outer error', cause: { message: 'the inner error' } },
      })),
    );
    expect(metrics.text()).toContain('relata_background_failures_total{job="sweep"} 1\n');
    expect(metrics.text()).toContain('relata_background_failures_total{job="letters"} 1\n');
  });

  it('a job that is in no list is logged, and counted with the others of its kind', async () => {
    const { background, metrics } = guard();
    for (const job of ['unheard of', 'unknown'])
      expect(await background.run(job, () => Promise.reject(lost()))).toBe(false);
    await background.stop();
    expect(lines).toMatchObject([{ job: 'unheard of' }, { job: 'unknown' }]);
    expect(metrics.text()).toContain('relata_background_failures_total{job="other"} 2\n');
  });

  it('a task for the end of a turn runs there, each time it is asked for, and its error ends nothing else', async () => {
    const { background, metrics } = guard();
    let runs = 0;
    const soon = background.atTurnEnd('sweep', () => {
      runs++;
      throw lost();
    });
    for (let turn = 1; turn <= 2; turn++) {
      soon();
      expect(runs).toBe(turn - 1);
      await new Promise((resolve) => setImmediate(resolve));
      expect(runs).toBe(turn);
    }
    expect(lines).toMatchObject(Array.from({ length: 2 }, () => ({ level: 'error', job: 'sweep' })));
    expect(metrics.text()).toContain('relata_background_failures_total{job="sweep"} 2\n');
  });

  it('what keeps failing waits twice as long each time, up to a minute, and as before once it succeeds', async () => {
    vi.useFakeTimers();
    const { background } = guard();
    const runs: number[] = [];
    let isBroken = true;
    const repetition = background.every('sampler', 1000, () => {
      runs.push(Date.now());
      if (isBroken) throw lost();
    });
    await vi.advanceTimersByTimeAsync(400_000);
    isBroken = false;
    await vi.advanceTimersByTimeAsync(65_000);
    void repetition.stop();
    const gaps = runs.map((at, place) => at - (runs[place - 1] ?? at)).slice(1);
    const late = 250;
    const waits = [2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000, 60_000];
    expect(gaps.slice(0, 8)).toEqual(waits.map((ms) => ms + late));
    expect(gaps.slice(-3)).toEqual([1000, 1000, 1000].map((ms) => ms + late));
    const count = runs.length;
    await vi.advanceTimersByTimeAsync(400_000);
    expect(runs).toHaveLength(count);
  });

  it('long gaps end together, and never early; short ones in time', async () => {
    vi.useFakeTimers();
    const { background } = guard();
    const start = performance.now();
    const wakes = new Set<number>();
    const at = new Map<number, number[]>();
    for (const gapMs of [100, 1000, 2000, 10_000]) {
      await vi.advanceTimersByTimeAsync(30);
      const runs: number[] = [performance.now() - start];
      at.set(gapMs, runs);
      background.every('sampler', gapMs, () => {
        runs.push(performance.now() - start);
        if (gapMs > 100) wakes.add(performance.now());
      });
    }
    await vi.advanceTimersByTimeAsync(60_000);
    for (const [gapMs, runs] of at) {
      const gaps = runs.map((time, place) => time - (runs[place - 1] ?? time)).slice(1);
      expect(Math.min(...gaps)).toBeGreaterThanOrEqual(gapMs - 1);
      expect(Math.max(...gaps)).toBeLessThanOrEqual(gapMs < 500 ? gapMs + 1 : gapMs * 1.25);
    }
    // those of a second alone are so many
    expect(wakes.size).toBeLessThanOrEqual(60);
    await background.stop();
    expect(vi.getTimerCount()).toBe(0);
  });

  it('never runs a task twice at once, and waits for it when it stops', async () => {
    vi.useFakeTimers();
    const { background } = guard();
    let running = 0;
    let most = 0;
    let finish = (): void => {};
    background.every('sweep', 10, async () => {
      most = Math.max(most, ++running);
      await new Promise<void>((resolve) => {
        finish = resolve;
      });
      running--;
    });
    await vi.advanceTimersByTimeAsync(1000);
    let isStopped = false;
    const stopped = background.stop().then(() => {
      isStopped = true;
    });
    await vi.advanceTimersByTimeAsync(1000);
    expect({ running, most, isStopped }).toEqual({ running: 1, most: 1, isStopped: false });
    finish();
    await stopped;
    expect(running).toBe(0);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('drops what was to run later when it stops', async () => {
    vi.useFakeTimers();
    const { background } = guard();
    let runs = 0;
    background.after('sweep', 10, () => runs++);
    await vi.advanceTimersByTimeAsync(10);
    background.after('sweep', 10, () => runs++);
    await background.stop();
    await vi.advanceTimersByTimeAsync(100);
    expect(runs).toBe(1);
  });
});

const child = fileURLToPath(new URL('background-child.mjs', import.meta.url));

/** Ends of a real process. */
function end(...args: readonly string[]) {
  const { status, stdout } = spawnSync(process.execPath, [child, ...args], { encoding: 'utf8' });
  const entries = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as LogFields);
  return { status, entries };
}

const inner = { type: 'TypeError', cause: { message: 'the inner error' } };

describe('a process', () => {
  it.each(['error', 'handler'])('goes on after an %s that the guard met', (name) => {
    const { status, entries } = end(name);
    expect(status).toBe(0);
    expect(entries).toMatchObject([{ job: 'sweep', error: inner }, { msg: 'alive' }]);
  });

  it('ends on purpose when an assertion fails in the background, and says so', () => {
    const { status, entries } = end('assertion');
    expect(status).not.toBe(0);
    expect(entries).toMatchObject([
      { job: 'sweep', msg: expect.stringContaining('the process ends') as string, error: { code: 'ERR_ASSERTION' } },
      { origin: 'uncaughtException', error: { message: 'a broken rule' } },
    ]);
  });

  const uncaught = [
    { name: 'rejection', origin: 'unhandledRejection' },
    { name: 'exception', origin: 'uncaughtException' },
  ];
  it.each(uncaught)('logs an $origin with its cause before it ends', ({ name, origin }) => {
    const { status, entries } = end(name);
    expect(status).not.toBe(0);
    expect(entries).toMatchObject([{ level: 'error', in: 'main', origin, error: inner }]);
  });

  it.each(uncaught)('logs an $origin of a worker there, and its parent learns class and cause', ({ name, origin }) => {
    const { status, entries } = end(name, 'worker');
    expect(status).toBe(3);
    expect(entries).toMatchObject([
      { in: 'worker', origin, error: inner },
      { in: 'main', name: 'TypeError', inner: 'the inner error' },
    ]);
  });

  it('whose output takes no lines goes on', () => {
    const { status, stderr } = spawnSync('sh', ['-c', `'${process.execPath}' '${child}' error > /dev/full`], {
      encoding: 'utf8',
    });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  });
});

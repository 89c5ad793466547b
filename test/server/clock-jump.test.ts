import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { steppedJob } from '../../src/kernel/modules/index.ts';
import { Background, silentLog } from '../../src/platform/index.ts';
import { RunningService } from './running-service.ts';

vi.setConfig({ testTimeout: 120_000 });

const YEAR_MS = 365 * 24 * 3_600_000;

describe('a sweep', () => {
  afterEach(() => vi.useRealTimers());

  /** A job of one step that takes as long as the background lets it. */
  const start = (step: () => Promise<boolean>, isClockTrusted: () => boolean, ignoresClock = false) =>
    steppedJob({ name: 'sweep', runs: 'in the cluster', ignoresClock }, () => step).start({
      background: new Background({ log: silentLog }),
      isClockTrusted,
    });

  test('removes nothing while the clock is not to be trusted, and begins when it is', async () => {
    vi.useFakeTimers();
    let isTrusted = false;
    const step = vi.fn(async () => false);
    const job = start(step, () => isTrusted);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(step).not.toHaveBeenCalled();
    isTrusted = true;
    await vi.advanceTimersByTimeAsync(20_000);
    expect(step).toHaveBeenCalled();
    await job.stop();
  });

  test('goes on all the same where nothing that it does depends on the time', async () => {
    vi.useFakeTimers();
    const step = vi.fn(async () => false);
    const job = start(step, () => false, true);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(step).toHaveBeenCalled();
    await job.stop();
  });

  test('ends between two steps when the clock jumps', async () => {
    vi.useFakeTimers();
    let isTrusted = true;
    const step = vi.fn(async () => {
      isTrusted = false;
      return true;
    });
    const job = start(step, () => isTrusted);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(step).toHaveBeenCalledTimes(1);
    await job.stop();
  });
});

describe('a service that starts', () => {
  let folder: string;
  let service: RunningService | undefined;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'relata-clock-'));
    mkdirSync(join(folder, 'data'));
  });
  afterEach(async () => {
    await service?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const trusted = async () =>
    /^relata_clock_trusted (\d)$/m.exec(String((await service?.call('GET', '/metrics'))?.body))?.[1];

  test('notes the time, and trusts a clock that has gone on', async () => {
    service = await RunningService.start({ RELATA_THREADS: '1' }, folder);
    await expect.poll(trusted).toBe('1');
    const noted = Number(readFileSync(join(folder, 'data/last-seen'), 'utf8'));
    expect(Math.abs(Date.now() - noted)).toBeLessThan(120_000);
  });

  test.each([
    { name: 'a year later', by: -YEAR_MS },
    { name: 'a year earlier', by: YEAR_MS },
  ])('$name than it was last seen says so, and does not note the time', async ({ by }) => {
    await (await RunningService.start({ RELATA_THREADS: '1' }, folder)).stop();
    const lastSeen = String(Date.now() + by).padStart(15, '0');
    writeFileSync(join(folder, 'data/last-seen'), lastSeen);
    service = await RunningService.start({ RELATA_THREADS: '1' }, folder);
    expect(service.output()).toMatch(/"msg":"the clock has jumped: removals and key rotation wait"/);
    await expect.poll(trusted).toBe('0');
    expect(readFileSync(join(folder, 'data/last-seen'), 'utf8')).toBe(lastSeen);
  });
});

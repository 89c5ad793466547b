import { afterEach, expect, it, vi } from 'vitest';
import { Background, createLog, type LogFields } from '../../src/platform/index.ts';
import { type JobServices, startGuarded } from '../../src/server/jobs.ts';

const lines: LogFields[] = [];
const log = createLog({ level: 'debug', write: (line) => lines.push(JSON.parse(line) as LogFields) });

afterEach(() => vi.useRealTimers());

it('a job whose start fails is told, started later, and stops no other', async () => {
  vi.useFakeTimers();
  const background = new Background({ log });
  const services = { background } as JobServices; // these jobs use nothing else
  const told: string[] = [];
  let failures = 3;
  const job = (name: string) => ({
    name,
    runs: 'on each node' as const,
    start() {
      if (name === 'broken' && failures-- > 0) throw new Error('not now');
      told.push(`${name} starts`);
      return { stop: async () => void told.push(`${name} stops`) };
    },
  });
  const running = ['first', 'broken', 'last'].map((name) => startGuarded(job(name), services));
  expect(told).toEqual(['first starts', 'last starts']);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(told).toEqual(['first starts', 'last starts', 'broken starts']);
  expect(lines.map(({ job }) => job)).toEqual(['broken', 'broken', 'broken']);
  await Promise.all(running.map((each) => each.stop()));
  expect(told.slice(3).toSorted()).toEqual(['broken stops', 'first stops', 'last stops']);
});

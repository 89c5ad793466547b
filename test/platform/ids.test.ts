import { expect, test } from 'vitest';
import { manualClock, requestIdGenerator, systemClock, uuidGenerator } from '../../src/platform/index.ts';

test('a UUID carries its time, version 7 and the variant (RFC 9562, appendix A.6)', () => {
  const uuid = uuidGenerator(manualClock(0x017f22e279b0), () => Uint8Array.from([1, 2, 3, 4, 5, 6, 7, 8, 0x04, 0x56]));
  expect(uuid()).toBe('017f22e2-79b0-7456-8102-030405060708');
});

test('UUIDs grow strictly within a millisecond, past the end of the counter, and when the clock steps back', () => {
  const clock = manualClock(1_700_000_000_000);
  const uuid = uuidGenerator(clock);
  let previous = uuid();
  for (let i = 0; i < 20_000; i++) {
    if (i === 10_000) clock.advance(-5_000);
    const next = uuid();
    expect(next > previous).toBe(true);
    expect(next).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    previous = next;
  }
});

test('UUIDs of two generators do not meet', () => {
  const generators = [uuidGenerator(systemClock), uuidGenerator(systemClock)];
  const ids = Array.from({ length: 20_000 }, (_, index) => generators[index % 2]?.());
  expect(new Set(ids).size).toBe(20_000);
});

test('request ids of two threads differ and stay short', () => {
  const [one, two] = [requestIdGenerator(), requestIdGenerator()];
  const ids = [one(), one(), two(), two()];
  expect(new Set(ids).size).toBe(4);
  for (const id of ids) expect(id).toMatch(/^[0-9a-f]{12}-[0-9a-z]+$/);
});

test('request ids of a thread differ, and are short for long', () => {
  const next = requestIdGenerator();
  const ids = Array.from({ length: 50_000 }, next);
  expect(new Set(ids).size).toBe(ids.length);
  expect(Math.max(...ids.map((id) => id.length))).toBeLessThanOrEqual('0123456789ab-'.length + 4);
});

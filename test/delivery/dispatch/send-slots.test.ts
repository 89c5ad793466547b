import { describe, expect, it } from 'vitest';
import { SendSlots } from '../../../src/delivery/dispatch/sending/send-slots.ts';

/** An organization that takes all the places it can get, and gives none back. */
function taker(slots: SendSlots, organization: string, isSlow = false) {
  const held: (() => void)[] = [];
  for (let n = 0; n < 500; n++) void slots.take(organization, isSlow).then((release) => held.push(release));
  return held;
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('places to send', () => {
  it('are not all taken by ten that want all and give none back', async () => {
    const slots = new SendSlots({ total: 512, ofOne: 128 });
    for (let n = 0; n < 10; n++) {
      const held = taker(slots, `organization-${n}`);
      await turn();
      expect(held.length, `organization ${n}`).toBeGreaterThan(0);
      expect(held.length).toBeLessThanOrEqual(128);
    }
  });

  it('are shared in equal parts after a while, whoever came first', async () => {
    const slots = new SendSlots({ total: 90, ofOne: 80 });
    const names = Array.from({ length: 8 }, (_, n) => `${n}`);
    const all = names.map((name) => taker(slots, name));
    // each gives back the place that it has held longest
    for (let round = 0; round < 1000; round++) {
      all[round % all.length]?.shift()?.();
      await turn();
    }
    for (const held of all) expect(held.length).toBeGreaterThanOrEqual(9);
    for (const held of all) expect(held.length).toBeLessThanOrEqual(11);
  });

  it('of one organization are bounded, and half of them are for receivers that answer', async () => {
    const slots = new SendSlots({ total: 512, ofOne: 128 });
    const slow = taker(slots, 'one', true);
    await turn();
    expect(slow).toHaveLength(64);
    const quick = taker(slots, 'one');
    await turn();
    expect(quick).toHaveLength(64);
    slow.shift()?.();
    quick.shift()?.();
    await turn();
    expect([slow.length, quick.length]).toEqual([64, 64]);
    expect(slots.underWay).toBe(128);
  });
});

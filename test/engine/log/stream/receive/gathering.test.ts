import { describe, expect, it } from 'vitest';
import { Gathering } from '../../../../../engine/log/stream/receive/gathering.ts';

const SMALL = 1000;

class Scene {
  #now = 0;
  readonly gathering = new Gathering(() => this.#now);

  /** A commit of one message of each of these producers, which took so long. */
  commit(producers: string, ms: number): void {
    this.#now += ms;
    const replayed = [...producers].map((name) => ({ producer: Buffer.from(name), number: 1, outcomes: [] }));
    this.gathering.applied(replayed, ms);
  }

  pass(ms: number): void {
    this.#now += ms;
  }
}

describe('a message', () => {
  it.each([
    { after: 'nothing', waits: 0, commits: [] },
    { after: 'one node that sends alone', waits: 0, commits: ['a', 'a', 'a'] },
    { after: 'two that send by turns', waits: 3, commits: ['a', 'b'] },
    { after: 'two that send at once', waits: 3, commits: ['ab'] },
  ])('waits $waits ms after $after', ({ commits, waits }) => {
    const scene = new Scene();
    for (const producers of commits) scene.commit(producers, 3);
    expect(scene.gathering.waitMs(1, SMALL)).toBe(waits);
  });

  it('waits no longer than the commit before took, and 4 ms', () => {
    const scene = new Scene();
    scene.commit('ab', 1.2);
    expect(scene.gathering.waitMs(1, SMALL)).toBe(1);
    scene.commit('ab', 90);
    expect(scene.gathering.waitMs(1, SMALL)).toBe(4);
    scene.commit('ab', 0.2);
    expect(scene.gathering.waitMs(1, SMALL)).toBe(0);
  });

  it('does not wait for a node that has been silent', () => {
    const scene = new Scene();
    scene.commit('ab', 3);
    scene.pass(30);
    expect(scene.gathering.waitMs(1, SMALL)).toBe(3);
    scene.pass(1);
    expect(scene.gathering.waitMs(1, SMALL)).toBe(0);
  });
});

it('messages do not wait where one of each node is there, or where they are large', () => {
  const scene = new Scene();
  scene.commit('abc', 3);
  expect(scene.gathering.waitMs(2, SMALL)).toBe(3);
  expect(scene.gathering.waitMs(3, SMALL)).toBe(0);
  expect(scene.gathering.isEnough(3, SMALL)).toBe(true);
  expect(scene.gathering.waitMs(2, 100_000)).toBe(0);
});

it('waits in vain a few times, then only now and again until something comes', () => {
  const scene = new Scene();
  const waits = (commits: number, came: number): number => {
    let count = 0;
    for (let n = 0; n < commits; n++) {
      scene.commit('ab', 3);
      if (scene.gathering.waitMs(1, SMALL) === 0) continue;
      count++;
      scene.gathering.waited(came);
    }
    return count;
  };
  expect(waits(100, 1)).toBe(100);
  expect(waits(68, 0)).toBe(4);
  expect(waits(650, 0)).toBe(10);
  waits(65, 1);
  expect(waits(4, 0)).toBe(4);
});

import { execFileSync } from 'node:child_process';
import type { Place } from '../place.ts';
import { run } from './machine.ts';

/** Bridges: members on different ones do not reach each other. */
const SIDES = 2;

/**
 * A network of its own for a cluster, of which parts can be cut off. Each member is a network namespace with two
 * interfaces: one on a bridge, for the cluster, and one that reaches the test alone, and is never cut.
 */
export class Network {
  readonly places: readonly Place[];
  readonly #names: readonly string[];
  readonly #net: number;
  readonly #cleanUp = (): void => this.remove();

  /** See `whyNoNetworks` for whether that is possible. */
  constructor(members: number) {
    this.#net = freeNet();
    this.#names = Array.from({ length: members }, (_, i) => `relata-${process.pid}-${this.#net}-${i}`);
    this.places = this.#names.map((name, i) => ({
      address: `10.213.${this.#net}.${i + 1}`,
      control: this.#controlOf(i, 2),
      prefix: ['ip', 'netns', 'exec', name],
    }));
    process.once('exit', this.#cleanUp);
    for (let side = 0; side < SIDES; side++) {
      run('ip', 'link', 'add', this.#bridge(side), 'type', 'bridge');
      run('ip', 'link', 'set', this.#bridge(side), 'up');
    }
    for (let i = 0; i < members; i++) this.#add(i);
  }

  /** Cuts some members off from all others, both ways. Among themselves they go on. */
  cut(members: readonly number[]): void {
    for (const i of this.#names.keys()) {
      run('ip', 'link', 'set', this.#interface('c', i), 'master', this.#bridge(members.includes(i) ? 1 : 0));
    }
  }

  heal(): void {
    this.cut([]);
  }

  /** Cuts a member off from some others, and from nobody else. */
  part(member: number, others: readonly number[]): void {
    const name = this.#names[member] as string; // the caller counts them
    for (const other of others) run('ip', '-n', name, 'route', 'add', 'blackhole', `${this.places[other]?.address}/32`);
  }

  remove(): void {
    process.off('exit', this.#cleanUp);
    const links = this.#names.flatMap((_, i) => [this.#interface('c', i), this.#interface('t', i)]);
    for (const link of [...links, this.#bridge(0), this.#bridge(1)]) attempt('ip', 'link', 'del', link);
    for (const name of this.#names) attempt('ip', 'netns', 'del', name);
  }

  #add(i: number): void {
    const name = this.#names[i] as string; // the caller counts them
    const within = (...words: string[]): void => run('ip', '-n', name, ...words);
    const [cluster, test] = [this.#interface('c', i), this.#interface('t', i)];
    run('ip', 'netns', 'add', name);
    within('link', 'set', 'lo', 'up');
    run('ip', 'link', 'add', cluster, 'type', 'veth', 'peer', 'name', 'cluster', 'netns', name);
    run('ip', 'link', 'set', cluster, 'master', this.#bridge(0), 'up');
    within('addr', 'add', `10.213.${this.#net}.${i + 1}/24`, 'dev', 'cluster');
    within('link', 'set', 'cluster', 'up');
    run('ip', 'link', 'add', test, 'type', 'veth', 'peer', 'name', 'test', 'netns', name);
    run('ip', 'addr', 'add', `${this.#controlOf(i, 1)}/30`, 'dev', test);
    run('ip', 'link', 'set', test, 'up');
    within('addr', 'add', `${this.#controlOf(i, 2)}/30`, 'dev', 'test');
    within('link', 'set', 'test', 'up');
  }

  #controlOf(i: number, end: number): string {
    return `10.214.${this.#net}.${4 * i + end}`;
  }

  /** At most 15 characters, as the system wants it. */
  #interface(kind: string, i: number): string {
    return `rl${this.#net}${kind}${i}`;
  }

  #bridge(side: number): string {
    return `rl${this.#net}b${side}`;
  }
}

/** A number that no other network of these has. */
function freeNet(): number {
  const links = execFileSync('ip', ['-o', 'link'], { encoding: 'utf8' });
  for (let tries = 0; tries < 1000; tries++) {
    const net = 1 + Math.floor(Math.random() * 250);
    if (!links.includes(`rl${net}b`)) return net;
  }
  throw new Error('no network is free');
}

function attempt(program: string, ...parameters: readonly string[]): void {
  try {
    run(program, ...parameters);
  } catch {
    // it was not made, or went with the other end
  }
}

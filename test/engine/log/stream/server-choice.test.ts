import type { NatsConnection, Server } from '@nats-io/transport-node';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { ServerChoice } from '../../../../engine/log/stream/nats/connection/server-choice.ts';

const ADDRESSES = ['one:4222', 'two:4222', 'three:4222'];
const servers = ADDRESSES.map((listen) => ({ listen }) as Server);

/** A client whose servers are all connected, and take no messages. */
class SilentServers {
  readonly choice = new ServerChoice();
  #server = ADDRESSES[0] as string;
  left = 0;

  readonly #connection = {
    getServer: () => this.#server,
    reconnect: async () => {
      this.#server = this.choice.next(servers)?.listen ?? 'none was chosen';
      this.left++;
    },
  } as unknown as NatsConnection;

  /** A message each second goes without an answer. */
  unanswered(seconds: number): void {
    for (let second = 0; second < seconds; second++) {
      const sentAt = performance.now();
      vi.advanceTimersByTime(1000);
      this.choice.unanswered(this.#connection, sentAt);
    }
  }

  get server(): string {
    return this.#server;
  }
}

describe('a server that takes no messages', () => {
  let silent: SilentServers;
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['performance'] });
    silent = new SilentServers();
    return () => vi.useRealTimers();
  });

  it('is left for another one after four seconds', () => {
    silent.unanswered(3);
    expect(silent.left).toBe(0);
    silent.unanswered(1);
    expect(silent.left).toBe(1);
    expect(ADDRESSES.slice(1)).toContain(silent.server);
  });

  it('is stayed with for longer when the others were tried in vain, since a node that moves is not there meanwhile', () => {
    silent.unanswered(3 * 4);
    expect(silent.left).toBe(3);
    silent.unanswered(7);
    expect(silent.left).toBe(3);
    silent.unanswered(1);
    expect(silent.left).toBe(4);
    silent.unanswered(3600);
    expect(silent.left).toBeLessThan(4 + 3600 / 32);
    // and not for good
    silent.unanswered(64);
    expect(silent.left).toBeGreaterThan(3600 / 64);
  });

  it('is left soon again once one has taken a message', () => {
    silent.unanswered(60);
    silent.choice.taken();
    const { left } = silent;
    silent.unanswered(4);
    expect(silent.left).toBe(left + 1);
  });
});

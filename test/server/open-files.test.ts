import { spawnSync } from 'node:child_process';
import { Agent, get } from 'node:http';
import { connect } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { loadUws } from '../../src/http/transport/uws/uws-binding.ts';
import { RunningService } from './running-service.ts';

const FILES = 256;
const SILENT = 300;
/** Over several rounds of everything that runs each second. */
const HELD_MS = 3500;

const preload = new URL('open-files.mjs', import.meta.url).href;
const hasLimits = spawnSync('prlimit', ['--version']).status === 0;
const transports = ['uws', 'socket'].filter((name) => name !== 'uws' || loadUws() !== undefined);

/** Asks over one connection that stays open: a new one could not be taken. */
function ask(agent: Agent, url: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const request = get(url, { agent }, (response) => {
      response.resume().once('end', () => resolve(response.statusCode));
    });
    request.once('error', reject);
  });
}

describe.skipIf(!hasLimits)('a service that may open no more files (skipped where prlimit is missing)', () => {
  let service: RunningService | undefined;
  afterEach(() => service?.remove());

  it.each(transports)('answers those who are connected, and everybody once it may again, on %s', async (transport) => {
    service = await RunningService.start({
      RELATA_THREADS: '2',
      RELATA_TRANSPORT: transport,
      NODE_OPTIONS: `--import ${preload}`,
    });
    const { pid, url, port } = service;
    const output = (): string => service?.output() ?? '';
    spawnSync('prlimit', ['--pid', String(pid), `--nofile=${FILES}`]);
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    expect(await ask(agent, `${url}/healthz`)).toBe(200);
    const silent = Array.from({ length: SILENT }, () => connect(port, '127.0.0.1').on('error', () => {}));
    process.kill(pid, 'SIGUSR2');
    await expect.poll(output, { timeout: 60_000 }).toContain('holds all files: EMFILE');
    for (const until = performance.now() + HELD_MS; performance.now() < until; ) {
      expect(await ask(agent, `${url}/healthz`)).toBe(200);
    }
    // as a scrape that comes meanwhile
    expect(await ask(agent, `${url}/metrics`)).toBe(200);
    process.kill(pid, 'SIGUSR2');
    await expect.poll(output, { timeout: 60_000 }).toContain('holds no file');
    for (const socket of silent) socket.destroy();
    agent.destroy();
    const isServed = () =>
      fetch(`${url}/readyz`)
        .then(({ status }) => status)
        .catch(() => 0);
    await expect.poll(isServed, { timeout: 60_000 }).toBe(200);
    expect(await service.stop()).toBe(0);
  });
});

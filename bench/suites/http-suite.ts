import { rmSync } from 'node:fs';
import { casesOf } from '../http/http-cases.ts';
import { commitLine } from '../http/lines/commit-line.ts';
import { fullLoadLine } from '../http/lines/full-load-line.ts';
import { halfLoadLines } from '../http/lines/half-load-lines.ts';
import { idleLines } from '../http/lines/idle-line.ts';
import type { Site } from '../http/lines/site.ts';
import { transportLines } from '../http/lines/transport-lines.ts';
import { hasWrk } from '../http/load/wrk.ts';
import { peersOf } from '../http/peers/peers.ts';
import { startEmptyServer, startService } from '../http/server/running-service.ts';
import { prepareServiceData } from '../http/server/service-data.ts';
import { scratchFolder } from '../store/kept-folder.ts';
import { driveOf } from './drive-suite.ts';
import type { Bench, Suite } from './suite.ts';

/** Connections stay open while nothing is asked, as many as a line has. */
const PATIENT = { RELATA_LIMIT_IDLE_TIMEOUT_MS: '600000', RELATA_LIMIT_RATE_PUBLIC: '0' };

/** The service with one acceptor, asked over HTTP by wrk, beside a server that only answers. */
export const httpSuite: Suite = {
  name: 'http',
  about: 'checks over HTTP with an API key, one acceptor, load from wrk',
  size: '1m',
  async run(bench) {
    if (!hasWrk()) return bench.note('wrk is not installed: nothing is measured over HTTP');
    const scratch = scratchFolder('http');
    try {
      await withSite(bench, scratch, measureAll);
    } finally {
      rmSync(scratch, { recursive: true, force: true });
    }
  },
};

async function measureAll(site: Site): Promise<void> {
  const { isSmoke } = site.bench;
  for (const [place, httpCase] of casesOf(site.data, isSmoke).entries()) {
    const full = await fullLoadLine(site, httpCase);
    if (place === 0) {
      await transportLines(site, full);
      await idleLines(site, full, httpCase.name);
    }
    // One is enough to see that it works: wrk knows no time under a second.
    if (isSmoke && place > 0) continue;
    await halfLoadLines(site, httpCase, full);
    await commitLine(site, httpCase, full);
  }
}

/** Runs a task with the service over a million tuples, and a server that only answers beside it. */
export async function withSite(bench: Bench, scratch: string, task: (site: Site) => Promise<void>): Promise<void> {
  const drive = driveOf(bench, 1_000_000);
  bench.note('relata import');
  const data = await prepareServiceData(scratch, drive);
  const peers = peersOf(process.env);
  for (const peer of peers) {
    bench.note(`${peer.name}: loading`);
    await peer.load(drive);
  }
  const [service, empty] = await Promise.all([startService(data.folder, PATIENT), startEmptyServer()]);
  try {
    await task({ bench, scratch, data, service, empty, peers });
  } finally {
    await Promise.all([service.stop(), empty.stop()]);
  }
}

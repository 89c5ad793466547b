import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { AgentsSite } from '../http/agents/agents-site.ts';
import { checkLines } from '../http/agents/check-lines.ts';
import { endLines } from '../http/agents/end-lines.ts';
import { hasWrk } from '../http/load/wrk.ts';
import { startService } from '../http/server/running-service.ts';
import { scratchFolder } from '../store/kept-folder.ts';
import type { Suite } from './suite.ts';

const PLATFORM_KEY = 'platform-key-of-the-benchmark-0123456789';
/** One address sends all of it. */
const limits = {
  RELATA_LIMIT_RATE_PUBLIC: '0',
  RELATA_LIMIT_RATE_ORDINARY: '0',
  RELATA_LIMIT_RATE_EXPENSIVE: '0',
  RELATA_LIMIT_RATE_DECISIONS: '0',
  RELATA_LIMIT_RATE_REFUSED: '0',
};

/** Agents: what their tokens cost, and how soon what was lent to them ends. */
export const agentsSuite: Suite = {
  name: 'agents',
  about: 'checks by delegated and elevated tokens, and 10,000 elevations that end at their time',
  async run(bench) {
    if (!hasWrk()) return bench.note('wrk is not installed: nothing is measured over HTTP');
    const scratch = scratchFolder('agents');
    const folder = join(scratch, 'data');
    mkdirSync(folder);
    const service = await startService(folder, { ...limits, RELATA_PLATFORM_KEY: PLATFORM_KEY });
    try {
      const site = await AgentsSite.make({ bench, scratch, service }, PLATFORM_KEY);
      // an organization has room for these and no others
      await endLines(site);
      await checkLines(site);
    } finally {
      await service.stop();
      rmSync(scratch, { recursive: true, force: true });
    }
  },
};

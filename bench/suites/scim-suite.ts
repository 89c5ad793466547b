import { rmSync } from 'node:fs';
import { hasWrk } from '../http/load/wrk.ts';
import { newUser, sendBulk } from '../http/scim/bulk-requests.ts';
import { listLines } from '../http/scim/list-lines.ts';
import { provisioningLines } from '../http/scim/provisioning-lines.ts';
import { countOf, enableScim, type ScimAmounts, type ScimSite } from '../http/scim/scim-site.ts';
import { startEmptyServer, startService } from '../http/server/running-service.ts';
import { prepareServiceData } from '../http/server/service-data.ts';
import { scratchFolder } from '../store/kept-folder.ts';
import { driveOf } from './drive-suite.ts';
import type { Bench, Suite } from './suite.ts';

const AMOUNTS: ScimAmounts = { users: 50_000, groups: 500, listed: 100_000 };
const FEW: ScimAmounts = { users: 300, groups: 10, listed: 600 };
/** Of the documents that are asked about meanwhile. */
const TUPLES = 100_000;
/** One client sends all of it. */
const limits = { RELATA_LIMIT_RATE_EXPENSIVE: '0', RELATA_LIMIT_RATE_DECISIONS: '0' };

/** Provisioning: many users by Bulk while checks are answered, and the lists of many users. */
export const scimSuite: Suite = {
  name: 'scim',
  about: '50,000 users and 500 groups by Bulk while checks are answered; lists of 100,000 users',
  async run(bench) {
    if (!hasWrk()) return bench.note('wrk is not installed: checks meanwhile cannot be measured');
    const scratch = scratchFolder('scim');
    try {
      await withSite(bench, scratch, measureAll);
    } finally {
      rmSync(scratch, { recursive: true, force: true });
    }
  },
};

async function measureAll(site: ScimSite): Promise<void> {
  const { bench, amounts } = site;
  await provisioningLines(site);
  bench.note(`${amounts.listed} users`);
  const more = Array.from({ length: amounts.listed - amounts.users }, (_, n) => newUser(amounts.users + n));
  await sendBulk(site, more);
  await listLines(site);
}

async function withSite(bench: Bench, scratch: string, task: (site: ScimSite) => Promise<void>): Promise<void> {
  const amounts = bench.isSmoke ? FEW : AMOUNTS;
  const data = await prepareServiceData(scratch, driveOf(bench, TUPLES));
  const [service, empty] = await Promise.all([startService(data.folder, limits), startEmptyServer()]);
  try {
    const token = await enableScim(service, data.adminApiKey);
    const groupsBefore = await countOf({ service, token }, '/Groups');
    await task({ bench, scratch, data, service, empty, token, amounts, groupsBefore });
  } finally {
    await Promise.all([service.stop(), empty.stop()]);
  }
}

import { rmSync } from 'node:fs';
import { hasWrk } from '../http/load/wrk.ts';
import { grantFiles } from '../http/oauth/grants.ts';
import { clientCredentialsLine, ISSUE_CLIENTS, refreshLine } from '../http/oauth/issue-lines.ts';
import { apiOf, type OAuthSite } from '../http/oauth/oauth-site.ts';
import { type BenchClient, registerClient } from '../http/oauth/registered.ts';
import { signInLine } from '../http/oauth/sign-in-line.ts';
import { checkLines, introspectionLine } from '../http/oauth/token-use-lines.ts';
import { type RunningServer, startEmptyServer, startService } from '../http/server/running-service.ts';
import { prepareServiceData, type ServiceData } from '../http/server/service-data.ts';
import { scratchFolder } from '../store/kept-folder.ts';
import { driveOf } from './drive-suite.ts';
import type { Bench, Suite } from './suite.ts';

const PROGRAMS = 64;
const FEW_PROGRAMS = 4;
/** wrk asks for one more than it has connections before it begins. */
const SPARE_GRANTS = 8;
/** Acceptors of the service whose issuing is measured. */
const ISSUING_THREADS = 2;
/** One address sends all of it. */
const limits = { RELATA_LIMIT_RATE_PUBLIC: '0', RELATA_LIMIT_RATE_ORDINARY: '0', RELATA_LIMIT_RATE_DECISIONS: '0' };

/** Tokens: what it takes to issue them, and what they cost when they are used. */
export const oauthSuite: Suite = {
  name: 'oauth',
  about: 'access and refresh tokens issued over HTTP, checks with them, introspection and sign-in',
  size: '1m',
  async run(bench) {
    if (!hasWrk()) return bench.note('wrk is not installed: nothing is measured over HTTP');
    const scratch = scratchFolder('oauth');
    try {
      await measureAll(bench, scratch);
    } finally {
      rmSync(scratch, { recursive: true, force: true });
    }
  },
};

async function measureAll(bench: Bench, scratch: string): Promise<void> {
  const drive = driveOf(bench, 1_000_000);
  bench.note('relata import');
  const data = await prepareServiceData(scratch, drive);
  const connections = bench.isSmoke ? FEW_PROGRAMS : ISSUE_CLIENTS;
  const { programs, files } = await withService(data, limits, async (service, empty) => {
    const programs = await registerPrograms({ service, data }, bench.isSmoke ? FEW_PROGRAMS : PROGRAMS);
    const site = { bench, scratch, data, service, empty, programs };
    bench.note('a person signs in, and an application gets grants');
    const files = await grantFiles(site, bench.isSmoke ? 1 : 4, connections + SPARE_GRANTS);
    await checkLines(site);
    await introspectionLine(site);
    await signInLine(site);
    return { programs, files };
  });
  // whoever issues this much has no core to spare
  await withService(data, { ...limits, RELATA_THREADS: `${ISSUING_THREADS}` }, async (service, empty) => {
    const site = { bench, scratch, data, service, empty, programs };
    await clientCredentialsLine(site);
    await refreshLine(site, files, connections);
  });
}

async function withService<T>(
  data: ServiceData,
  environment: Readonly<Record<string, string>>,
  task: (service: RunningServer, empty: RunningServer) => Promise<T>,
): Promise<T> {
  const [service, empty] = await Promise.all([startService(data.folder, environment), startEmptyServer()]);
  try {
    return await task(service, empty);
  } finally {
    await Promise.all([service.stop(), empty.stop()]);
  }
}

/** Each may ask about everybody, as an API key of an administrator may. */
async function registerPrograms(
  { service, data }: Pick<OAuthSite, 'service' | 'data'>,
  count: number,
): Promise<readonly BenchClient[]> {
  const programs: BenchClient[] = [];
  for (let number = 0; number < count; number++) {
    const program = await registerClient(
      { api: apiOf({ service }), adminApiKey: data.adminApiKey },
      {
        name: `Program ${number}`,
        grantTypes: ['client_credentials'],
        tokenEndpointAuthMethod: 'client_secret_post',
        scopes: ['authz:check', 'bench'],
        permissions: ['authz:check'],
      },
    );
    programs.push(program);
  }
  return programs;
}

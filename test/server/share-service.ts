/** Vitest's global setup: makes what the files of a run share when the first of them asks for it, and ends it after the last. */
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { findNats } from '../cluster/find-nats.ts';
import { RandomNodes } from '../cluster/random-nodes/random-nodes.ts';
import { RunningService } from './running-service.ts';

declare module 'vitest' {
  interface ProvidedContext {
    readonly sharedServicePort: number;
    /** Tells what the endpoints declare: `test/contract/`. */
    readonly contractPort: number;
  }
}

export async function setup({ provide }: Pick<TestProject, 'provide'>): Promise<() => Promise<void>> {
  let service: Promise<RunningService | RandomNodes> | undefined;
  const services = await toldWhenAsked(async () => {
    service ??= startService({ RELATA_LIMIT_RATE_REFUSED: '0', RELATA_THREADS: '2' });
    const { folder, url } = await service;
    return { folder, url };
  });
  let contract: Promise<object> | undefined;
  const contracts = await toldWhenAsked(() => {
    // the whole service is loaded for it, which runs without one do not need
    contract ??= import('../contract/make-contract.ts').then(({ makeContract }) => makeContract());
    return contract;
  });
  provide('sharedServicePort', portOf(services));
  provide('contractPort', portOf(contracts));
  return async () => {
    for (const server of [services, contracts]) server.close();
    await (await service)?.remove();
    await keep(contract);
  };
}

/** With RELATA_TEST_CLUSTER=1: three nodes of a cluster, of which any answers. */
async function startService(environment: Readonly<Record<string, string>>): Promise<RunningService | RandomNodes> {
  if (process.env.RELATA_TEST_CLUSTER !== '1') return RunningService.start(environment);
  const nats = findNats();
  if ('missing' in nats) throw new Error(nats.missing);
  return RandomNodes.start(nats.path, environment);
}

/** Listens, and sends to each connection what the task answers, or why it failed. */
async function toldWhenAsked(task: () => Promise<object>): Promise<Server> {
  const server = createServer(async (socket) => {
    socket.end(JSON.stringify(await task().catch((error: unknown) => ({ failure: String(error) }))));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return server;
}

/** Beside what the files of the run have seen, for `test/long/answers.ts`. */
async function keep(contract: Promise<object> | undefined): Promise<void> {
  const folder = process.env.RELATA_SEEN_ANSWERS;
  if (folder !== undefined) writeFileSync(join(folder, 'contract.json'), JSON.stringify(await contract));
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}

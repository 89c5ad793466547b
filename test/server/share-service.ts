/** Vitest's global setup: starts the shared service when the first test file asks for it, and ends it after the last. */
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import type { TestProject } from 'vitest/node';
import { RunningService } from './running-service.ts';

declare module 'vitest' {
  interface ProvidedContext {
    readonly sharedServicePort: number;
  }
}

export async function setup({ provide }: Pick<TestProject, 'provide'>): Promise<() => Promise<void>> {
  let service: Promise<RunningService> | undefined;
  const server = createServer(async (socket) => {
    service ??= RunningService.start({ RELATA_LIMIT_RATE_REFUSED: '0' });
    const answer = await service.then(
      ({ folder, url }) => ({ folder, url }),
      (error: unknown) => ({ failure: String(error) }),
    );
    socket.end(JSON.stringify(answer));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  provide('sharedServicePort', (server.address() as AddressInfo).port);
  return async () => {
    server.close();
    await (await service)?.remove();
  };
}

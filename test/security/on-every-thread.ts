import { request as requestHttp } from 'node:http';
import { expect } from 'vitest';
import type { RunningService } from '../server/running-service.ts';

/** Each on a connection of its own: the system spreads them over the threads that share the port. */
const CONNECTIONS = 32;

/** Variables of a service whose log says which thread has answered. */
export function threadsLogged(threads: number): Readonly<Record<string, string>> {
  return { RELATA_THREADS: String(threads), RELATA_LOG_LEVEL: 'info', RELATA_ACCESS_LOG: 'all' };
}

/** Statuses of the same request over many connections at once. Every thread must be among those that have answered. */
export async function onEveryThread(
  service: RunningService,
  threads: number,
  path: string,
  headers: Readonly<Record<string, string>>,
): Promise<number[]> {
  const before = service.output().length;
  const answers = await Promise.all(Array.from({ length: CONNECTIONS }, () => get(service.url + path, headers)));
  const ids = new Set(answers.map(({ id }) => id));
  await expect.poll(() => threadsOf(service.output().slice(before), ids).size).toBe(threads);
  return [...new Set(answers.map(({ status }) => status))];
}

/** As the log names them beside the requests. */
function threadsOf(log: string, ids: ReadonlySet<string>): Set<number> {
  const lines = log.matchAll(/"thread":(\d+),"request_id":"([^"]+)"/g);
  return new Set([...lines].filter(([, , id = '']) => ids.has(id)).map(([, thread]) => Number(thread)));
}

function get(url: string, headers: Readonly<Record<string, string>>): Promise<{ status: number; id: string }> {
  return new Promise((resolve, reject) => {
    requestHttp(url, { headers, agent: false }, (answer) => {
      answer.resume();
      answer.on('end', () =>
        resolve({ status: answer.statusCode ?? 0, id: String(answer.headers['x-request-id'] ?? '') }),
      );
    })
      .on('error', reject)
      .end();
  });
}

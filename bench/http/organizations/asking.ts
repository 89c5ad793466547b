import { Agent, request } from 'node:http';
import { Random, SEED } from '../../data/random.ts';
import { inParallel } from '../post.ts';
import type { LoadedOrganization } from './load-organizations.ts';
import { questionOf } from './questions.ts';

const AT_ONCE = 16;

/** Asks each organization once, and throws at the first wrong answer. */
export async function askEach(url: string, organizations: readonly LoadedOrganization[]): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });
  const random = new Random(SEED);
  await inParallel(organizations, AT_ONCE, async (organization) => {
    const { body, isAllowed } = questionOf(organization, random);
    const { slug, adminApiKey } = organization;
    const headers = { authorization: `ApiKey ${adminApiKey}` };
    const text = await send(agent, `${url}/t/${slug}/api/v1/zanzibar/check`, headers, body, 200);
    if ((JSON.parse(text) as { readonly allowed?: unknown }).allowed !== isAllowed) {
      throw new Error(`${slug} answered ${text.slice(0, 300)} to ${body}`);
    }
  });
  agent.destroy();
}

/** Creates organizations for so many seconds, by so many clients that each wait for their answer. */
export async function createFor(
  url: string,
  platformKey: string,
  clients: number,
  seconds: number,
): Promise<{ readonly created: number; readonly perSecond: number }> {
  const agent = new Agent({ keepAlive: true, maxSockets: clients });
  const headers = { authorization: `ApiKey ${platformKey}` };
  const startedAt = performance.now();
  const until = startedAt + seconds * 1000;
  let created = 0;
  let next = 0;
  const client = async (): Promise<void> => {
    while (performance.now() < until) {
      const slug = `new${next++}`;
      const body = JSON.stringify({ slug, name: slug });
      await send(agent, `${url}/platform/api/v1/orgs`, headers, body, 201);
      created++;
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  agent.destroy();
  return { created, perSecond: created / ((performance.now() - startedAt) / 1000) };
}

function send(
  agent: Agent,
  url: string,
  headers: Readonly<Record<string, string>>,
  body: string,
  expected: number,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const sent = request(
      url,
      { method: 'POST', agent, headers: { 'content-type': 'application/json', ...headers } },
      (reply) => {
        const chunks: Buffer[] = [];
        reply.on('data', (chunk: Buffer) => chunks.push(chunk));
        reply.on('error', reject);
        reply.on('end', () => {
          const text = Buffer.concat(chunks).toString('utf8');
          if (reply.statusCode === expected) resolve(text);
          else reject(new Error(`${url} answered ${reply.statusCode}: ${text.slice(0, 500)}`));
        });
      },
    );
    sent.on('error', reject);
    sent.end(body);
  });
}

import { join } from 'node:path';
import type { HttpCase } from '../http-cases.ts';
import { writeBodies } from '../load/body-file.ts';
import { load } from '../load/wrk.ts';
import { verifyAnswers } from '../verify-answers.ts';
import { type Site, tellCpu, timesOf } from './site.ts';

/** Requests a second of each peer, by its name, under the load that the service had. */
export async function askPeers(
  site: Site,
  { name, connections, ...httpCase }: HttpCase,
): Promise<Record<string, number>> {
  const { bench, scratch, peers } = site;
  const { warm, measured } = timesOf(bench);
  const answers: Record<string, number> = {};
  for (const peer of peers) {
    const { requests, expected } = httpCase.questions();
    const url = peer.checkUrl();
    const bodies = requests.map((request) => peer.checkBody(request));
    await verifyAnswers(url, peer.headers, bodies, (reply, place) => peer.isAllowed(reply) === (expected[place] === 1));
    const file = writeBodies(join(scratch, `bodies-${peer.name}`), bodies);
    const headers = { ...peer.headers, 'content-type': 'application/json' };
    const usual = { url, headers, bodies: file, connections, rate: 0, serverPid: undefined };
    if (warm > 0) await load({ ...usual, seconds: warm });
    const result = await load({ ...usual, seconds: measured });
    tellCpu(bench, `${name}: ${peer.name}`, result);
    answers[peer.name] = result.requestsPerSecond;
  }
  return answers;
}

import { join } from 'node:path';
import { atLeast } from '../../report/line.ts';
import { unlessSmoke } from '../../suites/suite.ts';
import { microsPerRequest, middle, tellCpu, timesOf, voided } from '../lines/site.ts';
import { writeBodies } from '../load/body-file.ts';
import { type LoadResult, load } from '../load/wrk.ts';
import { verifyAnswers } from '../verify-answers.ts';
import { type AgentsSite, permissions } from './agents-site.ts';

const CONNECTIONS = 64;
/** A check with such a token costs at most 1.5 times what it costs with a token of one's own. */
const KEPT = 1 / 1.5;

interface Asked {
  readonly name: string;
  readonly token: string;
  readonly permission: string;
}

/** Checks with a delegated and with an elevated token, beside those with a token of the agent's own. */
export async function checkLines(site: AgentsSite): Promise<void> {
  const tokens = await site.tokens(await site.agent(0));
  const own: Asked = { name: 'own', token: tokens.own, permission: permissions.shared };
  const others: readonly Asked[] = [
    { name: 'delegated', token: tokens.delegated, permission: permissions.shared },
    { name: 'elevated', token: tokens.elevated, permission: permissions.lent },
  ];
  for (const each of [own, ...others]) {
    await verifyAnswers(`${site.api}/authz/check`, headersOf(each), [bodyOf(each)], isAllowed);
    await verifyAnswers(`${site.api}/authz/check`, headersOf(each), ['{"permission":"docs:delete"}'], isDenied);
  }
  for (const other of others) await checkLine(site, own, other);
}

async function checkLine(site: AgentsSite, own: Asked, other: Asked): Promise<void> {
  const { bench, service, scratch } = site;
  const { warm, measured, rounds } = timesOf(bench);
  const ask = (asked: Asked, seconds: number): Promise<LoadResult> =>
    load({
      url: `${site.api}/authz/check`,
      headers: headersOf(asked),
      bodies: writeBodies(join(scratch, asked.name), [bodyOf(asked)]),
      connections: CONNECTIONS,
      rate: 0,
      seconds,
      serverPid: service.pid,
    });
  for (const each of warm > 0 ? [own, other] : []) await ask(each, warm);
  const turns: { readonly own: LoadResult; readonly other: LoadResult }[] = [];
  for (let round = 0; round < rounds; round++) {
    turns.push({ own: await ask(own, measured), other: await ask(other, measured) });
  }
  const usual = middle(turns.map((turn) => turn.own));
  const result = middle(turns.map((turn) => turn.other));
  const name = `agents authz/check, ${other.name} token`;
  tellCpu(bench, 'agents authz/check, own token', usual);
  tellCpu(bench, name, result);
  const target = unlessSmoke(bench, atLeast(KEPT, 'ratio'));
  bench.line({
    name,
    value: result.requestsPerSecond,
    unit: 'requests/s',
    baseline: { name: 'token of the agent’s own', value: usual.requestsPerSecond },
    ...(target === undefined ? {} : { target }),
    ...voided(bench, ...turns.flatMap((turn) => [turn.own, turn.other])),
    detail: { cpuRatio: (microsPerRequest(usual) ?? Number.NaN) / (microsPerRequest(result) ?? Number.NaN) },
  });
}

function headersOf({ token }: Asked): Readonly<Record<string, string>> {
  return { 'content-type': 'application/json', authorization: `Bearer ${token}` };
}

function bodyOf({ permission }: Asked): string {
  return JSON.stringify({ permission });
}

function isAllowed(reply: unknown): boolean {
  return (reply as { readonly allowed?: unknown }).allowed === true;
}

function isDenied(reply: unknown): boolean {
  return (reply as { readonly allowed?: unknown }).allowed === false;
}

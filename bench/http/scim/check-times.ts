import { join } from 'node:path';
import { median } from '../../measure/percentile.ts';
import { type BodyFile, writeBodies } from '../load/body-file.ts';
import { type LoadResult, load } from '../load/wrk.ts';
import { ORGANIZATION } from '../server/service-data.ts';
import type { ScimSite } from './scim-site.ts';

const QUESTIONS = 100_000;
const SMOKE_QUESTIONS = 500;
/** As many as a service asks that is not at its limit. */
const PER_SECOND = 1_000;
const CONNECTIONS = 16;
const SECONDS = 3;
const WARM_SECONDS = 5;
const USUAL_ROUNDS = 5;

/** Milliseconds. */
export interface CheckTimes {
  readonly p50: number;
  readonly p99: number;
  readonly rounds: number;
}

/** How long nested checks take that come evenly, a thousand a second, in rounds of some seconds. */
export class CheckLoad {
  readonly #site: ScimSite;
  readonly #bodies: BodyFile;

  constructor(site: ScimSite) {
    this.#site = site;
    const { requests } = site.data.drive.nested(site.bench.isSmoke ? SMOKE_QUESTIONS : QUESTIONS);
    const bodies = requests.map(({ object, relation, subject }) => JSON.stringify({ object, relation, subject }));
    this.#bodies = writeBodies(join(site.scratch, 'checks'), bodies);
  }

  /** With nothing beside them. */
  async usual(): Promise<CheckTimes> {
    const { isSmoke } = this.#site.bench;
    if (!isSmoke) await this.#round(WARM_SECONDS);
    const rounds: LoadResult[] = [];
    for (let round = 0; round < (isSmoke ? 1 : USUAL_ROUNDS); round++) rounds.push(await this.#round());
    return timesOf(rounds);
  }

  /** While a task runs: of the rounds that ended before it did. */
  async during<T>(task: () => Promise<T>): Promise<{ readonly result: T; readonly times: CheckTimes }> {
    let isDone = false;
    const running = task().finally(() => {
      isDone = true;
    });
    const rounds: LoadResult[] = [];
    while (!isDone) {
      const round = await this.#round();
      if (!isDone || rounds.length === 0) rounds.push(round);
    }
    return { result: await running, times: timesOf(rounds) };
  }

  #round(seconds = this.#site.bench.isSmoke ? 1 : SECONDS): Promise<LoadResult> {
    const { service, data } = this.#site;
    return load({
      url: `${service.url}/t/${ORGANIZATION}/api/v1/zanzibar/check`,
      headers: { authorization: `ApiKey ${data.adminApiKey}`, 'content-type': 'application/json' },
      bodies: this.#bodies,
      connections: CONNECTIONS,
      rate: PER_SECOND,
      seconds,
      serverPid: undefined,
    });
  }
}

function timesOf(rounds: readonly LoadResult[]): CheckTimes {
  const millis = (key: 'p50' | 'p99') => median(rounds.map((round) => round[key] / 1000));
  return { p50: millis('p50'), p99: millis('p99'), rounds: rounds.length };
}

import { setTimeout as sleep } from 'node:timers/promises';
import { type Answer, Organization } from '../../server/running-service.ts';
import type { CheckOperation, Fact, Requirement, WriteOperation } from '../history/history.ts';
import type { RelataNodes } from '../relata-nodes.ts';
import type { Draw } from './faults.ts';
import { counterAt, member, teamMembers, viewer } from './shares.ts';

const DOCUMENTS = 6;
const TEAMS = 3;
const USERS = 4;
const COUNTERS = 3;
const ANSWER_MS = 20_000;
const REVISION_BYTES = 6;
const CHECK_BYTES = 5;

interface Change {
  readonly writes?: readonly Fact[];
  readonly deletes?: readonly Fact[];
  readonly requires?: readonly Requirement[];
}

/** The revision that a token stands for: the tests look into what is opaque to clients. */
export function revisionOf(token: string): number {
  const bytes = Buffer.from(token, 'base64url');
  return bytes.readUIntBE(bytes.length - CHECK_BYTES - REVISION_BYTES, REVISION_BYTES);
}

/** Clients of one organization, each at any node at any time, that carry their tokens along. */
export class Workload {
  readonly writes: WriteOperation[] = [];
  readonly checks: CheckOperation[] = [];
  /** Answers that no fault explains. */
  readonly unexpected: string[] = [];
  /** How often each status came; `0` where no answer did. */
  readonly statuses = new Map<number, number>();
  readonly #nodes: RelataNodes;
  readonly #organization: Organization;
  readonly #draw: Draw;
  /** Of the last write that took something away and was acknowledged to anybody. */
  #removal = '';
  /** By counter: the step that somebody saw last. */
  readonly #steps = Array.from({ length: COUNTERS }, () => -1);
  #isStopped = false;
  #running: Promise<unknown> = Promise.resolve();

  constructor(nodes: RelataNodes, organization: Organization, draw: Draw) {
    this.#nodes = nodes;
    this.#organization = organization;
    this.#draw = draw;
  }

  start(clients: number): void {
    this.#running = Promise.all(Array.from({ length: clients }, (_, client) => this.#runClient(client)));
  }

  /** Resolves when all answers have come, or are waited for no longer. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#running;
  }

  async #runClient(client: number): Promise<void> {
    let token = '';
    for (let n = 0; !this.#isStopped; n++) {
      const isWrite = this.#draw.below(3) === 0;
      const told = isWrite ? await this.#write(`mark:w${client}-${n}#by@user:client`) : await this.#check(token);
      if (told === undefined) await sleep(20 + this.#draw.below(100));
      else if (token === '' || revisionOf(told) > revisionOf(token)) token = told;
      await sleep(this.#draw.below(10));
    }
  }

  async #write(mark: Fact): Promise<string | undefined> {
    const { writes = [], deletes = [], requires = [] } = this.#change();
    const body = {
      writes: [mark, ...writes],
      deletes,
      preconditions: requires.map(({ fact, isPresent }) => ({
        require: isPresent ? 'tuple_exists' : 'tuple_absent',
        tuple: fact,
      })),
    };
    const began = performance.now();
    const answer = await this.#post('/zanzibar/tuples', body);
    const status = answer?.status ?? 0;
    const operation = { mark, writes: body.writes, deletes, requires, began, ended: performance.now() };
    if (answer === undefined || status !== 200) {
      const isRefused = answer?.at('code') === 'precondition_failed';
      this.writes.push({ ...operation, outcome: isRefused ? 'refused' : 'unknown' });
      if (!isRefused && status !== 0 && status !== 503)
        this.unexpected.push(`a write: ${status} ${JSON.stringify(answer?.body)}`);
      if (requires.length > 0) await this.#lookAtCounters();
      return undefined;
    }
    const revision = answer.text('revision');
    this.writes.push({ ...operation, outcome: 'acknowledged', revision: revisionOf(revision) });
    const isLater = this.#removal === '' || revisionOf(revision) > revisionOf(this.#removal);
    if (deletes.length > 0 && isLater) this.#removal = revision;
    return revision;
  }

  #change(): Change {
    const document = this.#draw.below(DOCUMENTS);
    const user = this.#draw.below(USERS);
    const team = this.#draw.below(TEAMS);
    const [seen, joined, shared] = [
      viewer(document, `user:u${user}`),
      member(team, user),
      viewer(document, teamMembers(team)),
    ];
    const changes: readonly (() => Change)[] = [
      () => ({ writes: [seen] }),
      () => ({ deletes: [seen] }),
      () => ({ writes: [joined] }),
      () => ({ deletes: [joined] }),
      () => ({ writes: [shared] }),
      () => ({ deletes: [shared] }),
      () => ({ writes: [shared], deletes: [joined] }),
      () => this.#step(this.#draw.below(COUNTERS)),
      () => this.#step(this.#draw.below(COUNTERS)),
    ];
    return changes[this.#draw.below(changes.length)]?.() ?? {};
  }

  /** What only one of those may do that saw the same step. */
  #step(counter: number): Change {
    const step = this.#steps[counter] ?? -1;
    const [old, next] = [counterAt(counter, step), counterAt(counter, step + 1)];
    this.#steps[counter] = step + 1;
    if (step === -1) return { writes: [next], requires: [{ fact: next, isPresent: false }] };
    return { writes: [next], deletes: [old], requires: [{ fact: old, isPresent: true }] };
  }

  async #lookAtCounters(): Promise<void> {
    for (let counter = 0; counter < COUNTERS; counter++) {
      const answer = await this.#send('GET', `/zanzibar/tuples?object=counter:c${counter}&relation=at`);
      if (answer?.status !== 200) return;
      const subject = String(answer.at('tuples.0.subject') ?? '');
      this.#steps[counter] = Number(/^step:s(\d+)$/.exec(subject)?.[1] ?? -1);
    }
  }

  async #check(own: string): Promise<string | undefined> {
    const subject = `user:u${this.#draw.below(USERS)}`;
    const document = this.#draw.below(DOCUMENTS);
    const isFullyConsistent = this.#draw.below(12) === 0;
    const token = [own, this.#removal, ''][this.#draw.below(3)] ?? '';
    const consistency = isFullyConsistent
      ? { mode: 'fully_consistent' }
      : token === ''
        ? undefined
        : { atLeast: token };
    const began = performance.now();
    const body = { object: `document:d${document}`, relation: 'viewer', subject, consistency };
    const answer = await this.#post('/zanzibar/check', body);
    const status = answer?.status ?? 0;
    if (answer === undefined || status !== 200) {
      if (![0, 409, 503].includes(status)) this.unexpected.push(`a check: ${status} ${JSON.stringify(answer?.body)}`);
      return undefined;
    }
    const revision = answer.text('revision');
    this.checks.push({
      fact: viewer(document, subject),
      allowed: answer.at('allowed') === true,
      revision: revisionOf(revision),
      ...(isFullyConsistent || token === '' ? {} : { token: revisionOf(token) }),
      isFullyConsistent,
      began,
      ended: performance.now(),
    });
    return revision;
  }

  #post(path: string, body: unknown): Promise<Answer | undefined> {
    return this.#send('POST', path, body);
  }

  /** Undefined where no answer came. */
  async #send(method: string, path: string, body?: unknown): Promise<Answer | undefined> {
    const node = this.#nodes.get(this.#draw.below(this.#nodes.nodes.length));
    const { slug, key } = this.#organization;
    const answer = await new Organization(node, slug, key)
      .call(method, path, { body, signal: AbortSignal.timeout(ANSWER_MS) })
      .catch(() => undefined);
    const status = answer?.status ?? 0;
    this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1);
    return answer;
  }
}

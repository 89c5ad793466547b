import { performance } from 'node:perf_hooks';
import type { Engine } from '#engine';
import { actors } from '../../../directory/records/index.ts';
import { type Outcome, Problem, type Reply, type Visit, type WatchedVisit } from '../../../http/index.ts';
import { actorOf } from '../../../kernel/audit/index.ts';
import { commitIfPossible } from '../../../kernel/commits/index.ts';
import type { Caller, Organization } from '../../../kernel/organizations/index.ts';
import { type Clock, redactText } from '../../../platform/index.ts';
import { scimErrorBody } from '../errors/scim-errors.ts';
import { type ScimRequestRecord, scimRequestRecords } from './request-record.ts';

/** Most entries of one organization and thread between two flushes. Further requests are only counted. */
const WAITING_MAX = 500;
/** The same for unauthenticated requests, so that guesses do not displace other entries. */
const STRANGERS_MAX = 10;
const ORGANIZATIONS_MAX = 1000;
/** Entries of one commit. */
const BATCH = 250;

interface Waiting {
  entries: ScimRequestRecord[];
  strangers: number;
  omitted: number;
}

/** Records SCIM requests after their answers, in batches. Each thread has one. */
export class ScimRequestLog {
  readonly #engine: Engine;
  readonly #clock: Clock;
  readonly #waiting = new Map<string, Waiting>();

  constructor(engine: Engine, clock: Clock) {
    this.#engine = engine;
    this.#clock = clock;
  }

  /** Begins an entry for an authenticated request. The result is called with its outcome. */
  watch(caller: Caller, visit: WatchedVisit): (outcome: Outcome) => void {
    const asked = askedBy(visit, this.#clock.now());
    const startedAt = performance.now();
    return (outcome) => {
      const filter = filterOf(visit);
      const actor = actorIn(caller);
      this.#note(caller.organization, {
        ...asked,
        durationMs: Math.round(performance.now() - startedAt),
        ...(filter === undefined ? {} : { filter }),
        ...answeredBy(outcome),
        ...(actor === undefined ? {} : { actor }),
        ids: idsOf(visit, outcome),
      });
    };
  }

  /** Begins an entry for any request. The result is called if authentication fails. */
  watchStranger(visit: Visit): (organization: Organization, refusal: Problem) => void {
    const asked = askedBy(visit, this.#clock.now());
    return (organization, refusal) =>
      this.#note(organization, { ...asked, durationMs: 0, ...answeredBy(refusal), ids: [] });
  }

  /** An entry for a request below a base that no endpoint is for. Nobody was asked who it is from. */
  unmatched(organization: Organization, request: UnmatchedRequest, refusal: Problem): void {
    const asked = askedAs(request, this.#clock.now());
    this.#note(organization, { ...asked, durationMs: 0, ...answeredBy(refusal), ids: [] });
  }

  #note({ store: { name } }: Organization, entry: ScimRequestRecord): void {
    let waiting = this.#waiting.get(name);
    if (waiting === undefined) {
      if (this.#waiting.size >= ORGANIZATIONS_MAX) return;
      waiting = { entries: [], strangers: 0, omitted: 0 };
      this.#waiting.set(name, waiting);
    }
    const isStranger = entry.actor === undefined;
    if (waiting.entries.length >= WAITING_MAX || (isStranger && waiting.strangers >= STRANGERS_MAX)) {
      waiting.omitted++;
      return;
    }
    if (isStranger) waiting.strangers++;
    waiting.entries.push(entry);
  }

  /** To be called every few seconds, and at the end of the thread. */
  async flush(): Promise<void> {
    for (const [name, { entries, omitted }] of this.#waiting) {
      this.#waiting.delete(name);
      const last = entries.at(-1);
      if (last !== undefined && omitted > 0) entries[entries.length - 1] = { ...last, omitted };
      for (let from = 0; from < entries.length; from += BATCH) {
        const isWritten = await commitIfPossible(this.#engine, name, (changes) => {
          for (const entry of entries.slice(from, from + BATCH)) changes.append(scimRequestRecords, entry);
        });
        if (!isWritten) break;
      }
    }
  }
}

const METHOD_MAX = 20;
const PATH_MAX = 500;
const FILTER_MAX = 1000;
const DETAIL_MAX = 500;
const IDS_MAX = 100;
const ID_LENGTH_MAX = 256;

type Asked = Pick<ScimRequestRecord, 'requestId' | 'at' | 'method' | 'path'>;
type Answered = Pick<ScimRequestRecord, 'status' | 'scimType' | 'detail'>;

/** What is known before the answer. Read at once, because the transport reuses the request. */
function askedBy({ requestId, endpoint: { method }, path }: Visit, at: number): Asked {
  return askedAs({ id: requestId, method, path }, at);
}

/** The same of a request that no endpoint is for. */
function askedAs({ id, method, path }: UnmatchedRequest, at: number): Asked {
  return { requestId: id, at, method: method.slice(0, METHOD_MAX), path: redactText(path.slice(0, PATH_MAX)) };
}

interface UnmatchedRequest {
  readonly id: string;
  readonly method: string;
  readonly path: string;
}

function actorIn(caller: Caller): ScimRequestRecord['actor'] {
  const { id, type } = actorOf(actors, caller);
  const { name } = caller;
  return { id, type, ...(name === undefined ? {} : { name }) };
}

/** Without the body, which can contain a password. */
function answeredBy(outcome: Outcome): Answered {
  if (!(outcome instanceof Problem)) return { status: outcome.status };
  const { scimType, detail } = scimErrorBody(outcome) as { readonly scimType?: string; readonly detail: string };
  return {
    status: outcome.kind.status,
    ...(scimType === undefined ? {} : { scimType }),
    detail: redactText(detail.slice(0, DETAIL_MAX)),
  };
}

/** The filter of a list or a search, where there is one. */
function filterOf({ query, body }: Pick<WatchedVisit, 'query' | 'body'>): string | undefined {
  for (const asked of [query, body] as ({ readonly filter?: unknown } | null | undefined)[]) {
    if (typeof asked?.filter !== 'string') continue;
    // nobody can ask for passwords, and who tries shows one
    return /password/i.test(asked.filter) ? '(names a password)' : redactText(asked.filter.slice(0, FILTER_MAX));
  }
  return undefined;
}

/** Ids of the resource in the path, of a created one, and of those in a bulk answer. */
function idsOf({ endpoint, params }: WatchedVisit, outcome: Outcome): string[] {
  const named = params.id === undefined ? [] : [params.id.slice(0, ID_LENGTH_MAX)];
  if (outcome instanceof Problem) return named;
  if (endpoint.path.endsWith('/Bulk')) return idsInBulk(outcome);
  const made = outcome.status === 201 ? idIn(locationOf(outcome)) : undefined;
  return made === undefined ? named : [...named, made];
}

/** The header, `''` where there is none. */
function locationOf({ more = [] }: Reply): string {
  const position = more.findIndex((name, index) => index % 2 === 0 && name === 'location');
  return position < 0 ? '' : (more[position + 1] ?? '');
}

const location = /"location":"([^"\\]{1,1000})"/g;

function idsInBulk({ body }: Reply): string[] {
  if (typeof body !== 'string') return [];
  const ids = new Set<string>();
  for (const [, url = ''] of body.matchAll(location)) {
    if (ids.size === IDS_MAX) break;
    const id = idIn(url);
    if (id !== undefined) ids.add(id);
  }
  return [...ids];
}

function idIn(url: string): string | undefined {
  const id = url.slice(url.lastIndexOf('/') + 1);
  return id === '' || id.length > ID_LENGTH_MAX ? undefined : id;
}

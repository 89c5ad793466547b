import { type Outcome, Problem, type Reply, type Visit, type WatchedVisit } from '../../../http/index.ts';
import { subjectActor } from '../../../kernel/audit/index.ts';
import type { Caller } from '../../../kernel/organizations/index.ts';
import { redactText } from '../../../platform/index.ts';
import { scimErrorBody } from '../errors/render-scim.ts';
import type { ScimRequestRecord } from './request-record.ts';

const METHOD_MAX = 20;
const PATH_MAX = 500;
const FILTER_MAX = 1000;
const DETAIL_MAX = 500;
const IDS_MAX = 100;
const ID_LENGTH_MAX = 256;

type Asked = Pick<ScimRequestRecord, 'requestId' | 'at' | 'method' | 'path'>;
type Answered = Pick<ScimRequestRecord, 'status' | 'scimType' | 'detail'>;

/** What is known before the answer. Read at once, because the transport reuses the request. */
export function askedBy({ requestId, endpoint: { method }, path }: Visit, at: number): Asked {
  return askedAs({ id: requestId, method, path }, at);
}

/** The same of a request that no endpoint is for. */
export function askedAs({ id, method, path }: UnmatchedRequest, at: number): Asked {
  return { requestId: id, at, method: method.slice(0, METHOD_MAX), path: redactText(path.slice(0, PATH_MAX)) };
}

export interface UnmatchedRequest {
  readonly id: string;
  readonly method: string;
  readonly path: string;
}

export function actorOf({ subject = 'platform', name }: Caller): ScimRequestRecord['actor'] {
  const { id, type } = subjectActor(subject);
  return { id, type, ...(name === undefined ? {} : { name }) };
}

/** Without the body, which can contain a password. */
export function answeredBy(outcome: Outcome): Answered {
  if (!(outcome instanceof Problem)) return { status: outcome.status };
  const { scimType, detail } = scimErrorBody(outcome) as { readonly scimType?: string; readonly detail: string };
  return {
    status: outcome.kind.status,
    ...(scimType === undefined ? {} : { scimType }),
    detail: redactText(detail.slice(0, DETAIL_MAX)),
  };
}

/** The filter of a list or a search, where there is one. */
export function filterOf({ query, body }: Pick<WatchedVisit, 'query' | 'body'>): string | undefined {
  for (const asked of [query, body] as ({ readonly filter?: unknown } | null | undefined)[]) {
    if (typeof asked?.filter !== 'string') continue;
    // nobody can ask for passwords, and who tries shows one
    return /password/i.test(asked.filter) ? '(names a password)' : redactText(asked.filter.slice(0, FILTER_MAX));
  }
  return undefined;
}

/** Ids of the resource in the path, of a created one, and of those in a bulk answer. */
export function idsOf({ endpoint, params }: WatchedVisit, outcome: Outcome): string[] {
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

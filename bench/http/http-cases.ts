import type { CheckRequest } from '#engine';
import type { Questions } from '../data/data-set.ts';
import { atLeast, type Target } from '../report/line.ts';
import type { ServiceData } from './server/service-data.ts';

const QUESTIONS = 1_000_000;
const SMOKE_QUESTIONS = 500;
const PAGES = 10_000;
const SMOKE_PAGES = 5;
const BULK = 100;
const CONNECTIONS = 64;
const BULK_CONNECTIONS = 8;

/** One way to ask the service. */
export interface HttpCase {
  readonly name: string;
  /** Behind the path of the organization. */
  readonly path: string;
  readonly connections: number;
  /** Checks in one request. */
  readonly perRequest: number;
  readonly target: Target;
  /** Whether other servers are asked the same. */
  readonly asksPeers: boolean;
  /** Made anew at each call: a million questions are not kept while others are measured. */
  questions(): Questions;
  requests(): HttpRequests;
}

export interface HttpRequests {
  readonly bodies: readonly string[];
  /** Is this reply the right one to the body in this place? */
  isRight(reply: unknown, place: number): boolean;
}

export function casesOf({ drive, rights }: ServiceData, isSmoke: boolean): HttpCase[] {
  const count = isSmoke ? SMOKE_QUESTIONS : QUESTIONS;
  const pages = isSmoke ? SMOKE_PAGES : PAGES;
  const single = (name: string, path: string, ratio: number, questions: () => Questions, body: Body): HttpCase => ({
    name: `http ${name}`,
    path,
    connections: CONNECTIONS,
    perRequest: 1,
    target: atLeast(ratio, 'ratio'),
    asksPeers: path === '/zanzibar/check',
    questions,
    requests: () => singleRequests(questions(), body),
  });
  const bulk = (name: string, path: string, questions: () => Questions, body: Body): HttpCase => ({
    name: `http ${name} of ${BULK}`,
    path,
    connections: BULK_CONNECTIONS,
    perRequest: BULK,
    target: atLeast(250_000),
    asksPeers: false,
    questions,
    requests: () => bulkRequests(questions(), body),
  });
  return [
    single('zanzibar/check direct', '/zanzibar/check', 0.75, () => drive.direct(count), relationBody),
    single('zanzibar/check nested', '/zanzibar/check', 0.5, () => drive.nested(count), relationBody),
    single('authz/check direct', '/authz/check', 0.6, () => rights.direct(count), permissionBody),
    single('authz/check nested', '/authz/check', 0.6, () => rights.nested(count), permissionBody),
    single('authz/check resource', '/authz/check', 0.6, () => drive.nested(count), resourceBody),
    bulk('zanzibar/check-bulk direct', '/zanzibar/check-bulk', () => drive.direct(count), relationBody),
    bulk('zanzibar/check-bulk nested', '/zanzibar/check-bulk', () => drive.nested(count), relationBody),
    bulk('zanzibar/check-bulk one subject', '/zanzibar/check-bulk', () => drive.pages(pages, BULK), relationBody),
    bulk('authz/check-bulk nested', '/authz/check-bulk', () => rights.nested(count), permissionBody),
  ];
}

type Body = (request: CheckRequest) => unknown;

function relationBody({ object, relation, subject }: CheckRequest): unknown {
  return { object, relation, subject };
}

function permissionBody({ object, subject }: CheckRequest): unknown {
  return { permission: object.slice('permission:'.length), subject };
}

/** `can_view` on a document as the permission to view that document, which nobody has for all of them. */
function resourceBody({ object, relation, subject }: CheckRequest): unknown {
  const [type, id] = object.split(':');
  return { permission: `${type}:${relation.replace('can_', '')}`, resource: { type, id }, subject };
}

function singleRequests({ requests, expected }: Questions, body: Body): HttpRequests {
  return {
    bodies: requests.map((request) => JSON.stringify(body(request))),
    isRight: (reply, place) => (reply as { allowed?: unknown }).allowed === (expected[place] === 1),
  };
}

function bulkRequests({ requests, expected }: Questions, body: Body): HttpRequests {
  const bodies: string[] = [];
  for (let from = 0; from < requests.length; from += BULK) {
    bodies.push(JSON.stringify({ checks: requests.slice(from, from + BULK).map(body) }));
  }
  return {
    bodies,
    isRight(reply, place) {
      const { results } = reply as { readonly results: readonly { readonly allowed?: unknown }[] };
      return results.every(({ allowed }, i) => allowed === (expected[place * BULK + i] === 1));
    },
  };
}

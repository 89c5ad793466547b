/**
 * Vitest's setup of every test file: whatever a service of this project answers to `fetch`, in any test, is held against
 * what the endpoint declares: its code where it is a problem, its status and its schema where it is none. `FormBrowser`
 * asks for pages, which are judged by what stands on them.
 */
import { appendFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, inject } from 'vitest';
import { AnswerCheck } from './answer-check.ts';
import type { Contract } from './contract.ts';

const ofService =
  /^\/(?:t|orgs|platform)\/|^\/\.well-known\/[\w-]+\/(?:t|orgs)\/|^\/(?:healthz|readyz|metrics|docs|openapi\.json)$/;
/** Streams and files are no answers of one piece. */
const asOnePiece = /^application\/(?:[a-z]+\+)?json\b/;

interface Watch {
  check: Promise<AnswerCheck> | undefined;
  faults: string[];
}

/** One for each process: the files of a process share its globals, and load this once each. */
const shared = globalThis as { relataAnswers?: Watch };
shared.relataAnswers ??= startWatching();
const watch = shared.relataAnswers;

function startWatching(): Watch {
  const started: Watch = { check: undefined, faults: [] };
  const fetchUnwatched = globalThis.fetch;
  globalThis.fetch = async (input, init) => {
    const response = await fetchUnwatched(input, init);
    const { pathname } = new URL(input instanceof Request ? input.url : input);
    if (!ofService.test(pathname)) return response;
    const method = (init?.method ?? (input instanceof Request ? input.method : 'GET')).toUpperCase();
    const isJson = asOnePiece.test(response.headers.get('content-type') ?? '');
    const body = isJson && method !== 'HEAD' ? await response.clone().text() : '';
    started.check ??= checkOfRun();
    const { status } = response;
    const answer = { method, path: pathname, status, body: body === '' ? undefined : JSON.parse(body) };
    const fault = (await started.check).faultOf(answer);
    if (fault !== undefined) started.faults.push(fault);
    return response;
  };
  return started;
}

async function checkOfRun(): Promise<AnswerCheck> {
  const contract = JSON.parse(await text(connect(inject('contractPort'), '127.0.0.1')));
  if ('failure' in contract) throw new Error(contract.failure);
  return new AnswerCheck(contract as Contract);
}

function failOnFaults(): void {
  const faults = [...new Set(watch.faults.splice(0))];
  if (faults.length > 0) throw new Error(`the service answers what it does not declare:\n${faults.join('\n')}`);
}

afterEach(failOnFaults);
afterAll(async () => {
  const folder = process.env.RELATA_SEEN_ANSWERS;
  if (folder !== undefined && watch.check !== undefined) {
    const { seen } = await watch.check;
    appendFileSync(join(folder, `${process.pid}.seen`), [...seen, ''].join('\n'));
    seen.clear();
  }
  failOnFaults();
});

import type { Organization } from '../../server/running-service.ts';
import type { Commit, Fact, NodeContent } from '../history/history.ts';
import { revisionOf } from './workload.ts';

const PAGE = 100;

/** What a node tells over HTTP of one organization: its commits after a token, its tuples, and its records of writes. */
export async function readNode(
  organization: Organization,
  after: string,
  last: number,
): Promise<Pick<NodeContent, 'commits' | 'facts' | 'records'>> {
  return {
    commits: await commitsOf(organization, after, last),
    facts: await factsOf(organization),
    records: await recordsOf(organization),
  };
}

interface Change {
  readonly op: string;
  readonly tuple: { readonly object: string; readonly relation: string; readonly subject: string };
}

/** From the stream of changes, up to a revision. */
async function commitsOf({ service, slug, key }: Organization, after: string, last: number): Promise<Commit[]> {
  const stop = new AbortController();
  const path = `/t/${slug}/api/v1/zanzibar/watch?after=${after}`;
  const headers = { authorization: `Bearer ${key}` };
  const response = await fetch(service.url + path, { headers, signal: stop.signal });
  if (response.status !== 200) throw new Error(`the stream of changes answers ${await response.text()}`);
  const commits: Commit[] = [];
  let text = '';
  for await (const bytes of response.body ?? []) {
    text += Buffer.from(bytes).toString();
    const events = text.split('\n\n');
    text = events.pop() ?? '';
    for (const event of events) {
      const data = /^data: (.*)$/m.exec(event)?.[1];
      if (data !== undefined) commits.push(commitOf(JSON.parse(data)));
    }
    if ((commits.at(-1)?.revision ?? 0) >= last) break;
  }
  stop.abort();
  return commits;
}

function commitOf({ revision, changes }: { readonly revision: string; readonly changes: readonly Change[] }): Commit {
  const facts = (wanted: string): Fact[] => changes.filter(({ op }) => op === wanted).map(({ tuple }) => factOf(tuple));
  return { revision: revisionOf(revision), writes: facts('write'), deletes: facts('delete') };
}

function factOf({ object, relation, subject }: Change['tuple']): Fact {
  return `${object}#${relation}@${subject}`;
}

const types = ['document', 'team', 'counter', 'mark'];

async function factsOf(organization: Organization): Promise<Fact[]> {
  const facts: Fact[] = [];
  for (const type of types) {
    for (let cursor: string | undefined, isFirst = true; isFirst || cursor !== undefined; isFirst = false) {
      const more = cursor === undefined ? '' : `&cursor=${encodeURIComponent(cursor)}`;
      const page = await organization.call('GET', `/zanzibar/tuples?object=${type}:&limit=${PAGE}${more}`);
      if (page.status !== 200) throw new Error(`tuples: ${JSON.stringify(page.body)}`);
      facts.push(...(page.list('tuples') as Change['tuple'][]).map(factOf));
      cursor = page.at('cursor') as string | undefined;
    }
  }
  return facts;
}

/** By mark: the entries of the audit log that say that it was written. */
async function recordsOf(organization: Organization): Promise<Map<Fact, number>> {
  const records = new Map<Fact, number>();
  for (let page = 1; ; page++) {
    const answer = await organization.call('GET', `/admin/audit-logs?action=tuples.write&limit=${PAGE}&page=${page}`);
    if (answer.status !== 200) throw new Error(`the audit log: ${JSON.stringify(answer.body)}`);
    const entries = answer.list('data');
    for (const entry of entries) {
      for (const [mark] of JSON.stringify(entry).matchAll(/mark:[\w-]+#by@user:client/g)) {
        records.set(mark, (records.get(mark) ?? 0) + 1);
      }
    }
    if (entries.length < PAGE) return records;
  }
}

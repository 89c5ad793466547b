import type { StoreFile, StoreFileTest } from '../../../src/cli/store-file/store-file.ts';
import { tupleFromJson } from '../../../src/cli/tuples/tuple-json.ts';
import type { Organization } from '../../server/running-service.ts';

/** An assertion of a store file, and what a service answers. */
export interface Asked {
  readonly question: string;
  readonly expected: string;
  readonly answered: string;
}

/** Asks all questions of a store file over HTTP, in the order of the file. */
export async function askService(org: Organization, file: StoreFile): Promise<Asked[]> {
  const asked: Asked[] = [];
  for (const test of file.tests ?? []) {
    const contextualTuples = (test.tuples ?? []).map(tupleFromJson);
    const shared = contextualTuples.length === 0 ? {} : { contextualTuples };
    asked.push(...(await askChecks(org, test, shared)));
    asked.push(...(await askObjects(org, test, shared)));
    asked.push(...(await askSubjects(org, test, shared)));
  }
  return asked;
}

async function askChecks(org: Organization, { check }: StoreFileTest, shared: object): Promise<Asked[]> {
  const asked: Asked[] = [];
  for (const { user, users = [], object, objects = [], context, assertions } of check ?? []) {
    for (const subject of [...(user === undefined ? [] : [user]), ...users]) {
      for (const each of [...(object === undefined ? [] : [object]), ...objects]) {
        for (const [relation, expected] of Object.entries(assertions)) {
          const body = { ...shared, object: each, relation, subject, ...contextOf(context) };
          const answer = await org.post('/zanzibar/check', body);
          const answered = answer.status === 200 ? String(answer.at('allowed')) : JSON.stringify(answer.body);
          asked.push({ question: `${each}#${relation}@${subject}`, expected: String(expected), answered });
        }
      }
    }
  }
  return asked;
}

async function askObjects(org: Organization, test: StoreFileTest, shared: object): Promise<Asked[]> {
  const asked: Asked[] = [];
  for (const { user: subject, type, context, assertions } of test.list_objects ?? []) {
    for (const [relation, expected] of Object.entries(assertions)) {
      const body = { ...shared, type, relation, subject, ...contextOf(context) };
      const found = await listAll(org, '/zanzibar/list-objects', body, 'objects');
      asked.push({ question: `${type}#${relation}@${subject}`, expected: listText(expected ?? []), answered: found });
    }
  }
  return asked;
}

async function askSubjects(org: Organization, test: StoreFileTest, shared: object): Promise<Asked[]> {
  const asked: Asked[] = [];
  for (const { object, user_filter: filters, context, assertions } of test.list_users ?? []) {
    for (const [relation, { users }] of Object.entries(assertions)) {
      const [{ type, relation: subjectRelation } = { type: '' }] = filters; // each of these files has one
      const body = {
        ...shared,
        object,
        relation,
        subjectType: type,
        ...(subjectRelation === undefined ? {} : { subjectRelation }),
        ...contextOf(context),
      };
      const found = await listAll(org, '/zanzibar/list-subjects', body, 'subjects');
      asked.push({ question: `${object}#${relation}@${type}`, expected: listText(users ?? []), answered: found });
    }
  }
  return asked;
}

/** Pages of two, so that more than one is read. */
async function listAll(org: Organization, path: string, body: object, member: string): Promise<string> {
  const items: string[] = [];
  for (let cursor: string | undefined = ''; cursor !== undefined; ) {
    const answer = await org.post(path, { ...body, limit: 2, ...(cursor === '' ? {} : { cursor }) });
    if (answer.status !== 200 || answer.list('conditional').length > 0) return JSON.stringify(answer.body);
    items.push(...(answer.list(member) as string[]));
    cursor = answer.at('cursor') as string | undefined;
  }
  return listText(items);
}

function contextOf(context: Readonly<Record<string, unknown>> | null | undefined): object {
  return context === undefined || context === null ? {} : { context };
}

/** Sets are compared without order. */
function listText(items: readonly string[]): string {
  return [...new Set(items)].toSorted().join(', ');
}

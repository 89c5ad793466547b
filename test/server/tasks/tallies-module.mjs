/**
 * A module whose task writes many records one after the other, added to every thread of a built service:
 * `node --import` runs this file before their entries.
 */
import { z } from 'zod';
import { endpointFor, json, ProblemError, problem } from '../../../dist/src/http/index.js';
import { defineRecord } from '../../../dist/src/kernel/records/index.js';
import { taskReply } from '../../../dist/src/kernel/tasks/index.js';
import { modules } from '../../../dist/src/server/modules.js';

const records = defineRecord({ collection: 'tallies', schema: z.strictObject({ name: z.string(), at: z.number() }) });
const endpoint = endpointFor();
/** Commands that share a commit. */
const AT_ONCE = 10;
const path = '/t/{tenant}/api/v1/tallies';

const handler = ({ engine, directory }) => ({
  kind: 'tally',
  permission: 'users.update',
  async perform({ caller, facts }, { name, count, gapMs, failure, until }) {
    const { store } = caller.organization;
    if (failure === 'refused') throw new ProblemError(problem('refused', 'Not today.'));
    if (failure === 'bug') throw new TypeError('a bug');
    if (failure === 'death') setImmediate(() => JSON.parse('no JSON'));
    if (failure === 'death') await new Promise((resolve) => setTimeout(resolve, 60_000));
    const isReleased = () => engine.read(() => records.get(directory.find(until).store, 'release-0') !== undefined);
    while (until !== undefined && !isReleased()) await new Promise((resolve) => setTimeout(resolve, 20));
    const put = (n) => engine.submit(engine.command([records.put(store, `${name}-${n}`, { name, at: Date.now() })]));
    for (let n = 0; n < count; n += AT_ONCE) {
      await Promise.all(Array.from({ length: AT_ONCE }, (_, more) => put(n + more)));
      if (gapMs > 0) await new Promise((resolve) => setTimeout(resolve, gapMs));
    }
    return { written: count, agent: facts.header('user-agent'), subject: caller.subject };
  },
});

/** Ids and times of all records, in the order of ids. */
function listed(store) {
  const all = [];
  for (let page = records.list(store); page.length > 0; page = records.list(store, { after: page.at(-1).id })) {
    all.push(...page.map(({ id, document: { at } }) => ({ id, at })));
  }
  return all;
}

const body = z.strictObject({
  name: z.string().max(20),
  count: z.int().max(10_000),
  gapMs: z.int().max(1000).default(0),
  /** Waits until another organization has a tally of the name `release`. */
  until: z.string().max(64).optional(),
  failure: z.enum(['refused', 'bug', 'death']).optional(),
});

modules.push({
  name: 'tallies',
  records: [records],
  tasks: (services) => [handler(services)],
  endpoints: ({ tasks, engine, directory }) => [
    endpoint({
      method: 'POST',
      path,
      summary: 'Write records',
      tags: ['Tallies'],
      access: 'authenticated',
      body,
      responses: { 200: z.unknown() },
      errors: ['unavailable', 'refused'],
      handler: (call) => taskReply(tasks, call, { kind: 'tally', ...call.body }),
    }),
    endpoint({
      method: 'GET',
      path,
      summary: 'Look at what was written',
      tags: ['Tallies'],
      access: 'authenticated',
      responses: { 200: z.unknown() },
      handler: ({ params: { tenant } }) =>
        json(
          200,
          engine.read(() => listed(directory.find(tenant).store)),
        ),
    }),
  ],
});

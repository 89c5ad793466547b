import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runsOf } from '../../../generated/extent.ts';
import { FakeProvider, statuses } from './fake-provider.ts';

/** Operations on some users, of which some do not exist, that refer to each other in any way. */
const PLACES = 12;
const place = fc.nat({ max: PLACES - 1 });

const operation = fc.record({
  kind: fc.constantFrom('POST', 'PATCH', 'PUT', 'DELETE', 'PATCH of a reference', 'bad'),
  user: fc.nat({ max: 4 }),
  name: fc.option(fc.constantFrom('n0', 'n1', 'n2'), { nil: undefined }),
  references: fc.array(place, { maxLength: 2 }),
  turns: fc.nat({ max: 6 }),
});
type Drawn = (typeof operation extends fc.Arbitrary<infer T> ? T : never) & { readonly place?: number };

const request = fc.record({
  drawn: fc.array(operation, { minLength: 1, maxLength: PLACES }),
  failOnErrors: fc.option(fc.integer({ min: 1, max: 5 }), { nil: undefined }),
});

function sent({ kind, user, name, references }: Drawn, at: number): object {
  const data = {
    at,
    ...(name === undefined ? {} : { userName: name }),
    refers: references.map((each) => `bulkId:b${each}`),
  };
  switch (kind) {
    case 'POST':
      return { method: 'POST', path: '/Users', bulkId: `b${at}`, data };
    case 'PATCH of a reference':
      return { method: 'PATCH', path: `/Users/bulkId:b${references[0] ?? 0}`, data };
    case 'DELETE':
      return { method: 'DELETE', path: `/Users/${user}`, bulkId: `b${at}` };
    case 'bad':
      return { method: 'NONE' };
    default:
      return { method: kind, path: `/Users/${user}`, data };
  }
}

function provider(drawn: readonly Drawn[]): FakeProvider {
  const made = new FakeProvider(({ data, bulkId }) => {
    const at = (data as { at?: number } | undefined)?.at ?? Number(bulkId?.slice(1));
    return drawn[at]?.turns ?? 0;
  });
  for (const id of ['0', '1', '2']) made.add(id, { userName: `n${id}` });
  return made;
}

/** Without what depends on who came first to get an id. */
function left({ resources }: FakeProvider): unknown[] {
  return [...resources.values()].map(({ at, userName }) => `${at} ${userName}`).toSorted();
}

test('whatever operations refer to, each is answered once, after those that it refers to, with no more errors than accepted', async () => {
  await fc.assert(
    fc.asyncProperty(request, async ({ drawn, failOnErrors }) => {
      const fake = provider(drawn);
      const response = await fake.bulk(drawn.map(sent), failOnErrors === undefined ? {} : { failOnErrors });
      const failed = statuses(response).filter((status) => Number(status) >= 400).length;
      expect(failed).toBeLessThanOrEqual(failOnErrors ?? drawn.length);
      if (failed < (failOnErrors ?? Number.POSITIVE_INFINITY)) expect(response.Operations.length).toBe(drawn.length);
      // a reference is known when its operation begins, and only one that succeeded is
      for (const { data } of fake.performed) expect(JSON.stringify(data ?? {})).not.toContain('bulkId:');
      expect(fake.failures).toEqual([]);
      expect(fake.runningMost).toBeLessThanOrEqual(Math.min(64, failOnErrors ?? 64));
    }),
    { numRuns: runsOf({ quick: 500, whole: 2_000 }) },
  );
});

test('operations that run at once answer and leave what they do one after the other', async () => {
  await fc.assert(
    fc.asyncProperty(request, async ({ drawn, failOnErrors }) => {
      const more = failOnErrors === undefined ? {} : { failOnErrors };
      const atOnce = provider(drawn);
      const inTurn = provider(drawn);
      const response = await atOnce.bulk(drawn.map(sent), more);
      const expected = await inTurn.bulk(drawn.map(sent), more, 1);
      expect(statuses(response)).toEqual(statuses(expected));
      expect(left(atOnce)).toEqual(left(inTurn));
    }),
    { numRuns: runsOf({ quick: 500, whole: 2_000 }) },
  );
});

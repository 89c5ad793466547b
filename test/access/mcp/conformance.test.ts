import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Front } from './conformance/front.ts';
import { exceptions, passing, type Revision } from './conformance/scenarios.ts';
import { type Check, type Results, runSuite } from './conformance/suite.ts';

let front: Front;

beforeAll(async () => {
  front = await Front.open();
});
afterAll(() => front.close());

const faulty = (checks: readonly Check[]) =>
  checks.filter(({ status }) => status === 'FAILURE' || status === 'WARNING');
const saidOf = (checks: readonly Check[]) =>
  faulty(checks).map(({ id, errorMessage = '' }) => `${id}: ${errorMessage}`);
const succeeded = (checks: readonly Check[]) => checks.filter(({ status }) => status === 'SUCCESS').length;

describe.each(['2025-11-25', '2026-07-28'] satisfies Revision[])(
  'the conformance suite of servers, on the wire of %s',
  (at) => {
    let results: Results;
    const excepted = exceptions
      .filter(({ revision = at }) => revision === at)
      .flatMap((each) => each.scenarios.map((scenario) => ({ ...each, scenario })));

    beforeAll(async () => {
      const organization = await front.service.organization(`server-${at}`);
      results = await runSuite(['server', '--url', front.mcp(organization), '--suite', 'all', '--spec-version', at]);
    });

    const checksOf = (scenario: string) => results.get(scenario) ?? [];

    test.each(passing[at])('%s', (scenario) => {
      const checks = checksOf(scenario);
      expect(saidOf(checks)).toEqual([]);
      expect(succeeded(checks)).toBeGreaterThan(0);
    });

    test.each(excepted)('$scenario: $reason', ({ scenario, shown, only }) => {
      const checks = checksOf(scenario);
      expect(checks).not.toEqual([]);
      if (shown !== undefined) expect(JSON.stringify(checks)).toMatch(shown);
      const ids = faulty(checks).map(({ id }) => id);
      expect(ids).not.toContain('wire-schema-valid');
      if (only !== undefined) expect(ids.sort()).toEqual(only);
    });

    test('no other scenario was run', () => {
      const named = [...passing[at], ...excepted.map(({ scenario }) => scenario)].sort();
      expect([...results.keys()].sort()).toEqual(named);
    });
  },
);

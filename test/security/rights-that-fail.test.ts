import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { EngineError } from '../../engine/index.ts';
import { RightCheck } from '../../src/kernel/rights/index.ts';
import { type InProcessOrganization, InProcessService } from '../identity/sessions/in-process-service.ts';

let service: InProcessService;
let org: InProcessOrganization;

beforeAll(async () => {
  service = await InProcessService.start();
  org = await service.organization('failing');
});
afterAll(() => service.stop());

const permission = 'settings.manage';
const rights = new RightCheck();
const now = Date.now();
/** What the store is asked, whatever it is about. */
const questions: readonly [string, () => unknown][] = [
  ['that somebody holds', () => rights.holds(org.organization, 'user:anne', permission, now)],
  [
    'that somebody is an administrator for good',
    () => rights.isPermanentAdministrator(org.organization, 'user:anne', [], now),
  ],
];

describe.each(questions)('Rights: a right %s', (_, ask) => {
  function failingWith(error: Error): unknown {
    const { store } = org.organization;
    for (const method of ['check', 'checkAfter'] as const) {
      vi.spyOn(store, method).mockImplementation(() => {
        throw error;
      });
    }
    return service.read(ask);
  }

  test.each(['condition_failed', 'condition_too_costly'] as const)('is none where it cannot be decided: %s', (code) => {
    expect(['no', false]).toContain(failingWith(new EngineError(code, 'cannot be decided')));
  });

  test.each(['unknown_store', 'unavailable', 'corrupt', 'locked'] as const)(
    'is not denied where the store cannot be read: %s',
    (code) => {
      const error = new EngineError(code, 'cannot be read');
      expect(() => failingWith(error)).toThrow(error);
    },
  );

  test('is not denied by a fault of the program', () => {
    const error = new TypeError('a fault');
    expect(() => failingWith(error)).toThrow(error);
  });
});

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type NewKey, Organization, RunningService } from '../../server/running-service.ts';
import { askedOf, furnish } from './asking.ts';
import {
  injectedQuestions,
  type LabelledQuestion,
  organizationNames,
  organizationOf,
  questionsOf,
} from './labelled.ts';

let service: RunningService;
interface Furnished {
  readonly org: Organization;
  /** Asks through a key of its own. */
  readonly asker: Organization;
  readonly key: NewKey;
}

const organizations = new Map<string, Furnished>();

beforeAll(async () => {
  service = await RunningService.start({ RELATA_THREADS: '1' });
  for (const name of organizationNames) {
    const org = await service.organization(name);
    const key = await furnish(org, organizationOf(name));
    organizations.set(name, { org, key, asker: new Organization(service, name, key.key) });
  }
}, 120_000);
afterAll(() => service.remove());

function organization(name: string): Furnished {
  const found = organizations.get(name);
  if (found === undefined) throw new Error(`no organization ${name}`);
  return found;
}

/** What the check endpoints answer about a question's label. */
async function decided(
  { org, key: { subject } }: Furnished,
  { permission, resource, relation, object }: LabelledQuestion,
) {
  if (relation !== undefined) return (await org.post('/zanzibar/check', { object, relation, subject })).at('allowed');
  const colon = resource?.indexOf(':') ?? 0;
  const about =
    resource === undefined ? {} : { resource: { type: resource.slice(0, colon), id: resource.slice(colon + 1) } };
  return (await org.post('/authz/check', { permission, ...about, subject })).at('allowed');
}

describe.each(organizationNames)('%s', (name) => {
  test('what is understood is answered as the check endpoints answer, what is not is never allowed', async () => {
    const there = organization(name);
    const counts = { allowed: 0, denied: 0, notUnderstood: 0 };
    for (const labelled of [...questionsOf('tuning', name), ...questionsOf('held-out', name)]) {
      const { question, context } = labelled;
      const answer = await askedOf(there.asker, question, context);
      if (labelled.unmappable !== undefined || answer.confidence < 0.3) {
        expect({ question, allowed: answer.allowed }).toEqual({ question, allowed: false });
        expect(answer.confidence).toBeLessThan(0.3);
        counts.notUnderstood++;
        continue;
      }
      expect({ question, allowed: answer.allowed }).toEqual({ question, allowed: await decided(there, labelled) });
      if (labelled.permission !== undefined) expect(answer.required_scopes).toEqual([labelled.permission]);
      counts[answer.allowed ? 'allowed' : 'denied']++;
    }
    for (const count of Object.values(counts)) expect(count).toBeGreaterThanOrEqual(5);
  }, 60_000);
});

describe('injected questions', () => {
  test('what is not held stays denied', async () => {
    const { asker } = organization('hospital');
    for (const question of injectedQuestions('discharge patients')) {
      const { allowed } = await askedOf(asker, question);
      expect({ question, allowed }).toEqual({ question, allowed: false });
    }
  });

  test('nor does somebody get anything who has nothing', async () => {
    const { org } = organization('hospital');
    const { key } = await org.newKey({});
    for (const question of injectedQuestions('order lab tests')) {
      const { allowed } = await askedOf(new Organization(service, org.slug, key), question);
      expect({ question, allowed }).toEqual({ question, allowed: false });
    }
  });

  test('what is held is allowed for what is asked, or not understood', async () => {
    const { asker } = organization('hospital');
    let understood = 0;
    for (const question of injectedQuestions('order lab tests')) {
      const { allowed, required_scopes, confidence } = await askedOf(asker, question);
      if (allowed) expect({ question, required_scopes }).toEqual({ question, required_scopes: ['lab:order'] });
      else expect(confidence < 0.3 || required_scopes[0] === 'settings.manage', question).toBe(true);
      if (allowed) understood++;
    }
    expect(understood).toBeGreaterThanOrEqual(20);
  });
});

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { digestOf } from '../../src/platform/index.ts';
import { type InProcessOrganization, InProcessService } from '../identity/sessions/in-process-service.ts';

const platformKey = 'platform-key-of-the-tests-0123456789';
let service: InProcessService;
let org: InProcessOrganization;
let count = 0;

beforeAll(async () => {
  service = await InProcessService.start({}, { platformDigest: digestOf(platformKey) });
});
beforeEach(async () => {
  org = await service.organization(`given-${++count}`);
});
afterAll(() => service.stop());

async function made(path: string, body: object, id = 'id'): Promise<string> {
  const answer = await org.tenant('POST', path, { body });
  expect([answer.status, answer.body]).toMatchObject([201, {}]);
  return answer.text(`data.${id}`);
}

/** Does something when a command that writes tuples is planned and not yet submitted: once. */
function whileGiving(task: () => Promise<unknown>): void {
  const { engine } = service.keyDependencies();
  const { submit } = engine;
  engine.submit = async (command) => {
    if (!command.changes.some(({ op }) => op === 'write_tuples')) return submit.call(engine, command);
    engine.submit = submit;
    await task();
    return submit.call(engine, command);
  };
}

const tuplesOf = (object: string) => service.read(() => org.organization.store.readTuples({ object }).tuples);

const things = [
  ['permission', 'permissions', (slug: string) => ({ permissions: [slug] })],
  ['role', 'roles', (slug: string) => ({ roles: [slug] })],
] as const;

const client = { name: 'shop', grantTypes: ['client_credentials'], scopes: [] };
const programs = [
  ['a new key', 'POST', '/admin/api-keys', { name: 'deploy' }, undefined],
  ['a new agent', 'POST', '/admin/agents', { name: 'bot' }, undefined],
  ['a new client', 'POST', '/admin/clients', client, undefined],
  ['an agent', 'PUT', '/admin/agents', { name: 'bot' }, 'id'],
  ['a client', 'PATCH', '/admin/clients', client, 'clientId'],
] as const;

describe('Rights 10: what is deleted in the moment in which it is given', () => {
  // by the super administrator, whose command rests on nobody’s rights
  test.each(programs)('is not given to %s', async (_, method, program, body, idName) => {
    for (const [type, path, given] of things) {
      const id = await made(`/admin/${path}`, { slug: 'docs-read', name: 'Read' });
      const existing = idName === undefined ? '' : `/${await made(program, body, idName)}`;
      let isDeleted = false;
      whileGiving(async () => {
        expect((await org.tenant('DELETE', `/admin/${path}/${id}`)).status).toBe(204);
        isDeleted = true;
      });
      const sent = { ...(idName === undefined ? body : {}), ...given('docs-read') };
      const answer = await org.tenant(method, program + existing, { key: platformKey, body: sent });
      expect(isDeleted).toBe(true);
      expect([type, answer.status, answer.at('errors.0.path')]).toEqual([type, 400, `${path}[0]`]);
      expect(tuplesOf(`${type}:docs-read`)).toEqual([]);
    }
  });
});

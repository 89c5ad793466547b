import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Change, Command } from '../../engine/index.ts';
import { InProcessService } from '../identity/sessions/in-process-service.ts';
import { decisionModel, decisionTuples } from '../operations/examples/decisions.ts';
import { type Document, type Operation, operationsOf } from '../operations/operations.ts';
import { exampleOf, familyOf, Player, sent } from '../operations/player.ts';
import { Organization } from '../server/running-service.ts';

let service: InProcessService;
let player: Player;
let operations: Operation[];

beforeAll(async () => {
  service = await InProcessService.start({
    RELATA_ALLOW_PRIVATE_URLS: '1',
    RELATA_SMTP_URL: 'smtp://127.0.0.1:1',
    RELATA_LIMIT_RATE_EXPENSIVE: '0',
    RELATA_LIMIT_RATE_REFUSED: '100000',
  });
  operations = operationsOf((await service.call('GET', '/openapi.json')).body as Document);
  const { organization, key } = await service.organization('every');
  player = new Player(service, new Organization(service as never, organization.slug, key));
  expect((await player.organization.post('/zanzibar/models', { dsl: decisionModel })).status).toBe(201);
  await player.organization.write(...decisionTuples);
  await player.begin();
});
afterAll(() => service.stop());

/** A credential, and what ends it or its rights. */
interface Passing {
  readonly key: string;
  readonly end: () => Promise<{ readonly status: number }>;
  /** Of a request that comes after the end. */
  readonly status: number;
}

type PassingOf = () => Promise<Passing>;

const role = 'ROLE_TENANT_ADMIN';

const demoted: PassingOf = async () => {
  const { organization } = player;
  const { key, subject } = await organization.newKey({ roles: [role] });
  const deletes = [`role:${role}#assignee@${subject}`];
  return { key, end: () => organization.post('/zanzibar/tuples', { deletes }), status: 403 };
};

const deleted: PassingOf = async () => {
  const { organization } = player;
  const { key, id } = await organization.newKey({ roles: [role] });
  return { key, end: () => organization.call('DELETE', `/admin/api-keys/${id}`), status: 401 };
};

const ofScim: PassingOf = async () => {
  const { token, id } = player.scim;
  return {
    key: token,
    end: () => player.organization.call('DELETE', `/admin/settings/scim/tokens/${id}`),
    status: 401,
  };
};

const ofReceiver: PassingOf = async () => {
  const { token, clientId } = player.receiver;
  return {
    key: token,
    end: () => player.organization.post(`/admin/clients/${clientId}/tokens/revoke`, {}),
    status: 401,
  };
};

/** Numbers are taken before anything is judged: whoever comes later gets the next ones. */
const isOfNumbers = (change: Change) => change.op === 'put_record' && change.record.collection === 'sequences';
/** What is told of a refusal. */
const isOfTheLog = (change: Change) =>
  change.op === 'append_chained' || (change.op === 'put_record' && change.record.collection === 'audit_entries');

/** Operations that only ask, whatever their method. */
const questions = [
  'POST /zanzibar/list-objects',
  'POST /zanzibar/list-subjects',
  'POST /zanzibar/expand',
  'POST /admin/policies/test',
  'POST /admin/policies/{policyId}/test',
  'POST /admin/scim/validate',
  'POST /scim/.search',
  'POST /scim/Users/.search',
  'POST /scim/Groups/.search',
];

/** What they are about is made by a person or an agent, or comes later: examples find none. */
const unplayed = [
  'DELETE /admin/users/{userId}/identities/{identityId}',
  'DELETE /admin/users/{userId}/applications/{clientId}',
  'DELETE /admin/delegations/{delegationId}',
  'POST /admin/elevations/{taskId}/revoke',
  'POST /ssf/poll/{streamId}',
];

/** A request whose caller ends before its first command is applied: what is wrong with what comes of it. */
async function ended(operation: Operation, passingOf: PassingOf): Promise<string | undefined> {
  if (operation.isScim) await player.newScimToken();
  const example = await exampleOf(operation)?.(player.worldOf(operation));
  if (example === undefined) return 'no example';
  if (example.isUnsupported) return undefined;
  const { key, end, status } = await passingOf();
  const { engine } = service.keyDependencies();
  const { submit } = engine;
  const applied: Change[] = [];
  let state: 'before' | 'ending' | 'after' = 'before';
  engine.submit = async (command: Command) => {
    if (state === 'before' && !command.changes.every(isOfNumbers)) {
      state = 'ending';
      const answer = await end();
      if (answer.status >= 300) throw new Error(`it did not end: ${answer.status}`);
      state = 'after';
    }
    const isAfter = state === 'after';
    const result = await submit.call(engine, command);
    if (isAfter) applied.push(...command.changes);
    return result;
  };
  try {
    const answer = await service.call(operation.method, player.url(operation, example), { key, ...sent(example) });
    const said = `${answer.status} ${JSON.stringify(answer.body)?.slice(0, 300)}`;
    const isQuiet = questions.includes(operation.name) || unplayed.includes(operation.name);
    if (isQuiet || state === 'before') return isQuiet && state === 'before' ? undefined : `${state}: ${said}`;
    const strange = applied.filter((change) => !isOfTheLog(change) && !isOfNumbers(change));
    if (strange.length > 0) return `${said}, and it is applied: ${JSON.stringify(strange).slice(0, 300)}`;
    // of a bulk, each operation is answered by itself
    const found = Number(answer.at('Operations.0.status') ?? answer.status);
    return found === status ? undefined : said;
  } finally {
    engine.submit = submit;
  }
}

const isAdministration = ({ access, method, name }: Operation) =>
  access.startsWith('permission ') && (method !== 'GET' || name === 'GET /admin/audit-logs/export');

test.each([
  { what: 'who is demoted', passingOf: demoted, applies: isAdministration },
  { what: 'whose key is deleted', passingOf: deleted, applies: isAdministration },
  {
    what: 'whose token of SCIM is revoked',
    passingOf: ofScim,
    applies: ({ access, method }: Operation) => access === 'scope scim' && method !== 'GET',
  },
  {
    what: 'whose access token is revoked',
    passingOf: ofReceiver,
    applies: ({ access, method }: Operation) => access.startsWith('scope ssf.') && method !== 'GET',
  },
])('$what between the judgement and the commit changes nothing, by any operation', async ({ passingOf, applies }) => {
  const wrong: string[] = [];
  for (const operation of operations.filter(applies)) {
    const reason = await ended(operation, passingOf);
    if (reason !== undefined) wrong.push(`${familyOf(operation)} ${operation.name}: ${reason}`);
  }
  expect(wrong).toEqual([]);
});

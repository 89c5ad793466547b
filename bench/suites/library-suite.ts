import { preparsePolicySet, statefulIsAuthorized } from '@cedar-policy/cedar-wasm/nodejs';
import { newEnforcer, newModelFromString, StringAdapter } from 'casbin';
import type { Questions } from '../data/data-set.ts';
import { firstOf } from '../data/questions.ts';
import { permissionName, Rbac, roleName, userName } from '../data/rbac.ts';
import { secondsSince } from '../measure/clock.ts';
import { ratePass } from '../measure/pass.ts';
import { dataFolder } from '../store/data-folder.ts';
import { openStore } from '../store/opened-store.ts';
import type { Suite } from './suite.ts';

const QUESTIONS = {
  full: { relata: 1_000_000, casbin: 300, cedar: 20_000 },
  smoke: { relata: 200, casbin: 50, cedar: 50 },
};

/** The RBAC questions asked of other libraries that run inside a Node.js process. */
export const librarySuite: Suite = {
  name: 'libraries',
  about: 'the RBAC questions, asked of casbin and @cedar-policy/cedar-wasm',
  async run(bench) {
    const data = bench.isSmoke
      ? new Rbac({ users: 400, roles: 50, permissions: 200, rolesPerUser: 3, permissionsPerRole: 5 })
      : new Rbac();
    const counts = QUESTIONS[bench.isSmoke ? 'smoke' : 'full'];
    const questions = data.questions(counts.relata);
    const { store, close } = await openStore(await dataFolder(data));
    await ratePass(store, questions);
    const { seconds } = await ratePass(store, questions);
    await close();
    const value = counts.relata / seconds;
    const peers = [
      { name: 'casbin', count: counts.casbin, ask: await casbin(data) },
      { name: 'cedar-wasm', count: counts.cedar, ask: cedar(data) },
    ];
    for (const { name, count, ask } of peers) {
      bench.note(`${name}: ${count} questions`);
      bench.line({
        name: `rbac, beside ${name}`,
        value,
        unit: 'checks/s',
        baseline: { name, value: count / secondsOf(ask, firstOf(questions, count)) },
      });
    }
  },
};

type Ask = (object: string, subject: string) => boolean;

function secondsOf(ask: Ask, { requests, expected }: Questions): number {
  const warm = Math.ceil(requests.length / 10);
  for (const { object, subject } of requests.slice(0, warm)) ask(object, subject);
  let wrong = 0;
  const startedAt = process.hrtime.bigint();
  requests.forEach(({ object, subject }, place) => {
    if (ask(object, subject) !== (expected[place] === 1)) wrong++;
  });
  const seconds = secondsSince(startedAt);
  if (wrong > 0) throw new Error(`${wrong} of ${requests.length} answers of the other library are wrong`);
  return seconds;
}

/** The comparison of the object stands first in the matcher, so that most policies cost only that. */
const CASBIN_MODEL = `
[request_definition]
r = sub, obj
[policy_definition]
p = sub, obj
[role_definition]
g = _, _
[policy_effect]
e = some(where (p.eft == allow))
[matchers]
m = r.obj == p.obj && g(r.sub, p.sub)
`;

async function casbin(data: Rbac): Promise<Ask> {
  const rules: string[] = [];
  data.permissionsOf.forEach((permissions, role) => {
    for (const permission of permissions) rules.push(`p, ${roleName(role)}, ${permissionName(permission)}`);
  });
  data.rolesOf.forEach((roles, user) => {
    for (const role of roles) rules.push(`g, ${userName(user)}, ${roleName(role)}`);
  });
  const enforcer = await newEnforcer(newModelFromString(CASBIN_MODEL), new StringAdapter(rules.join('\n')));
  return (object, subject) => enforcer.enforceSync(subject, object);
}

const CEDAR_POLICY = 'permit(principal, action == Action::"use", resource) when { principal in resource.grantedTo };';

/**
 * Cedar keeps no data: whoever asks hands it the entities that the question is about. Here they are at hand in memory:
 * the user with its roles, and the permission with the roles that have it. One policy, parsed beforehand.
 */
function cedar(data: Rbac): Ask {
  const parsed = preparsePolicySet('rbac', { staticPolicies: { rbac: CEDAR_POLICY } });
  if (parsed.type === 'failure') throw new Error(parsed.errors[0]?.message ?? 'the policy does not parse');
  const roleOf = (role: number): { type: string; id: string } => ({ type: 'Role', id: roleName(role) });
  const users = new Map(data.rolesOf.map((roles, user) => [userName(user), [...roles].map(roleOf)]));
  const grants = new Map<string, { __entity: { type: string; id: string } }[]>();
  data.permissionsOf.forEach((permissions, role) => {
    for (const permission of permissions) {
      const name = permissionName(permission);
      grants.set(name, [...(grants.get(name) ?? []), { __entity: roleOf(role) }]);
    }
  });
  return (object, subject) => {
    const principal = { type: 'User', id: subject };
    const resource = { type: 'Permission', id: object };
    const answer = statefulIsAuthorized({
      principal,
      action: { type: 'Action', id: 'use' },
      resource,
      context: {},
      preparsedPolicySetId: 'rbac',
      entities: [
        { uid: principal, attrs: {}, parents: users.get(subject) ?? [] },
        { uid: resource, attrs: { grantedTo: grants.get(object) ?? [] }, parents: [] },
      ],
    });
    return answer.type === 'success' && answer.response.decision === 'allow';
  };
}

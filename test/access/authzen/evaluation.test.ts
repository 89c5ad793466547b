import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { AgencyScene } from '../agency/agency-scene.ts';

let scene: AgencyScene;

const evaluation = '/access/v1/evaluation';
const asked = (subject: string, action: string, resource: string, more: object = {}) => {
  const [type, id] = subject.split(':');
  const [resourceType, resourceId] = resource.split(':');
  return {
    subject: { type, id },
    action: { name: action },
    resource: { type: resourceType, id: resourceId },
    ...more,
  };
};
const admin = (path: string, body: object) => scene.provider.organization.org('POST', path, { body });

beforeAll(async () => {
  scene = await AgencyScene.start('authzen-evaluations');
  await scene.tuples('writes', { object: 'docs:plan', relation: 'viewer', subject: 'user:kim' });
});
afterAll(() => scene.stop());

describe('where it is', () => {
  test('says the metadata, at both places', async () => {
    const { service, organization } = scene.provider;
    for (const path of [
      `/.well-known/authzen-configuration/orgs/${organization.organization.slug}`,
      `/orgs/${organization.organization.slug}/.well-known/authzen-configuration`,
    ]) {
      const answer = await service.call('GET', path);
      expect(answer.status).toBe(200);
      const issuer = answer.text('policy_decision_point');
      expect(issuer.endsWith(`/orgs/${organization.organization.slug}`)).toBe(true);
      expect(answer.text('access_evaluation_endpoint')).toBe(`${issuer}/api/v1${evaluation}`);
      expect(answer.text('access_request_endpoint')).toBe(`${issuer}/api/v1/access/v1/requests`);
    }
    expect((await service.call('GET', '/.well-known/authzen-configuration/orgs/nobody')).status).toBe(404);
  });
});

describe('one evaluation', () => {
  test('asks for the permission, for can_<action>, and for the relation of that name', async () => {
    await scene.grant('docs:archive', 'user:lee');
    for (const [subject, action, resource, decision] of [
      ['user:kim', 'read', 'docs:plan', true],
      ['user:kim', 'can_read', 'docs:plan', true],
      ['user:kim', 'viewer', 'docs:plan', true],
      ['user:kim', 'write', 'docs:plan', false],
      ['user:kim', 'read', 'docs:other', false],
      ['user:lee', 'archive', 'docs:plan', true],
      ['user:lee', 'read', 'docs:plan', false],
      ['user:kim', 'read', 'nothing:plan', false],
      ['user:kim', 'no such action!', 'docs:plan', false],
    ] as const) {
      const answer = await admin(evaluation, asked(subject, action, resource));
      expect([subject, action, resource, answer.status, answer.at('decision')]).toEqual([
        subject,
        action,
        resource,
        200,
        decision,
      ]);
    }
  });

  test('names the context that a condition lacks, and takes properties as attributes', async () => {
    await scene.permission('docs:print');
    const policy = await scene.provider.admin('POST', '/admin/policies', {
      name: 'Printing',
      permissions: ['docs:print'],
      condition: 'resource.pages < 10',
    });
    expect(policy.status).toBe(201);
    const without = await admin(evaluation, asked('user:kim', 'print', 'docs:plan'));
    expect(without.body).toMatchObject({ decision: false, context: { reason: 'missing_context' } });
    for (const [pages, decision] of [
      [3, true],
      [30, false],
    ] as const) {
      const resource = { type: 'docs', id: 'plan', properties: { pages } };
      const answer = await admin(evaluation, { ...asked('user:kim', 'print', 'docs:plan'), resource });
      expect(answer.body).toMatchObject({ decision });
    }
  });

  test('about others, or with context, needs authz:check', async () => {
    const user = await scene.user('docs:read');
    const token = await scene.token(user, ['openid']);
    const own = asked(`user:${user.id}`, 'read', 'docs:plan');
    expect((await scene.call(token, 'POST', evaluation, own)).body).toEqual({ decision: true });
    expect((await scene.call(token, 'POST', evaluation, asked('user:kim', 'read', 'docs:plan'))).status).toBe(403);
    expect((await scene.call(token, 'POST', evaluation, { ...own, context: { hour: 3 } })).status).toBe(403);
    expect((await scene.provider.organization.org('POST', evaluation, { body: own, key: '' })).status).toBe(401);
  });

  test('a person, and a key, are told of no request', async () => {
    const user = await scene.user();
    const token = await scene.token(user, ['openid']);
    const denied = { decision: false, context: { reason: 'denied' } };
    expect((await scene.call(token, 'POST', evaluation, asked(`user:${user.id}`, 'read', 'docs:plan'))).body).toEqual(
      denied,
    );
    const agent = await scene.agent();
    expect((await admin(evaluation, asked(`agent:${agent.id}`, 'read', 'docs:plan'))).body).toEqual(denied);
  });

  test.each([
    ['no subject', { action: { name: 'read' }, resource: { type: 'docs', id: 'plan' } }, 'subject'],
    ['an empty type', { ...asked('user:kim', 'read', 'docs:plan'), subject: { type: '', id: 'kim' } }, 'subject.type'],
    [
      'an approval that is a text',
      { ...asked('user:kim', 'read', 'docs:plan'), context: { approval: 'x' } },
      'context.approval',
    ],
    ['a field of its own', asked('user:kim', 'read', 'docs:plan', { because: 1 }), 'because'],
  ])('refuses %s', async (_, body, path) => {
    const answer = await admin(evaluation, body);
    expect(answer.status).toBe(400);
    expect(JSON.stringify(answer.at('errors'))).toContain(path);
  });
});

describe('many evaluations', () => {
  const many = '/access/v1/evaluations';

  test('share what stands beside them, each in its place', async () => {
    const { action, resource, subject } = asked('user:kim', 'read', 'docs:plan');
    const answer = await admin(many, {
      subject,
      action,
      evaluations: [
        { resource },
        { resource: { type: 'docs', id: 'other' } },
        {},
        { resource, action: { name: 'write' } },
      ],
    });
    expect(answer.at('evaluations')).toMatchObject([
      { decision: true },
      { decision: false },
      { decision: false, context: { error: { status: 400 } } },
      { decision: false },
    ]);
  });

  test('end where the options say', async () => {
    const body = {
      ...asked('user:kim', 'read', 'docs:plan'),
      evaluations: [{}, { action: { name: 'write' } }, {}],
    };
    const decisions = async (evaluations_semantic: string) => {
      const answer = await admin(many, { ...body, options: { evaluations_semantic } });
      return (answer.at('evaluations') as { decision: boolean }[]).map(({ decision }) => decision);
    };
    expect(await decisions('execute_all')).toEqual([true, false, true]);
    expect(await decisions('deny_on_first_deny')).toEqual([true, false]);
    expect(await decisions('permit_on_first_permit')).toEqual([true]);
    expect((await admin(many, { ...body, options: { evaluations_semantic: 'any' } })).status).toBe(400);
  });

  test('of none at all are one', async () => {
    expect((await admin(many, asked('user:kim', 'read', 'docs:plan'))).body).toEqual({ decision: true });
    expect((await admin(many, { evaluations: [] })).status).toBe(400);
  });
});

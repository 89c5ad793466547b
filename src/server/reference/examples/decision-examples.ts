import type { RequestExamples } from '../../../http/index.ts';

const carol = { subject: 'user:carol' };
const roadmap = { object: 'document:roadmap', relation: 'viewer', ...carol };

const projects = `model
  schema 1.1

type team
  relations
    define member: [user]

type project
  relations
    define team: [team]
    define viewer: [user] or member from team
`;

export const decisionExamples: RequestExamples = {
  checkPermission: { body: { permission: 'document:read', ...carol, resource: { type: 'document', id: 'roadmap' } } },
  checkPermissions: {
    body: {
      checks: [
        { permission: 'document:read', subject: 'user:bob' },
        { permission: 'document:delete', subject: 'user:bob' },
      ],
    },
  },
  checkAnyPermission: { body: { permissions: ['document:write', 'document:delete'], ...carol } },
  checkAllPermissions: { body: { permissions: ['document:read', 'document:write'], ...carol } },
  listOwnPermissions: { query: { subject: 'user:carol' } },
  checkPermissionByAttributes: {
    body: { permission: 'document:read', ...carol, environment: { network: 'office' }, explain: true },
  },
  checkRelation: { body: { ...roadmap, explain: true } },
  checkRelations: { body: { checks: [roadmap, { ...roadmap, relation: 'owner' }] } },
  listObjects: { body: { type: 'document', relation: 'viewer', ...carol } },
  listSubjects: { body: { object: 'document:roadmap', relation: 'viewer', subjectType: 'user', explain: true } },
  expandRelation: { body: { object: 'document:roadmap', relation: 'viewer' } },
  writeTuples: {
    body: {
      writes: [
        { object: 'document:plan', relation: 'owner', subject: 'user:carol' },
        { object: 'document:plan', relation: 'folder', subject: 'folder:designs' },
      ],
      preconditions: [
        {
          require: 'tuple_absent',
          tuple: { object: 'document:plan', relation: 'owner', subject: 'user:bob' },
        },
      ],
    },
  },
  readTuples: { query: { object: 'document:plan', limit: '10' } },
  writeModel: { body: { dsl: projects } },
  listModels: { query: { limit: '5' } },
  getModel: {},
};

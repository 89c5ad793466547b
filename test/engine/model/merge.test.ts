import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { mergeModels, parseModel, subjectText } from '../../../engine/model/index.ts';
import type { Model } from '../../../engine/model/model.ts';
import { issuesOf } from './models.ts';

const system = parseModel({ dsl: readFileSync('config/system.fga', 'utf8') });
/** The body of an own model begins on line 3. */
const own = (body: string): { dsl: string } => ({ dsl: `model\n  schema 1.1\n${body}` });
const merge = (body: string): Model => parseModel(own(body), { base: system });

function subjects(model: Model, type: string, relation: string): string[] {
  return (model.types.get(type)?.relations.get(relation)?.directSubjects ?? []).map(subjectText);
}

describe('the system model', () => {
  it('has the types and relations that rights are made of', () => {
    expect([...system.types.keys()]).toEqual([
      ...['user', 'agent', 'api_key', 'oauth_client', 'group', 'role', 'permission', 'policy', 'elevation'],
    ]);
    expect(subjects(system, 'group', 'member')).toEqual(['user', 'agent']);
    expect(subjects(system, 'role', 'assignee')).toEqual([
      ...['user', 'agent', 'api_key', 'oauth_client', 'group#member'],
    ]);
    expect(subjects(system, 'permission', 'granted')).toEqual([
      ...['user', 'agent', 'api_key', 'oauth_client', 'role#assignee', 'elevation', 'policy#applies'],
    ]);
    expect(subjects(system, 'policy', 'applies')).toEqual([
      'user:* with policy_condition',
      'agent:* with policy_condition',
    ]);
  });

  it('accepts no wildcard where rights are granted', () => {
    for (const [type, relation] of [
      ['role', 'assignee'],
      ['permission', 'granted'],
    ] as const) {
      expect(subjects(system, type, relation).filter((subject) => subject.includes('*'))).toEqual([]);
    }
  });
});

describe('an own model is merged with its base', () => {
  it('whose types it uses without declaring them', () => {
    const model = merge('type doc\n  relations\n    define viewer: [user, group#member, role#assignee]\n');
    expect(subjects(model, 'doc', 'viewer')).toEqual(['user', 'group#member', 'role#assignee']);
    expect([...model.types.keys()].slice(0, 3)).toEqual(['user', 'agent', 'api_key']);
  });

  it('whose types it declares again, adding relations', () => {
    const model = merge(
      'type user\n  relations\n    define manager: [user]\ntype group\n  relations\n    define owner: [user]\n',
    );
    expect(subjects(model, 'user', 'manager')).toEqual(['user']);
    expect(subjects(model, 'group', 'member')).toEqual(['user', 'agent']);
    expect(subjects(model, 'group', 'owner')).toEqual(['user']);
  });

  it('and restricts a relation of it, whose direct subjects stay', () => {
    const model = merge(
      'type group\n  relations\n    define banned: [user]\n    define member: [user, group#member] but not banned\n',
    );
    expect(subjects(model, 'group', 'member')).toEqual(['user', 'group#member', 'agent']);
    expect(model.types.get('group')?.relations.get('member')?.rewrite).toEqual({
      kind: 'exclusion',
      base: { kind: 'direct' },
      subtract: { kind: 'computed', relation: 'banned' },
    });
  });

  it('with the conditions of policies', () => {
    const model = merge(
      'type policy\n  relations\n    define applies: [user:* with hours]\ncondition hours(now: timestamp) { now.getHours() < 18 }\n',
    );
    expect(subjects(model, 'policy', 'applies')).toEqual([
      'user:* with hours',
      'user:* with policy_condition',
      'agent:* with policy_condition',
    ]);
  });

  it('and leaves both as they were', () => {
    const before = structuredClone(system);
    merge('type group\n  relations\n    define member: [user, group#member]\n');
    expect(system).toEqual(before);
  });

  it('twice, the same as once', () => {
    const once = merge('type group\n  relations\n    define member: [user, group#member]\n');
    expect(mergeModels(system, once)).toEqual(once);
    expect(mergeModels(system, system)).toEqual(system);
  });

  it('of modules, which can extend a type of the base', () => {
    const modules = [
      { name: 'a.fga', contents: 'module a\nextend type group\n  relations\n    define owner: [user]\n' },
    ];
    const model = parseModel({ modules }, { base: system });
    expect(model.schemaVersion).toBe('1.2');
    expect(subjects(model, 'group', 'owner')).toEqual(['user']);
    expect(subjects(model, 'group', 'member')).toEqual(['user', 'agent']);
  });
});

const refused = [
  {
    name: 'a relation that accepts no direct subject',
    body: 'type group\n  relations\n    define owner: [user]\n    define member: owner\n',
    issue:
      '6:12 `member` of `group` must accept direct subjects, because the base model stores user, agent there: add a list such as [user, agent]',
  },
  {
    name: 'an unknown type',
    body: 'type doc\n  relations\n    define viewer: [grup#member]\n',
    issue: '5:21 the type `grup` does not exist',
  },
  {
    name: 'a base relation made impossible',
    body: 'type group\n  relations\n    define nobody: [group#nobody]\n    define member: [user] and nobody\n',
    issue: '5:12 `nobody` of `group` can never hold',
  },
];

describe('a merge is refused', () => {
  it.each(refused)('$name', ({ body, issue }) => {
    expect(issuesOf(() => merge(body))[0]).toContain(issue);
  });

  it('where a condition differs, and not where it is the same', () => {
    const condition = (parameters: string, text: string): Model =>
      parseModel(own(`type user\ncondition c(${parameters}) { ${text} }\n`));
    const base = condition('x: int', 'x < 1');
    expect(mergeModels(base, condition('x: int', ' x < 1 '))).toEqual(base);
    const differs = ['1:1 the condition `c` is defined differently by the base model'];
    expect(issuesOf(() => mergeModels(base, condition('x: int', 'x < 2')))).toEqual(differs);
    expect(issuesOf(() => mergeModels(base, condition('x: int, y: int', 'x < 1')))).toEqual(differs);
    expect(issuesOf(() => parseModel(own('condition c(x: uint) { x < 1u }\n'), { base }))).toEqual([
      '3:11 the condition `c` is defined differently by the base model',
    ]);
  });
});

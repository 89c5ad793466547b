import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Change, formatTuple, parseTuple, type Store } from '../../../engine/index.ts';
import { otherAdministrator } from '../../../src/kernel/rights/administrators.ts';
import { ScratchEngine } from '../../engine/scratch-engine.ts';

/** As much of the system's model as leads to an administrator. */
const DSL = `
model
  schema 1.1
type user
type group
  relations
    define member: [user]
type role
  relations
    define assignee: [user, group#member]
type permission
  relations
    define granted: [user, role#assignee]
`;

const toRole = 'permission:settings.manage#granted@role:boss#assignee';
const toGroup = 'role:boss#assignee@group:board#member';
const toMember = 'group:board#member@user:member';
const toAssignee = 'role:boss#assignee@user:assignee';
const toHolder = 'permission:settings.manage#granted@user:holder';

let scratch: ScratchEngine;
let store: Store;

beforeAll(async () => {
  scratch = await ScratchEngine.open();
  store = await scratch.engine.createStore('acme');
  await store.writeModel({ dsl: DSL });
  await store.write({ writes: [toRole, toGroup, toMember, toAssignee, toHolder].map(parseTuple) });
});
afterAll(() => scratch?.close());

const found = (subject: string, changes: readonly Change[] = []) =>
  scratch.engine
    .read(() => otherAdministrator({ store, changes, isOne: (each) => each === subject }))
    ?.map((tuple) => formatTuple(tuple));

describe('the tuples that make an administrator', () => {
  it.each([
    { name: 'who holds the permission', subject: 'user:holder', path: [toHolder] },
    { name: 'who has a role that holds it', subject: 'user:assignee', path: [toRole, toAssignee] },
    { name: 'who is in a group with that role', subject: 'user:member', path: [toRole, toGroup, toMember] },
  ])('are all of the way to one $name', ({ subject, path }) => {
    expect(found(subject)).toEqual(path);
    for (const gone of path) {
      const changes: Change[] = [{ op: 'delete_tuples', store: 'acme', tuples: [parseTuple(gone)] }];
      expect([gone, found(subject, changes)]).toEqual([gone, undefined]);
    }
  });

  it('are none where nobody is one', () => {
    expect(found('user:other')).toBeUndefined();
  });
});

import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { parseTuple } from '../../../engine/index.ts';
import { defineRecord } from '../../../src/kernel/records/index.ts';
import { type Transaction, transact } from '../../../src/kernel/transactions/index.ts';
import { facts, type InProcessOrganization, InProcessService } from '../../identity/sessions/in-process-service.ts';

const notes = defineRecord({
  collection: 'notes_of_a_test',
  holds: 'a record of a test',
  schema: z.strictObject({ text: z.string() }),
});
const membership = parseTuple('group:g#member@user:u');

let service: InProcessService;
let org: InProcessOrganization;
let count = 0;

beforeAll(async () => {
  service = await InProcessService.start();
});
beforeEach(async () => {
  org = await service.organization(`transactions-${++count}`);
});
afterAll(() => service.stop());

const store = () => org.organization.store;
const noteOf = (id: string) => service.read(() => notes.get(store(), id)?.document.text);
const putNote = (id: string, text: string) => service.submit([notes.put(store(), id, { text })]);

/** Runs a transaction for somebody who may do everything, and answers how often it was worked out. */
async function ran(run: (transaction: Transaction) => void): Promise<number> {
  const { organization } = org;
  const caller = { organization, subject: undefined, may: () => true, isStillValid: () => true, seesRights: true };
  let times = 0;
  await transact(service.keyDependencies(), caller, facts, (transaction) => {
    times++;
    run(transaction);
  });
  return times;
}

test('a record that is put twice is written once, as it was put last', async () => {
  await ran((transaction) => {
    transaction.put(notes, 'other', { text: 'other' });
    transaction.put(notes, 'a', { text: 'first' });
    transaction.put(notes, 'a', { text: 'last' });
  });
  expect([noteOf('other'), noteOf('a')]).toEqual(['other', 'last']);
  expect(service.read(() => notes.get(store(), 'a')?.version)).toBe(1);
});

test('what is dropped is not written, and what is put afterwards is', async () => {
  await ran((transaction) => {
    transaction.put(notes, 'dropped', { text: 'x' });
    transaction.put(notes, 'kept', { text: 'before' });
    transaction.drop(undefined);
    transaction.put(notes, 'kept', { text: 'after' });
  });
  expect([noteOf('dropped'), noteOf('kept')]).toEqual([undefined, 'after']);
});

test.each<[string, (transaction: Transaction) => void, () => Promise<unknown>]>([
  ['a record that was read', (transaction) => transaction.get(notes, 'read'), () => putNote('read', 'new')],
  [
    'a record that was not there yet',
    (transaction) => transaction.rely(notes, { id: 'absent', version: 0, document: { text: '' } }),
    () => putNote('absent', 'new'),
  ],
  [
    'a tuple that is taken',
    (transaction) => transaction.revoke(service.read(() => store().readTuples({ object: 'group:g' }).tuples)),
    () => service.submit([{ op: 'delete_tuples', store: store().name, tuples: [membership] }]),
  ],
])('where %s changes before the commit, the transaction is worked out again', async (_, rest, change) => {
  await putNote('read', 'old');
  await service.submit([{ op: 'write_tuples', store: store().name, tuples: [membership] }]);
  const run = (transaction: Transaction) => {
    rest(transaction);
    transaction.put(notes, 'made', { text: 'made' });
  };
  service.beforeNextCommit(change);
  const absent = (transaction: Transaction) =>
    notes.get(store(), 'absent') === undefined ? run(transaction) : transaction.put(notes, 'made', { text: 'made' });
  expect(await ran(absent)).toBe(2);
  expect(noteOf('made')).toBe('made');
});

test('no tuples to write, to erase or to take are no change', async () => {
  let commits = 0;
  service.beforeNextCommit(async () => {
    commits++;
  });
  await ran((transaction) => {
    transaction.write([]);
    transaction.erase([]);
    transaction.revoke([]);
  });
  expect(commits).toBe(0);
});

test('what takes from many does not ask of each whether it administers, and an administrator still remains', async () => {
  const members = Array.from({ length: 100 }, (_, index) => parseTuple(`group:many#member@user:u${index}`));
  await service.submit([{ op: 'write_tuples', store: store().name, tuples: members }]);
  const dependencies = service.keyDependencies();
  const isAdministrator = vi.spyOn(dependencies.rights, 'isAdministrator');
  const { organization } = org;
  const caller = { organization, subject: undefined, may: () => true, isStillValid: () => true, seesRights: true };
  await transact(dependencies, caller, facts, (transaction) => transaction.revoke(members));
  expect(isAdministrator.mock.calls.length).toBeLessThan(20);
  expect(service.read(() => store().readTuples({ object: 'group:many' }).tuples)).toEqual([]);
  const everything = service.read(() => store().readTuples({ object: 'permission:settings.manage' }).tuples);
  await service.submit([{ op: 'write_tuples', store: store().name, tuples: members }]);
  await expect(
    transact(dependencies, caller, facts, (transaction) => transaction.revoke([...members, ...everything])),
  ).rejects.toThrow('last administrator');
  isAdministrator.mockRestore();
});

test('of those who put one more at the same moment, no more are done than there may be', async () => {
  const put = (id: string) =>
    ran((transaction) => {
      transaction.requireFewer(notes, 3, 'There are three.');
      transaction.put(notes, id, { text: '' });
    });
  const outcomes = await Promise.allSettled(['a', 'b', 'c', 'd', 'e'].map(put));
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
  for (const outcome of outcomes) {
    if (outcome.status === 'rejected') {
      expect(outcome.reason).toMatchObject({ problem: { kind: { code: 'refused' }, detail: 'There are three.' } });
    }
  }
  expect(service.read(() => [...notes.all(store())])).toHaveLength(3);
});

import { afterEach, beforeEach, expect, test } from 'vitest';
import { actors, keyRecords } from '../../src/directory/records/index.ts';
import type { Organization } from '../../src/kernel/organizations/index.ts';
import type { Reach } from '../../src/kernel/rights/index.ts';
import { AdministratorSearch } from '../../src/kernel/transactions/keep-administrator.ts';
import { ScratchEngine } from '../engine/scratch-engine.ts';

const ADMINISTRATORS = 50;
/** Of a check that runs into its bound. */
const CHECK_MS = 3_000;

let scratch: ScratchEngine;
let organization: Organization;
beforeEach(async () => {
  scratch = await ScratchEngine.open();
  const store = await scratch.engine.createStore('acme');
  const types = 'type api_key\ntype permission\n  relations\n    define granted: [api_key]\n';
  await store.writeModel({ dsl: `model\n  schema 1.1\n${types}` });
  const names = Array.from({ length: ADMINISTRATORS }, (_, place) => `api_key:${place}`);
  const writes = names.map((subject) => ({ object: 'permission:settings.manage', relation: 'granted', subject }));
  const key = { name: 'k', tail: 'tail', createdAt: 0, createdBy: 'platform' };
  const also = names.map((_, place) => keyRecords.put(store, String(place), { ...key, digest: String(place) }));
  await store.write({ writes, also });
  organization = { store } as unknown as Organization; // as much of it as is asked for
});
afterEach(() => scratch.close());

/** Asks of each in turn; `answers` says what is answered of the first ones. */
function searched(answers: readonly (boolean | undefined)[], msOfCheck: number) {
  let asked = 0;
  let time = 0;
  const isPermanentAdministrator = (): boolean | undefined => {
    time += msOfCheck;
    return answers[asked++];
  };
  const dependencies = { rights: { isPermanentAdministrator }, actors } as unknown as ConstructorParameters<
    typeof AdministratorSearch
  >[0];
  const search = new AdministratorSearch(dependencies, organization, 0, () => time);
  const reach = { isPlain: false } as Reach;
  const find = () => scratch.engine.read(() => search.find({ changes: [], reach }));
  return { search, find, asked: () => asked };
}

test('the searches of one command have one bound of time together, and past it nothing is decided', () => {
  const { search, find, asked } = searched(Array(ADMINISTRATORS).fill(false), CHECK_MS);
  expect([find(), find(), asked()]).toEqual([undefined, undefined, 2]);
  expect(search.undecided).toMatch(/could not be decided in time/);
});

test('a check that ran out of time decides nothing', () => {
  const { search, find } = searched([undefined, ...Array(ADMINISTRATORS).fill(false)], 1);
  expect(find()).toBeUndefined();
  expect(search.undecided).toMatch(/could not be decided in time/);
});

test('one who is found decides, although a check before it ran out of time', () => {
  const { find, asked } = searched([undefined, false, true], 1);
  expect([find() !== undefined, asked()]).toEqual([true, 3]);
});

test('without any, and with time left, it is decided', () => {
  const { search, find, asked } = searched(Array(ADMINISTRATORS).fill(false), 1);
  expect([find(), search.undecided, asked()]).toEqual([undefined, undefined, ADMINISTRATORS]);
});

import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { type Change, parseTuple, type Store } from '../../../engine/index.ts';
import { SubjectCaller } from '../../../src/access/guard/callers.ts';
import { loadSystemModel, RightCheck } from '../../../src/kernel/rights/index.ts';
import { systemClock } from '../../../src/platform/index.ts';
import { ScratchEngine } from '../../engine/scratch-engine.ts';

const right = [parseTuple('permission:users.read#granted@user:anne')];
const system = loadSystemModel();

let scratch: ScratchEngine;
let store: Store;
let other: Store;
let systemModelId: string;

beforeAll(async () => {
  scratch = await ScratchEngine.open();
  store = await scratch.engine.createStore('acme');
  other = await scratch.engine.createStore('others');
  systemModelId = (await store.writeModel(system.source)).modelId;
  await other.writeModel(system.source);
  await store.write({ writes: right });
});
afterAll(() => scratch?.close());

const submit = (made: Change) => scratch.engine.submit(scratch.engine.command([made]));
const change = (op: 'suspend_subject' | 'restore_subject') => submit({ op, store: 'acme', subject: 'user:anne' });
const putRecord = () =>
  submit({ op: 'put_record', store: 'acme', record: { collection: 'notes', id: 'n', document: {} } });

it('what a caller holds is judged again only after a commit that touches rights of the organization', async () => {
  const rights = new RightCheck();
  const judged = vi.spyOn(rights, 'holds');
  const organization = { id: 'o', slug: 'acme', systemModelId, store };
  const judgement = { engine: scratch.engine, clock: systemClock, rights };
  const caller = new SubjectCaller(organization, { subject: 'user:anne' }, judgement, { isStillValid: () => true });
  const look = () => {
    judged.mockClear();
    return { may: caller.may('users.read'), isJudged: judged.mock.calls.length > 0 };
  };
  const steps: readonly (readonly [string, () => Promise<unknown>, ReturnType<typeof look>])[] = [
    ['at first', async () => undefined, { may: true, isJudged: true }],
    ['at the same revision', async () => undefined, { may: true, isJudged: false }],
    ['after a commit of another organization', () => other.write({ writes: right }), { may: true, isJudged: false }],
    ['after a record of its own', putRecord, { may: true, isJudged: false }],
    ['suspended', () => change('suspend_subject'), { may: false, isJudged: true }],
    ['restored', () => change('restore_subject'), { may: true, isJudged: true }],
    ['without the tuple', () => store.write({ deletes: right }), { may: false, isJudged: true }],
    ['with it again', () => store.write({ writes: right }), { may: true, isJudged: true }],
    ['after a new model', () => store.writeModel(system.source), { may: true, isJudged: true }],
  ];
  for (const [name, step, expected] of steps) {
    await step();
    expect([name, look()]).toEqual([name, expected]);
  }
});

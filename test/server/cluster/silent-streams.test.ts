import { expect, it } from 'vitest';
import { ClusterState, logCheck } from '../../../src/server/cluster/cluster-state.ts';

const way = (stream: number, isAnswering?: boolean) => ({
  stream,
  sequence: 1,
  behind: 0,
  waitingBytes: 0,
  isAnswering,
});
const status = {
  sequence: 1,
  behind: 0,
  formats: { log: 3, store: 4 },
  state: '',
  isReading: true,
  isWritable: true,
  silentMs: 0,
};

it.each([
  { name: 'all answer', ways: [way(0, true), way(1, true)], check: 'ok' },
  { name: 'nothing is told of them', ways: undefined, check: 'ok' },
  { name: 'one is silent', ways: [way(0, true), way(1, true), way(2, false)], check: 'stream 2 does not answer' },
  {
    name: 'several are silent',
    ways: [way(0, true), way(1, false), way(15, false)],
    check: 'stream 1 does not answer, stream 15 does not answer',
  },
])('the check of the log names the streams that do not answer, where $name', ({ ways, check }) => {
  const state = new ClusterState();
  state.note({ ...status, ...(ways === undefined ? {} : { ways }) }, 1000);
  expect(logCheck(state.memory)).toEqual({ log: check });
});

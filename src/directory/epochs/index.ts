export { statusChanges } from './client-status.ts';
export {
  areCurrent,
  currentEpoch,
  currentEpochs,
  type EpochOf,
  type Epochs,
  endAll,
  endAllOf,
  endSessionsOf,
  endTokensOf,
  endTokensOfClient,
  epochRecords,
  epochsSchema,
  settle,
  settlingRecords,
  stillCurrent,
} from './epochs.ts';

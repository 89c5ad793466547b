export { type CommitEngine, commit, commitGathered, commitIfPossible, commitTogether } from './commit.ts';
export { type GatheredChanges, StoreChanges } from './store-changes.ts';
export { type LastUseNotes, lastUseNotes, lastUseSchema, type UseNote, UseNotes } from './use-notes.ts';

export { type CommitEngine, commit, commitIfPossible } from './commit.ts';
export { type LastUseNotes, lastUseNotes, lastUseSchema } from './last-use-notes.ts';
export { type GatheredChanges, StoreChanges } from './store-changes.ts';
export { commitTogether } from './together.ts';
export { type UseNote, UseNotes } from './use-notes.ts';

export { BoundedMap } from './bounded-map.ts';
export type {
  Change,
  Command,
  CommitResult,
  ModelWrite,
  PackedCommand,
  Precondition,
  RecordWrite,
} from './command/command.ts';
export type { ListingDefinition, ListingOrder } from './command/listing-definition.ts';
export { packCommand } from './command/pack-command.ts';
export { TuplePacker } from './command/pack-tuples.ts';
export type { ConditionDefinition, ParameterType, ScalarParameter } from './condition/condition.ts';
export type { Context } from './condition/index.ts';
export { DEFAULT_RETENTION, Engine, type EngineOptions } from './engine.ts';
export type { CommandParts } from './engine-core.ts';
export { EngineError, type EngineErrorCode, type ErrorDetails, failure, type Outcome, unwrap } from './errors.ts';
export type { LookAhead } from './evaluate/ahead/look-ahead.ts';
export { DEFAULT_LIMITS, type Limits } from './evaluate/limits.ts';
export type { StoredModel } from './evaluate/reader.ts';
export type { Fault } from './fault.ts';
export { FencedLog, type FenceRecord } from './log/fenced-log.ts';
export { LocalLog } from './log/local-log.ts';
export type { CommandLog } from './log/log.ts';
export { PortLog } from './log/port-log.ts';
export { servePort } from './log/serve-port.ts';
export { startWriter, type WriterDependencies, type WriterThread } from './log/start-writer.ts';
export type { StreamStatus } from './log/stream/carried/stream-status.ts';
export type { StreamWay } from './log/stream/carried/stream-ways.ts';
export { beginClusterLog, openClusterSnapshots } from './log/stream/cluster-snapshots.ts';
export { clusterStatus, moveInCluster } from './log/stream/cluster-status.ts';
export { type NodeFormats, OWN_FORMATS } from './log/stream/log-format.ts';
export { monotonicMs } from './log/stream/monotonic.ts';
export type { ClusterStatus } from './log/stream/nats/ask-status.ts';
export type { AskedMove, MoveStep } from './log/stream/nats/move-store.ts';
export type { StreamSettings } from './log/stream/nats/settings.ts';
export type { OpenedSnapshots } from './log/stream/open-snapshots.ts';
export type { Snapshot, SnapshotStore } from './log/stream/snapshots/snapshot.ts';
export { SecondChanceCache } from './memory/second-chance-cache.ts';
export {
  invalidModel,
  languageOf,
  MODEL_LIMITS,
  type ModFile,
  mergeModels,
  modelFromJson,
  modelToJson,
  type ParseOptions,
  parseModel,
  parseModFile,
  type SharedRelation,
  type SharedType,
  validateModel,
  type WrittenModel,
} from './model/index.ts';
export type {
  DirectSubject,
  Model,
  ModelIssue,
  ModelSource,
  RelationDefinition,
  Rewrite,
  TypeDefinition,
} from './model/model.ts';
export type { Store } from './open-store.ts';
export type { ChangeCursor, FellBehind, Followed, Follower } from './read/follow/follower.ts';
export type { FollowedRecords, RecordTouch } from './read/follow/record-touches.ts';
export type { ChangePage, StoreChangeEntry } from './read/follow/store-changes.ts';
export type { IndexReader } from './read/index-reader.ts';
export type { ListingReader } from './read/listing-reader.ts';
export { modelKinds, type OrphanReport } from './read/model-change.ts';
export type { RecordReader } from './read/record-reader.ts';
export { everyTuple } from './read/tuples/every-tuple.ts';
export type {
  Basis,
  BulkDecision,
  CheckRequest,
  CountObjectsRequest,
  CountSubjectsRequest,
  Decision,
  ExpandNode,
  Explanation,
  ListedExplanation,
  ListObjectsRequest,
  ListPage,
  ListSubjectsRequest,
  ObjectPageRequest,
  PageRequest,
  Question,
  SubjectPageRequest,
  SubjectsPage,
  TupleFilter,
  TuplePage,
} from './requests.ts';
export { copyStore } from './store/copy.ts';
export type { CountingDefinition } from './store/counting/countings.ts';
export type { LogIdentity } from './store/folder/log-identity.ts';
export { prepareFolder } from './store/folder/prepare-folder.ts';
export type { ListingProgress } from './store/listing/listings.ts';
export type {
  ListingMember,
  ListingPage,
  ListingQuery,
  ListingStretch,
} from './store/listing/read/query.ts';
export { folded, type ListingPosition } from './store/listing/row.ts';
export { type FolderLock, lockData, lockFolder } from './store/lock/folder-lock.ts';
export { allocateShared, type SharedMemory } from './store/open-writer.ts';
export type { RecordEntry } from './store/records/read-records.ts';
export { sequenceId } from './store/records/sequence-id.ts';
export { verifyApart } from './store/verify/apart/verify-apart.ts';
export type { ChainReport } from './store/verify/chain-proof.ts';
export { proveChains } from './store/verify/prove-chains.ts';
export { type WalkedRecord, walkRecords } from './store/verify/records/walk-records.ts';
export { type VerifyReport, verifyStore } from './store/verify/verify.ts';
export type { LogRetention } from './store/write/log/commit-log.ts';
export {
  formatTuple,
  type ObjectRef,
  parseObject,
  parseSubject,
  parseTuple,
  type SubjectRef,
  type Tuple,
  type TupleCondition,
} from './tuple.ts';
export type { ModelOptions, ModelWritten, PreparedModel, WriteRequest } from './write-request.ts';

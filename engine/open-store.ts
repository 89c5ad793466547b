import type { Change, CommitResult } from './command/command.ts';
import type { EngineCore } from './engine-core.ts';
import { EngineError } from './errors.ts';
import { expand } from './evaluate/expand.ts';
import { explain } from './evaluate/explain/explain.ts';
import { Viewer } from './evaluate/kept/viewer.ts';
import { countObjects, countSubjects } from './evaluate/list/count.ts';
import { listObjects } from './evaluate/list/list-objects.ts';
import { listSubjects } from './evaluate/list/list-subjects.ts';
import { objectPage } from './evaluate/list/object-page.ts';
import { subjectPage } from './evaluate/list/subject-page.ts';
import { requireAllAllowed, requireAllowed } from './evaluate/question.ts';
import type { Reader, StoredModel, View } from './evaluate/reader.ts';
import { checkAfter } from './evaluate/suppose/check-after.ts';
import { modelToJson, parseShared } from './model/index.ts';
import type { ModelSource } from './model/model.ts';
import { basisOf } from './read/basis.ts';
import { ChainReader } from './read/chain-reader.ts';
import { type ChangeCursor, type Followed, Follower } from './read/follow/follower.ts';
import { followCollection, type RecordTouch } from './read/follow/record-touches.ts';
import { type ChangePage, followStore, readChanges, type StoreChangeEntry } from './read/follow/store-changes.ts';
import { IndexReader } from './read/index-reader.ts';
import { modelKinds, type OrphanReport, orphansOf } from './read/model-change.ts';
import { RecordReader } from './read/record-reader.ts';
import { readTuples } from './read/tuples/read-tuples.ts';
import type {
  Basis,
  BulkDecision,
  CheckRequest,
  CountObjectsRequest,
  CountSubjectsRequest,
  Decision,
  ExpandNode,
  Explanation,
  ListObjectsRequest,
  ListPage,
  ListSubjectsRequest,
  ObjectPageRequest,
  Question,
  SubjectPageRequest,
  SubjectsPage,
  TupleFilter,
  TuplePage,
} from './requests.ts';
import { findNode } from './store/catalog.ts';
import { parseObject, type Tuple } from './tuple.ts';
import type { ModelOptions, ModelWritten, PreparedModel, WriteRequest } from './write-request.ts';

const MODEL_RACES_MAX = 5;

/**
 * One store: an isolated set of tuples, records and model versions. Questions are answered at once, from a snapshot at
 * least as new as every commit acknowledged before the call. All methods throw or reject with `EngineError`.
 */
export class Store extends Viewer {
  // what a check looks at stands together
  readonly #reader: Reader;
  readonly name: string;
  readonly records: RecordReader;
  readonly #core: EngineCore;

  constructor(name: string, core: EngineCore) {
    super(core.reader.views, name);
    this.#reader = core.reader;
    this.name = name;
    this.#core = core;
    this.records = new RecordReader(core.reader, name, this, core.clock);
  }

  check(request: CheckRequest): Decision {
    return this.#reader.check(this, request);
  }

  /**
   * The answer that a check would have if these changes (of tuples, subjects and the model) were committed. Nothing is
   * written. A model among them replaces the latest. It takes some microseconds more than a check; with a model, also
   * the time to compile it, once for each `ModelWrite` object as long as the store gets no new types and relations.
   */
  checkAfter(changes: readonly Change[], request: Omit<CheckRequest, 'contextualTuples'>): Decision {
    return this.#read((view) => checkAfter(this.#reader, view, changes, request));
  }

  /** All in one snapshot, in order; one that fails does not fail the others. */
  checkMany(requests: readonly CheckRequest[], shared: Question = {}): BulkDecision[] {
    return this.#read((view) =>
      this.#reader.checker.checkMany(view, this.#reader.plan(view, shared.modelId), requests, shared),
    );
  }

  explain(request: CheckRequest): Explanation {
    return this.#read((view) => explain(this.#reader, view, this.#reader.plan(view, request.modelId), request));
  }

  expand(request: { readonly object: string; readonly relation: string } & Question): ExpandNode {
    return this.#read((view) => expand(this.#reader, view, request));
  }

  listObjects(request: ListObjectsRequest): ListPage {
    return this.#read((view) => listObjects(this.#reader, view, this.#reader.plan(view, request.modelId), request));
  }

  listSubjects(request: ListSubjectsRequest): SubjectsPage {
    return this.#read((view) => listSubjects(this.#reader, view, this.#reader.plan(view, request.modelId), request));
  }

  /**
   * How many stored tuples give an object's relation to subjects of one kind, without what usersets and parents add. A
   * wildcard is not counted, a suspended subject is, and so is a tuple whose condition may not hold. Expired ones are
   * not, where at most a thousand of the tuples have a condition or an expiry; among more they count until they are
   * swept. One lookup where the list is cached; one of over 4,096 is counted at some 50 ns a tuple.
   */
  countSubjects(request: CountSubjectsRequest): number {
    return this.#read((view) => countSubjects(this.#reader, view, request, this.#core.clock()));
  }

  /**
   * Ids of the subjects that `countSubjects` counts, from an offset among them on: in the order of their first mention in
   * the store, those with a condition or an expiry last. Passing over what comes before costs some 50 ns a subject.
   */
  subjectPage(request: SubjectPageRequest): string[] {
    return this.#read((view) => subjectPage(this.#reader, view, request, this.#core.clock()));
  }

  /** How many objects of a type name the subject itself in a relation; counted as by `countSubjects`. */
  countObjects(request: CountObjectsRequest): number {
    return this.#read((view) => countObjects(this.#reader, view, request, this.#core.clock()));
  }

  /** Ids of the objects that `countObjects` counts, from an offset among them on; as with `subjectPage`. */
  objectPage(request: ObjectPageRequest): string[] {
    return this.#read((view) => objectPage(this.#reader, view, request, this.#core.clock()));
  }

  readTuples(filter: TupleFilter = {}): TuplePage {
    return this.#read((view) => readTuples(this.#reader, view, filter));
  }

  /** Is the subject `type:id` denied everything, whatever the tuples say? See `suspend_subject`. */
  isSuspended(subject: string): boolean {
    parseObject(subject, 'subject');
    return this.#read((view) => view.suspended.has(findNode(view.tables, view.names, view.number, subject)));
  }

  /** One page of what `follow` tells, after a revision. `revision_compacted` where some commits are no longer kept. */
  changes(after: number, limit: number): ChangePage {
    return this.#read((view) => readChanges(this.#reader, view, after, limit));
  }

  /** Follows this store's commits, at most `limit` of them at a time. */
  follow(limit: number, cursor?: ChangeCursor): Follower<Followed<StoreChangeEntry>> {
    const source = (after: number) => this.#read((view) => followStore(this.#reader, view, after, limit));
    return new Follower(this.#core.followed, source, cursor);
  }

  followRecords(collection: string, cursor?: ChangeCursor): Follower<Followed<RecordTouch>> {
    const source = (after: number) => this.#read(({ head }) => followCollection(this.#reader, head, collection, after));
    return new Follower(this.#core.followed, source, cursor);
  }

  /** The indexes of one collection of records. */
  recordIndex(collection: string): IndexReader {
    return new IndexReader(this.#reader, this.name, collection);
  }

  /** What `append_chained` made of one collection of records. */
  chain(name: string): ChainReader {
    return new ChainReader(this.#reader, this.name, name);
  }

  /** The revision that a question asked now would be answered at. */
  revision(): number {
    return this.#reader.read(() => this.#reader.snapshot.revision);
  }

  /** What an answer about tuples rests on, for who keeps it. */
  basis(): Basis {
    return this.#read((view) => basisOf(this.#reader, view));
  }

  /** A revision after which no commit has touched the store in any way. To be called inside `Engine.read`. */
  writtenAt(): number {
    return this.#reader.writtenAt(Viewer.viewOf(this).number);
  }

  stats(): { readonly tuples: number } {
    return this.#reader.read(() => ({ tuples: this.#reader.freshHead(this.name).tuples }));
  }

  model(modelId?: string): StoredModel {
    return this.#read((view) => this.#reader.model(view, modelId));
  }

  latestModelId(): string | undefined {
    return this.#read((view) => view.head.models.at(-1));
  }

  /** Newest first. */
  modelIds(): string[] {
    return this.#read((view) => view.head.models.toReversed());
  }

  /**
   * Writes and deletes tuples as one commit. Writing a tuple again replaces its condition and expiry; deleting an
   * absent one is no error. Written tuples must fit the latest model.
   */
  async write(request: WriteRequest): Promise<CommitResult> {
    for (let race = 0; ; race++) {
      const modelId = this.#validate(request.writes ?? []);
      const { judgedModelId = modelId } = request;
      try {
        return await this.#core.submit(
          [
            ...(request.deletes?.length
              ? [{ op: 'delete_tuples', store: this.name, tuples: request.deletes } as const]
              : []),
            ...(request.writes?.length
              ? [{ op: 'write_tuples', store: this.name, tuples: request.writes, modelId: judgedModelId } as const]
              : []),
            ...(request.also ?? []),
          ],
          { preconditions: request.preconditions },
        );
      } catch (error) {
        const isRace = error instanceof EngineError && error.code === 'model_changed';
        if (!isRace || request.judgedModelId !== undefined || race >= MODEL_RACES_MAX) throw error;
      }
    }
  }

  /** Adds a model version and makes it the latest. Tuples that it does not allow stay, and are skipped. */
  async writeModel(
    source: ModelSource,
    options: ModelOptions = {},
  ): Promise<ModelWritten & Pick<PreparedModel, 'orphans'>> {
    const prepared = this.prepareModel(source, options);
    return { ...(await this.writePreparedModel(source, prepared)), orphans: prepared.orphans };
  }

  /**
   * The part of writing a model that parses it, and writes nothing: a hostile text can keep the parser busy, so that a
   * service runs this in a thread that it can end. The result is plain data that crosses threads.
   */
  prepareModel(source: ModelSource, options: ModelOptions = {}): PreparedModel {
    const { model, shared } = parseShared(source, options.base === undefined ? {} : { base: options.base });
    const orphans = this.#read((view) => orphansOf(this.#reader, view, model));
    return { json: modelToJson(model), kinds: modelKinds(model), orphans, shared };
  }

  async writePreparedModel(
    source: ModelSource,
    { json, kinds }: Pick<PreparedModel, 'json' | 'kinds'>,
    options: Pick<WriteRequest, 'preconditions' | 'also'> = {},
  ): Promise<ModelWritten> {
    const id = this.#core.newId();
    const { revision } = await this.#core.submit(
      [{ op: 'write_model', store: this.name, model: { id, source, json, kinds } }, ...(options.also ?? [])],
      { preconditions: options.preconditions },
    );
    return { modelId: id, revision };
  }

  /** What writing this model would do, without writing it. */
  checkModel(source: ModelSource, options: ModelOptions = {}): { readonly orphans: OrphanReport } {
    return { orphans: this.prepareModel(source, options).orphans };
  }

  /**
   * The latest model's judgement of tuples one by one, for who packs very many: `require` throws what `write` would
   * throw, and depends on types, relations and the condition's name alone. `modelId` belongs into the change.
   */
  gate(): { readonly modelId: string; require(tuple: Tuple): void } {
    const plan = this.#read((view) => this.#reader.plan(view, undefined));
    return { modelId: plan.modelId, require: (tuple) => void requireAllowed(plan, tuple) };
  }

  /** Answers the model that the tuples were checked against. */
  #validate(tuples: readonly Tuple[]): string {
    return this.#read((view) => {
      const plan = this.#reader.plan(view, undefined);
      requireAllAllowed(plan, tuples, 'writes');
      return plan.modelId;
    });
  }

  #read<T>(task: (view: View) => T): T {
    return this.#reader.read(() => task(Viewer.viewOf(this)));
  }
}

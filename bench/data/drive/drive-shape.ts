import { SEED, Random } from '../random.ts';
import { Forest } from '../tree.ts';

const FOLDER_LEVELS = 8;
const GROUP_LEVELS = 4;
export const MEMBERS_PER_GROUP = 8;
/** What one user can see in all: some 100,000 documents in the drives that an auditor looks after. */
const AUDITED_DOCUMENTS = 100_000;

/**
 * Who stands where in a drive of so many tuples, as numbers: 255 folders to a tree of eight levels with the documents
 * spread over all of them, 15 groups to a tree of four. A viewer below 0 is the group `~viewer`.
 */
export class DriveShape {
  readonly users: number;
  readonly folders: Forest;
  readonly groups: Forest;
  readonly documents: number;
  readonly groupMembers: Int32Array;
  readonly folderViewers: Int32Array;
  readonly documentFolders: Int32Array;
  readonly documentOwners: Int32Array;
  readonly documentViewers: Int32Array;
  /** The first documents have a second viewer, so that the sum is what was asked for. */
  readonly secondViewers: Int32Array;
  /** The auditor, a user of their own, views the root of the first trees of folders. */
  readonly auditedTrees: number;

  constructor(tuples: number) {
    const random = new Random(SEED ^ tuples);
    this.users = Math.max(16, Math.floor(tuples / 50));
    this.folders = new Forest(Math.floor(tuples / 20), 2 ** FOLDER_LEVELS - 1);
    this.groups = new Forest(Math.floor(tuples / 100), 2 ** GROUP_LEVELS - 1);
    this.documents = Math.floor(tuples / 4);
    const perTree = this.documents / this.folders.trees;
    this.auditedTrees = Math.min(Math.ceil(AUDITED_DOCUMENTS / perTree), this.folders.trees >> 1);

    const user = (): number => random.below(this.users);
    const viewer = (): number => (random.coin() ? user() : ~random.below(this.groups.nodes));
    this.groupMembers = Int32Array.from({ length: this.groups.nodes * MEMBERS_PER_GROUP }, user);
    this.folderViewers = Int32Array.from({ length: this.folders.nodes }, viewer);
    this.documentFolders = Int32Array.from({ length: this.documents }, () => random.below(this.folders.nodes));
    this.documentOwners = Int32Array.from({ length: this.documents }, user);
    this.documentViewers = Int32Array.from({ length: this.documents }, viewer);
    const tuplesSoFar =
      this.groupMembers.length +
      (this.groups.nodes - this.groups.trees) +
      (this.folders.nodes - this.folders.trees) +
      this.folders.nodes +
      this.documents * 3 +
      this.auditedTrees;
    this.secondViewers = Int32Array.from({ length: Math.max(0, tuples - tuplesSoFar) }, user);
  }

  /** The number behind `user:`. */
  get auditor(): number {
    return this.users;
  }
}

import { Memberships } from '../memberships.ts';
import { type DriveShape, MEMBERS_PER_GROUP } from './drive-shape.ts';

/** Who can view what in a drive, worked out from its shape and without the engine. */
export class DriveAccess {
  readonly #shape: DriveShape;
  readonly #memberships: Memberships;

  constructor(shape: DriveShape) {
    this.#shape = shape;
    this.#memberships = new Memberships(shape.groups, shape.groupMembers, MEMBERS_PER_GROUP, shape.users + 1);
  }

  canView(document: number, user: number): boolean {
    const { folders, folderViewers, documentFolders, documentOwners, documentViewers, secondViewers } = this.#shape;
    this.#memberships.mark(user);
    if (documentOwners[document] === user || secondViewers[document] === user) return true;
    if (this.#isViewer(documentViewers[document] as number, user)) return true;
    for (let folder = documentFolders[document] as number; folder >= 0; folder = folders.parent(folder)) {
      if (this.#isViewer(folderViewers[folder] as number, user)) return true;
    }
    return user === this.#shape.auditor && this.#isAudited(document);
  }

  /** Every document that a user can view: a pass over the folders, each after the one above it, and one over the rest. */
  viewable(user: number): number[] {
    const { folders, folderViewers, documentFolders, documentOwners, documentViewers, secondViewers } = this.#shape;
    this.#memberships.mark(user);
    const isAuditor = user === this.#shape.auditor;
    const inView = new Uint8Array(folders.nodes);
    for (let folder = 0; folder < folders.nodes; folder++) {
      const above = folders.parent(folder);
      const isSeen =
        this.#isViewer(folderViewers[folder] as number, user) ||
        (above >= 0 ? inView[above] === 1 : isAuditor && folders.tree(folder) < this.#shape.auditedTrees);
      inView[folder] = isSeen ? 1 : 0;
    }
    const found: number[] = [];
    for (let document = 0; document < this.#shape.documents; document++) {
      if (
        inView[documentFolders[document] as number] === 1 ||
        documentOwners[document] === user ||
        secondViewers[document] === user ||
        this.#isViewer(documentViewers[document] as number, user)
      ) {
        found.push(document);
      }
    }
    return found;
  }

  #isViewer(viewer: number, user: number): boolean {
    return viewer === user || (viewer < 0 && this.#memberships.has(~viewer));
  }

  #isAudited(document: number): boolean {
    const { folders, documentFolders, auditedTrees } = this.#shape;
    return folders.tree(documentFolders[document] as number) < auditedTrees;
  }
}

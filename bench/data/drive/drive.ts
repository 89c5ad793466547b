import type { Tuple } from '#engine';
import type { AddTuple, DataSet, Questions } from '../data-set.ts';
import { collectQuestions } from '../questions.ts';
import { Random, SEED } from '../random.ts';
import { DriveAccess } from './drive-access.ts';
import { directDraws, nestedDraws } from './drive-draws.ts';
import { DRIVE_DSL, DRIVE_SPICEDB_SCHEMA } from './drive-models.ts';
import { pageQuestions } from './drive-pages.ts';
import { DriveShape, MEMBERS_PER_GROUP } from './drive-shape.ts';

/** Documents in folders eight deep, shared with users and with groups four deep. */
export class Drive implements DataSet {
  readonly name: string;
  readonly version = 1;
  readonly dsl = DRIVE_DSL;
  readonly spicedbSchema = DRIVE_SPICEDB_SCHEMA;
  readonly shape: DriveShape;
  #access: DriveAccess | undefined;

  constructor(tuples: number) {
    this.name = `drive-${tuples}`;
    this.shape = new DriveShape(tuples);
  }

  get access(): DriveAccess {
    this.#access ??= new DriveAccess(this.shape);
    return this.#access;
  }

  /** Can a user view a document, through its folders and groups? */
  nested(count: number): Questions {
    const random = new Random(SEED + 1);
    return collectQuestions(random, count, nestedDraws(this.shape, this.access, random));
  }

  /** Is this very tuple there? Owners of documents, and what lies in which folder. */
  direct(count: number): Questions {
    const random = new Random(SEED + 2);
    return collectQuestions(random, count, directDraws(this.shape, random));
  }

  /** Can one user view these? Page after page. */
  pages(pages: number, perPage: number): Questions {
    return pageQuestions(this.shape, this.access, new Random(SEED + 3), { pages, perPage });
  }

  *tuples(add: AddTuple): Iterable<void> {
    yield* this.#groups(add);
    yield* this.#folders(add);
    const { documents, documentFolders, documentOwners, documentViewers, secondViewers } = this.shape;
    for (let document = 0; document < documents; document++) {
      const object = `document:d${document}`;
      add(object, 'parent', `folder:f${documentFolders[document]}`);
      add(object, 'owner', `user:u${documentOwners[document]}`);
      add(object, 'viewer', viewerName(documentViewers[document] as number));
      if (document < secondViewers.length) add(object, 'viewer', `user:u${secondViewers[document]}`);
      yield;
    }
  }

  noise(number: number): Tuple {
    const subject = `user:passer-by-${number % 97}`;
    if (number % 2 === 0) return { object: `document:d${number % this.shape.documents}`, relation: 'viewer', subject };
    return { object: `folder:f${number % this.shape.folders.nodes}`, relation: 'viewer', subject };
  }

  *#groups(add: AddTuple): Iterable<void> {
    const { groups, groupMembers } = this.shape;
    for (let group = 0; group < groups.nodes; group++) {
      const above = groups.parent(group);
      if (above >= 0) add(`group:g${above}`, 'member', `group:g${group}#member`);
      for (let place = 0; place < MEMBERS_PER_GROUP; place++) {
        add(`group:g${group}`, 'member', `user:u${groupMembers[group * MEMBERS_PER_GROUP + place]}`);
      }
      yield;
    }
  }

  *#folders(add: AddTuple): Iterable<void> {
    const { folders, folderViewers, auditedTrees, auditor } = this.shape;
    for (let folder = 0; folder < folders.nodes; folder++) {
      const object = `folder:f${folder}`;
      const above = folders.parent(folder);
      if (above >= 0) add(object, 'parent', `folder:f${above}`);
      add(object, 'viewer', viewerName(folderViewers[folder] as number));
      if (above < 0 && folders.tree(folder) < auditedTrees) add(object, 'viewer', `user:u${auditor}`);
      yield;
    }
  }
}

function viewerName(viewer: number): string {
  return viewer < 0 ? `group:g${~viewer}#member` : `user:u${viewer}`;
}

import type { Draw, Draws } from '../questions.ts';
import type { Random } from '../random.ts';
import type { DriveAccess } from './drive-access.ts';
import { type DriveShape, MEMBERS_PER_GROUP } from './drive-shape.ts';

/**
 * Allowed questions are made by walking: from a document up to itself or a folder above it, to who may see that, and
 * where that is a group, down to a member of it or of a group in it. Denied ones are drawn at random.
 */
export function nestedDraws(shape: DriveShape, access: DriveAccess, random: Random): Draws {
  const draw = (document: number, user: number): Draw => ({
    key: document * (shape.users + 1) + user,
    object: `document:d${document}`,
    relation: 'can_view',
    subject: `user:u${user}`,
  });
  return {
    allowed() {
      const document = random.below(shape.documents);
      const user = someoneBelow(shape, viewerAbove(shape, document, random), random);
      if (!access.canView(document, user)) throw new Error(`the walk from document ${document} is wrong`);
      return draw(document, user);
    },
    denied() {
      const document = random.below(shape.documents);
      const user = random.below(shape.users);
      return access.canView(document, user) ? undefined : draw(document, user);
    },
  };
}

/** The owner or viewer of a document, or the viewer of one of the folders around it, each level as likely. */
function viewerAbove(shape: DriveShape, document: number, random: Random): number {
  const { folders, documentFolders, documentOwners, documentViewers, folderViewers } = shape;
  let levels = 1;
  for (let folder = documentFolders[document] as number; folder >= 0; folder = folders.parent(folder)) levels++;
  let level = random.below(levels);
  if (level === 0) return (random.coin() ? documentOwners : documentViewers)[document] as number;
  let folder = documentFolders[document] as number;
  for (; level > 1; level--) folder = folders.parent(folder);
  return folderViewers[folder] as number;
}

/** A user, or for a group somebody in it or in a group below it. */
export function someoneBelow(shape: DriveShape, viewer: number, random: Random): number {
  if (viewer >= 0) return viewer;
  let group = ~viewer;
  for (let child = group; child >= 0; child = random.coin() ? shape.groups.child(group, random.below(2)) : -1) {
    group = child;
  }
  return shape.groupMembers[group * MEMBERS_PER_GROUP + random.below(MEMBERS_PER_GROUP)] as number;
}

/** Who owns a document and what lies in a folder: owners alone are too few for so many questions. */
export function directDraws(shape: DriveShape, random: Random): Draws {
  const { documents, documentOwners, documentFolders, users, folders } = shape;
  const ownerKeys = documents * users;
  const parentKeys = documents * folders.nodes;
  const isOwner = (document: number, user: number): Draw => ({
    key: document * users + user,
    object: `document:d${document}`,
    relation: 'owner',
    subject: `user:u${user}`,
  });
  const isIn = (document: number, folder: number): Draw => ({
    key: ownerKeys + document * folders.nodes + folder,
    object: `document:d${document}`,
    relation: 'parent',
    subject: `folder:f${folder}`,
  });
  const isBelow = (folder: number, above: number): Draw => ({
    key: ownerKeys + parentKeys + folder * folders.nodes + above,
    object: `folder:f${folder}`,
    relation: 'parent',
    subject: `folder:f${above}`,
  });
  // Each tuple of the three relations as likely as any other, or the smaller relations would run out.
  const pick = (draw: (place: number, relation: 0 | 1 | 2) => Draw | undefined): Draw | undefined => {
    const place = random.below(2 * documents + folders.nodes);
    if (place < documents) return draw(place, 0);
    return place < 2 * documents ? draw(place - documents, 1) : draw(place - 2 * documents, 2);
  };
  return {
    allowed: () =>
      pick((place, relation) => {
        if (relation === 0) return isOwner(place, documentOwners[place] as number);
        if (relation === 1) return isIn(place, documentFolders[place] as number);
        return folders.parent(place) < 0 ? undefined : isBelow(place, folders.parent(place));
      }),
    denied: () =>
      pick((place, relation) => {
        const user = random.below(users);
        const folder = random.below(folders.nodes);
        if (relation === 0) return documentOwners[place] === user ? undefined : isOwner(place, user);
        if (relation === 1) return documentFolders[place] === folder ? undefined : isIn(place, folder);
        return folders.parent(place) === folder ? undefined : isBelow(place, folder);
      }),
  };
}

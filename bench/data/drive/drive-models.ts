export const DRIVE_DSL = `model
  schema 1.1

type user

type group
  relations
    define member: [user, group#member]

type folder
  relations
    define parent: [folder]
    define viewer: [user, group#member]
    define can_view: viewer or can_view from parent

type document
  relations
    define parent: [folder]
    define owner: [user]
    define viewer: [user, group#member]
    define can_view: viewer or owner or can_view from parent
`;

export const DRIVE_SPICEDB_SCHEMA = `definition user {}

definition group {
  relation member: user | group#member
}

definition folder {
  relation parent: folder
  relation viewer: user | group#member
  permission can_view = viewer + parent->can_view
}

definition document {
  relation parent: folder
  relation owner: user
  relation viewer: user | group#member
  permission can_view = viewer + owner + parent->can_view
}
`;

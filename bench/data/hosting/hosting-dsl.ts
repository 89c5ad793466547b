/** An organization has members, teams and repositories; those whom it blocks can read and never push. */
export const HOSTING_DSL = `model
  schema 1.1

type user

type team
  relations
    define member: [user, team#member]

type organization
  relations
    define owner: [user]
    define member: [user] or owner
    define blocked: [user]
    define repo_admin: [user, team#member]

type repository
  relations
    define owner: [organization]
    define admin: [user, team#member] or repo_admin from owner
    define maintainer: [user] or admin
    define writer: [user, team#member] or maintainer
    define reader: [user, team#member] or writer
    define can_push: writer but not blocked from owner
`;

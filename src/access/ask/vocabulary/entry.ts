/** Something of an organization that a question can be about. */
export interface VocabularyEntry {
  readonly kind: 'permission' | 'relation' | 'role' | 'group';
  /** The permission's slug, `type#relation`, the slug of the role or the group. */
  readonly key: string;
  /** The type of the objects that it is about: `repo` of `repo:push` and of `repo#owner`. */
  readonly type: string;
  /** What is done: `push` of `repo:push`, `restart` of `can_restart`, `owner`. */
  readonly action: string;
  readonly name: string;
  readonly description: string;
  readonly isSystem: boolean;
}

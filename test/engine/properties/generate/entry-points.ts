import type { DirectSubject, RelationDefinition, Rewrite, TypeDefinition } from '../../../../engine/model/model.ts';

const FALLBACK: readonly DirectSubject[] = [{ type: 'user' }];

/**
 * The types with each relation that no tuple could ever make true turned into `[user]`, because a model with such a
 * relation is invalid.
 */
export function withEntryPoints(types: readonly TypeDefinition[]): TypeDefinition[] {
  const found = new Set<string>();
  const key = (type: string, relation: string) => `${type}#${relation}`;

  const reaches = (type: TypeDefinition, relation: RelationDefinition, rewrite: Rewrite): boolean => {
    switch (rewrite.kind) {
      case 'direct':
        return relation.directSubjects.some((subject) =>
          subject.relation === undefined ? true : found.has(key(subject.type, subject.relation)),
        );
      case 'computed':
        return found.has(key(type.name, rewrite.relation));
      case 'from': {
        const parents = type.relations.get(rewrite.tupleset)?.directSubjects ?? [];
        return parents.some((parent) => found.has(key(parent.type, rewrite.relation)));
      }
      case 'union':
        return rewrite.children.some((child) => reaches(type, relation, child));
      case 'intersection':
        return rewrite.children.every((child) => reaches(type, relation, child));
      case 'exclusion':
        return reaches(type, relation, rewrite.base) && reaches(type, relation, rewrite.subtract);
    }
  };

  for (let before = -1; before !== found.size; ) {
    before = found.size;
    for (const type of types) {
      for (const relation of type.relations.values()) {
        if (reaches(type, relation, relation.rewrite)) found.add(key(type.name, relation.name));
      }
    }
  }
  const repair = (type: string, relation: RelationDefinition): RelationDefinition =>
    found.has(key(type, relation.name))
      ? relation
      : { name: relation.name, rewrite: { kind: 'direct' }, directSubjects: FALLBACK };
  return types.map(({ name, relations }) => ({
    name,
    relations: new Map([...relations.values()].map((relation) => [relation.name, repair(name, relation)])),
  }));
}

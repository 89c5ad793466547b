import type { Model } from '../../../engine/model/model.ts';

/** Every kind of subject that a model knows, as OpenFGA filters them: `user`, `group#member`. */
export function subjectFilters(model: Model): string[] {
  return [...model.types.values()].flatMap((type) => [
    type.name,
    ...[...type.relations.keys()].map((relation) => `${type.name}#${relation}`),
  ]);
}

import { EngineError } from '../errors.ts';

export function unknownType(type: string, path: string): EngineError {
  return new EngineError('unknown_type', `the model has no type ${type.slice(0, 80)}`, {
    path,
    type: type.slice(0, 80),
  });
}

export function unknownRelation(type: string, relation: string, path: string): EngineError {
  return new EngineError('unknown_relation', `the model has no ${type}#${relation.slice(0, 80)}`, {
    path,
    type,
    relation: relation.slice(0, 80),
  });
}

export { validateModel } from './check/validate.ts';
export { type ModFile, parseModFile } from './dsl/mod-file.ts';
export { invalidModel } from './issues.ts';
export { modelFromJson, modelToJson } from './json.ts';
export { MODEL_LIMITS } from './limits.ts';
export { mergeModels, type SharedRelation, type SharedType } from './merge.ts';
export { languageOf, type WrittenModel } from './openfga/language-of.ts';
export { type ParseOptions, parseModel, parseShared } from './parse.ts';
export { subjectText } from './subject-text.ts';

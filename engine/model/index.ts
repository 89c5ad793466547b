export { validateModel } from './check/validate.ts';
export { type ModFile, parseModFile } from './dsl/mod-file.ts';
export { modelFromJson, modelToJson } from './json.ts';
export { MODEL_LIMITS } from './limits.ts';
export { mergeModels } from './merge.ts';
export { type ParseOptions, parseModel } from './parse.ts';
export { subjectText } from './subject-text.ts';

export { checkStoredContext, compileCondition, compileMeasured } from './compile.ts';
export type { CompiledCondition, Context } from './condition.ts';
export type { ConditionLimits } from './limits.ts';

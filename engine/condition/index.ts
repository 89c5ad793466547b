export { checkStoredContext, compileCondition, compileMeasured } from './compile.ts';
export type { CompiledCondition, ConditionResult, Context } from './condition.ts';
export { CONDITION_LIMITS, type ConditionLimits } from './limits.ts';

export { buildProgram, type Program, type ProgramParts } from './program.ts';
export type { Terminal } from './terminal.ts';

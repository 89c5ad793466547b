export { importRecords } from './import/checkpoint.ts';
export { buildProgram } from './program.ts';

/** Parses the system model once, at the end of a build, so that no start has to. To be run when dist/ is compiled. */
import { writeFileSync } from 'node:fs';

const { modules, typesOf } = await import('../dist/src/server/modules.js');
const { builtModelFile, parseSystemModel, systemModelText } = await import('../dist/src/kernel/rights/index.js');
const { source, prepared } = parseSystemModel(systemModelText(typesOf(modules)));
writeFileSync(builtModelFile(), JSON.stringify({ ...source, ...prepared }));

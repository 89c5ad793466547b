/** Parses the models of this release once, at the end of a build, so that no start has to. To be run when dist/ is compiled. */
import { writeFileSync } from 'node:fs';

const { modules, typesOf } = await import('../dist/src/server/modules.js');
const { demoModelText } = await import('../dist/src/server/demo/index.js');
const { builtModel, builtModelFile, parseText, systemModelText } = await import('../dist/src/kernel/rights/index.js');
const system = { dsl: systemModelText(typesOf(modules)) };
const write = (name, text) => writeFileSync(builtModelFile(name), JSON.stringify(builtModel(text)));
write('system-model', system);
write('demo-model', demoModelText(parseText(system)));

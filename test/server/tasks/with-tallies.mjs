/** Runs the built command as it is before it is bundled, because a module is added to it: see `tallies-module.mjs`. */
process.argv.splice(1, 2);
await import('../../../dist/src/main.js');

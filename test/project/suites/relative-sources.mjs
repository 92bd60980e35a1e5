import * as module from 'node:module';

const checkout = import.meta.resolve('../../../');

/** A TypeScript file named by its relative path, without a query. */
const relative = /^\.\.?\/.*\.ts$/;

// For each import Node looks for links, and for package.json in the folders above: half of the time that loading takes.
// Sources here name files as they are. Plain JavaScript, as compile-cache.mjs; Node 20, which runs npm, has no such hooks.
module.registerHooks?.({
  resolve: (specifier, context, next) =>
    relative.test(specifier) && context.parentURL?.startsWith(checkout)
      ? { url: new URL(specifier, context.parentURL).href, format: 'module-typescript', shortCircuit: true }
      : next(specifier, context),
});

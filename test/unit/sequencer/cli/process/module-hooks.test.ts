import module from 'node:module';
import test from 'ava';
import { hasModuleHooks, registerModuleHooks } from '../../../../../sequencer/cli/process/module-hooks.ts';

test('hooks see which modules are imported, until they are removed', async (t) => {
  const seen: string[] = [];
  const hooks = registerModuleHooks({
    resolve(specifier, context, next) {
      seen.push(specifier);
      return next(specifier, context);
    },
  });
  t.true(hasModuleHooks());
  await import(['node', 'path'].join(':'));
  hooks.deregister();
  t.true(seen.includes('node:path'));
});

test('a runtime without them, as Bun is, is told which one to use', (t) => {
  const { registerHooks } = module;
  module.registerHooks = undefined as never;
  try {
    t.false(hasModuleHooks());
    t.throws(() => registerModuleHooks({}), { code: 'E#2005', message: /has no module.registerHooks$/ });
  } finally {
    module.registerHooks = registerHooks;
  }
});

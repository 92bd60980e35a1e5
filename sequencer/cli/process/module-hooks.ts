/** Hooks into the resolution of modules, where the runtime has them. */

import module, { type RegisterHooksOptions } from 'node:module';
import { UserError } from '../../../sdk/index.ts';

/** Reports whether this runtime supports module resolution hooks: Node and Deno do, Bun does not. */
export const hasModuleHooks = (): boolean => module.registerHooks !== undefined;

/** Registers hooks into the resolution of modules. @throws UserError E#2005 in a runtime without them */
export function registerModuleHooks(hooks: RegisterHooksOptions): { deregister(): void } {
  if (module.registerHooks === undefined)
    throw new UserError(
      'E#2005',
      'this runtime cannot tell which files a config imports: it has no module.registerHooks',
      {
        hint: 'run this command by Node, 22.20 or later',
      },
    );
  return module.registerHooks(hooks);
}

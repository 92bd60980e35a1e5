/** Loads optional peer dependencies. */

import { DefiniteError } from '../sdk/index.ts';

/**
 * Loads the library of a vendor, an optional peer dependency of this package.
 * @throws DefiniteError naming the package to install and the entry point that needs it, when it is not installed
 */
export async function vendorLibrary<Module>(
  name: string,
  entryPoint: string,
  load: () => Promise<Module>,
): Promise<Module> {
  try {
    return await load();
  } catch (cause) {
    const isMissing = (cause as NodeJS.ErrnoException).code === 'ERR_MODULE_NOT_FOUND';
    if (!isMissing || !String(cause).includes(`'${name}'`)) throw cause;
    throw new DefiniteError(`workspace-sequencer/${entryPoint} needs the package ${name}: npm install ${name}`, {
      cause,
    });
  }
}

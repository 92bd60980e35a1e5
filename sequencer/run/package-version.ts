/** Version of this package, recorded as the release in the CRDs that it installs. */

import { createRequire } from 'node:module';

/** Returns the version of this package: an older replica does not downgrade the CRD of a newer one. */
export function packageVersion(): string {
  const { version } = createRequire(import.meta.url)('workspace-sequencer/package.json') as {
    readonly version: string;
  };
  return version;
}

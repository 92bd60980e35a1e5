/** Throws E#2005 on import under a Node.js version that is too old. The error has no stack, so that it is printed as one line. */

import { minimumNode, unsupportedNode } from './node-version.ts';

const refusal = unsupportedNode(minimumNode, process);
if (refusal !== undefined) {
  const error = Object.assign(new Error(`workspace-sequencer: ${refusal}`), { code: 'E#2005' });
  error.stack = `${error.code}: ${error.message}`;
  throw error;
}

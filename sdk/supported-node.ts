/** Throws where this package is imported by a Node that is too old for it: one line, before anything is missed. The message has no stack. */

import { minimumNode, unsupportedNode } from './node-version.ts';

const refusal = unsupportedNode(minimumNode, process);
if (refusal !== undefined) {
  const error = Object.assign(new Error(`workspace-sequencer: ${refusal}`), { code: 'E#2005' });
  error.stack = `${error.code}: ${error.message}`;
  throw error;
}

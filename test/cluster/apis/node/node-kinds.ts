/** Rules of the kinds of `node.k8s.io`. */

import { fieldsOf } from '../../apimachinery/validation/errors.ts';
import type { BuiltinKind, Warn } from '../builtin-kind.ts';
import { deprecationOf } from '../core/deprecated-node-labels.ts';
import { runtimeClass } from './runtime-validation.ts';

const warn: Warn = function* ({ scheduling }) {
  for (const key of Object.keys(fieldsOf(fieldsOf(scheduling).nodeSelector))) {
    const old = deprecationOf(key);
    if (old !== undefined) yield `scheduling.nodeSelector: ${old}`;
  }
};

/** Rules of the kinds of `node.k8s.io`, by type. */
export const nodeKinds: Readonly<Record<string, BuiltinKind>> = {
  'node.RuntimeClass': { check: runtimeClass, warn },
};

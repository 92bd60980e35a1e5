/** Rules of the kinds of `node.k8s.io`. */

import { fieldsOf } from '../../apimachinery/validation/checks.ts';
import type { BuiltinKind, Warn } from '../builtin-kind.ts';
import { oldLabels } from '../core/old-labels.ts';
import { runtimeClass } from './runtime-checks.ts';

const warn: Warn = function* ({ scheduling }) {
  for (const key of Object.keys(fieldsOf(fieldsOf(scheduling).nodeSelector))) {
    if (key in oldLabels) yield `scheduling.nodeSelector: ${oldLabels[key]}`;
  }
};

/** Rules of the kinds of `node.k8s.io`, by type. */
export const nodeKinds: Readonly<Record<string, BuiltinKind>> = {
  'node.RuntimeClass': { check: runtimeClass, warn },
};

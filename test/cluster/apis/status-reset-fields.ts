/** Fields that status writes of several kinds cannot change or own. */

import { setOfPaths } from '../managed-fields/field-set.ts';
import type { Strategy } from '../server/strategy.ts';

/** Spec and metadata, in writes to `/status`. */
export const specAndMetadata: Strategy['resetFields'] = { status: setOfPaths([['f:spec'], ['f:metadata']]) };

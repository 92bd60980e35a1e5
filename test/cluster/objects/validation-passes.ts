/** Number of times that metadata is validated. */

import type { ValidationPasses } from '../apimachinery/validation-passes.ts';
import { strategyOf } from '../apis/builtin-table.ts';
import type { Resource } from '../resources/registry.ts';

const usual: ValidationPasses = { times: 4, inStatus: 3, bareFinalizers: false };
const custom: ValidationPasses = { times: 3, inStatus: 3, bareFinalizers: true };

/** Returns the metadata checks of a kind; the server reports each error as often as it validates. */
export const validationPassesOf = ({ info }: Resource): ValidationPasses =>
  info.custom === undefined ? { ...usual, ...strategyOf(`${info.group}/${info.plural}`).validationPasses } : custom;

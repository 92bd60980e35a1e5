/** All CEL functions by name and overload. */

import { conversions } from '../values/conversions.ts';
import { authorizationFunctions } from './authorization-functions.ts';
import { formatFunctions } from './format-functions.ts';
import { listFunctions, sumBy } from './list-functions.ts';
import { netFunctions } from './net-functions.ts';
import { type Implementation, operators } from './operators.ts';
import { amountFunctions } from './quantity-functions.ts';
import { textFunctions } from './string-functions.ts';
import { urlFunctions } from './url-functions.ts';

const all: Readonly<Record<string, Implementation>> = {
  ...operators,
  ...conversions,
  ...textFunctions,
  ...listFunctions,
  ...urlFunctions,
  ...amountFunctions,
  ...netFunctions,
  ...formatFunctions,
  ...authorizationFunctions,
};

/** Returns the implementation of a declared function. */
export const implementationOf = (name: string, overload: string | undefined): Implementation =>
  name === 'sum' ? sumBy(overload) : all[name]!;

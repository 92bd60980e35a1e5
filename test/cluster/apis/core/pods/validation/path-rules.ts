/** Validation rules of file paths. */

import { all, type Rule } from '../../../../apimachinery/validation/combinators.ts';
import { invalid } from '../../../../apimachinery/validation/errors.ts';

/** Rule of paths without `..`. */
export const noStepsBack: Rule = function* (value, path) {
  if (String(value ?? '').includes('..') && String(value).split('/').includes('..')) {
    yield invalid(path, value, "must not contain '..'");
  }
};

const relative: Rule = function* (value, path) {
  if (String(value ?? '').startsWith('/')) yield invalid(path, value, 'must be a relative path');
};

/** Rule of relative paths without `..`. */
export const descendingPath: Rule = all(relative, noStepsBack);

/** Rule of file paths in volumes; names that start with two dots are reserved for the kubelet. */
export const filePath: Rule = all(descendingPath, function* (value, path) {
  const text = String(value ?? '');
  if (text.startsWith('..') && !text.startsWith('../')) {
    yield invalid(path, text, "must not start with '..'");
  }
});

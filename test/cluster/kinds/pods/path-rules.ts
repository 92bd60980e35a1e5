import { invalid } from '../checks.ts';
import { all, type Rule } from '../rules.ts';

/** A path that goes nowhere up. */
export const noStepsBack: Rule = function* (value, path) {
  if (String(value ?? '').includes('..') && String(value).split('/').includes('..')) {
    yield invalid(path, value, "must not contain '..'");
  }
};

const relative: Rule = function* (value, path) {
  if (String(value ?? '').startsWith('/')) yield invalid(path, value, 'must be a relative path');
};

/** A path below where it starts. */
export const descendingPath: Rule = all(relative, noStepsBack);

/** A path of a file that is put into a volume: names that start with two dots belong to the kubelet. */
export const filePath: Rule = all(descendingPath, function* (value, path) {
  const text = String(value ?? '');
  if (text.startsWith('..') && !text.startsWith('../') && text !== '..') {
    yield invalid(path, text, "must not start with '..'");
  }
});

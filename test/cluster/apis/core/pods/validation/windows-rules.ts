/** Validation of the options of Windows containers. */

import type { FieldError } from '../../../../apimachinery/field-error.ts';
import { isSubdomain } from '../../../../apimachinery/name-validation.ts';
import { members, named, type Rule } from '../../../../apimachinery/validation/combinators.ts';
import { invalid } from '../../../../apimachinery/validation/errors.ts';

const netBios = /^[^\\/:*?"<>|.][^\\/:*?"<>|]{0,14}$/;
const domain = /^[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)*$/;

type Problem = readonly [isSo: (name: string) => boolean, detail: string];

/** Problems of a domain, with their messages. */
const domainProblems: readonly Problem[] = [
  [(name) => name.length >= 256, "runAsUserName's Domain length must be under 256 characters"],
  [
    (name) => !netBios.test(name) && !domain.test(name),
    "runAsUserName's Domain doesn't match the NetBios nor the DNS format",
  ],
];

/** Problems of a user name, with their messages. */
const userProblems: readonly Problem[] = [
  [(user) => user === '', "runAsUserName's User cannot be empty"],
  [(user) => user.length > 104, "runAsUserName's User length must not be longer than 104 characters"],
  [(user) => /^[. ]+$/.test(user), "runAsUserName's User cannot contain only periods or spaces"],
  [
    (user) => /["/\\:;|=,+*?<>@[\]]/.test(user),
    'runAsUserName\'s User cannot contain the following characters: "/\\:;|=,+*?<>@[]',
  ],
];

/** Rule of the user of a Windows container, with an optional domain. */
const runAsUserName: Rule = function* (value, path): Generator<FieldError> {
  const text = String(value);
  const parts = text.split('\\');
  const [user = '', owner] = parts.toReversed();
  if (text === '') yield invalid(path, text, 'runAsUserName cannot be an empty string');
  else if (/\p{Cc}/u.test(text)) yield invalid(path, text, 'runAsUserName cannot contain control characters');
  else if (parts.length > 2) yield invalid(path, text, 'runAsUserName cannot contain more than one backslash');
  else {
    const ofOwner = owner === undefined ? [] : domainProblems.filter(([isSo]) => isSo(owner));
    const ofUser = userProblems.filter(([isSo]) => isSo(user));
    for (const [, detail] of [...ofOwner, ...ofUser]) yield invalid(path, text, detail);
  }
};

const gmsaCredentialSpec: Rule = function* (value, path) {
  const { length } = String(value);
  if (length === 0) yield invalid(path, value, 'gmsaCredentialSpec cannot be an empty string');
  else if (length > 64 * 1024) yield invalid(path, value, 'gmsaCredentialSpec size must be under 64 KiB');
};

/** Rule of the options of Windows containers. */
export const windowsOptions = members({
  gmsaCredentialSpecName: named(isSubdomain),
  gmsaCredentialSpec,
  runAsUserName,
});

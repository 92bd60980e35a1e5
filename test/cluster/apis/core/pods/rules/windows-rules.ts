import type { FieldError } from '../../../../apimachinery/field-error.ts';
import { isSubdomain } from '../../../../apimachinery/names.ts';
import { invalid } from '../../../../apimachinery/validation/checks.ts';
import { members, named, type Rule } from '../../../../apimachinery/validation/rules.ts';

const netBios = /^[^\\/:*?"<>|.][^\\/:*?"<>|]{0,14}$/;
const domain = /^[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)*$/;

/** Problems of a user name, with their messages. */
const userProblems: readonly (readonly [(user: string) => boolean, string])[] = [
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
  const [user, owner] = parts.toReversed();
  if (text === '') yield invalid(path, text, 'runAsUserName cannot be an empty string');
  else if (/\p{Cc}/u.test(text)) yield invalid(path, text, 'runAsUserName cannot contain control characters');
  else if (parts.length > 2) yield invalid(path, text, 'runAsUserName cannot contain more than one backslash');
  else {
    if ((owner ?? '').length >= 256) {
      yield invalid(path, text, "runAsUserName's Domain length must be under 256 characters");
    }
    if (owner !== undefined && !netBios.test(owner) && !domain.test(owner)) {
      yield invalid(path, text, "runAsUserName's Domain doesn't match the NetBios nor the DNS format");
    }
    for (const [isSo, detail] of userProblems) if (isSo(user!)) yield invalid(path, text, detail);
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

/** Reads and checks the options of lists and watches. */

import type { FieldError } from '../apimachinery/field-error.ts';
import { notSupported } from '../apimachinery/field-error.ts';
import { badRequest, invalidOptions, unexpected } from '../apimachinery/status.ts';
import { flagOf, integerOf } from './parameters.ts';

/** Options of a list. */
export interface ListOptions {
  /** Largest number of objects in a page; 0 is no limit. */
  readonly limit: number;
  readonly continue: string;
  /** True when a valid `continue` token comes with a resourceVersion, which is forbidden. */
  readonly isRefused: boolean;
  readonly resourceVersion: string;
  /** True for the state at exactly `resourceVersion`. */
  readonly exact: boolean;
}

/** Options of a watch. */
export interface WatchOptions {
  readonly resourceVersion: string;
  /** Time-out in seconds; undefined leaves it to the server. */
  readonly timeoutSeconds: number | undefined;
  readonly bookmarks: boolean;
  readonly sendInitialEvents: boolean | undefined;
}

/** Digits that a 64-bit number can always hold. */
const surelyFits = 19;
const isNumber = (text: string): boolean => /^\d*$/.test(text);

const parseUint = (text: string): string =>
  `strconv.ParseUint: parsing ${JSON.stringify(text)}: ${isNumber(text) ? 'value out of range' : 'invalid syntax'}`;

/** Reports whether a text is empty or a resourceVersion. */
export const isVersion = (text: string): boolean =>
  isNumber(text) && (text.length <= surelyFits || BigInt(text) < 2n ** 64n);

/** Returns the error message for an invalid resourceVersion. */
export const invalidVersion = (text: string): string =>
  `resourceVersion: Invalid value: ${JSON.stringify(text)}: ${parseUint(text)}`;

const forbiddenField = (field: string, detail: string): FieldError => ({ type: 'Forbidden', field, detail });

function matchErrors(match: string, version: string, token: string): FieldError[] {
  if (match === '') return [];
  const field = 'resourceVersionMatch';
  const errors: FieldError[] = [];
  if (version === '') errors.push(forbiddenField(field, `${field} is forbidden unless resourceVersion is provided`));
  if (token !== '') errors.push(forbiddenField(field, `${field} is forbidden when continue is provided`));
  if (match !== 'Exact' && match !== 'NotOlderThan') {
    errors.push(notSupported(field, match, ['Exact', 'NotOlderThan', '']));
  } else if (match === 'Exact' && version === '0') {
    errors.push(forbiddenField(field, `${field} "exact" is forbidden for resourceVersion "0"`));
  }
  return errors;
}

const textIn = (query: URLSearchParams, name: string): string => query.get(name) ?? '';

/** Reads the options of a list. Throws the server's 400 and 422. */
export function listOptionsOf(query: URLSearchParams): ListOptions {
  const match = textIn(query, 'resourceVersionMatch');
  const version = textIn(query, 'resourceVersion');
  const token = textIn(query, 'continue');
  const limit = Math.max(0, integerOf(query, 'limit') ?? 0);
  integerOf(query, 'timeoutSeconds');
  const errors = matchErrors(match, version, token);
  if (query.has('sendInitialEvents')) {
    errors.push(forbiddenField('sendInitialEvents', 'sendInitialEvents is forbidden for list'));
  }
  if (errors.length > 0) throw invalidOptions('ListOptions', errors);
  if (!isVersion(version)) throw badRequest(`invalid resource version: ${invalidVersion(version)}`);
  if (version === '' || version === '0')
    return {
      limit: version === '0' ? 0 : limit,
      continue: token,
      isRefused: false,
      resourceVersion: version,
      exact: false,
    };
  const exact = match === 'Exact' || (match === '' && limit > 0);
  return { limit, continue: token, isRefused: token !== '', resourceVersion: version, exact };
}

function* continueErrors(query: URLSearchParams, sendInitialEvents: boolean | undefined): Generator<FieldError> {
  if (textIn(query, 'continue') === '') return;
  // The server sets the match of a watch from the beginning itself.
  const isFromBeginning = sendInitialEvents === undefined && ['', '0'].includes(textIn(query, 'resourceVersion'));
  const field = 'resourceVersionMatch';
  if (textIn(query, field) !== '' || isFromBeginning)
    yield forbiddenField(field, `${field} is forbidden when continue is provided`);
}

function* initialEventsErrors(sendInitialEvents: boolean | undefined, match: string, streamingLists: boolean) {
  const field = 'resourceVersionMatch';
  if (sendInitialEvents !== undefined && match !== 'NotOlderThan') {
    yield forbiddenField(field, 'sendInitialEvents requires setting resourceVersionMatch to NotOlderThan');
  } else if (sendInitialEvents === undefined && match !== '') {
    yield forbiddenField(field, `${field} is forbidden for watch unless sendInitialEvents is provided`);
  }
  if (sendInitialEvents !== undefined && !streamingLists) {
    const detail = 'sendInitialEvents is forbidden for watch unless the WatchList feature gate is enabled';
    yield forbiddenField('sendInitialEvents', detail);
  }
}

/** Reads the options of a watch; `streamingLists` allows `sendInitialEvents`. Throws the server's 400, 422 and 500. */
export function watchOptionsOf(query: URLSearchParams, streamingLists: boolean): WatchOptions {
  const match = textIn(query, 'resourceVersionMatch');
  const sendInitialEvents = flagOf(query, 'sendInitialEvents');
  const timeoutSeconds = integerOf(query, 'timeoutSeconds');
  integerOf(query, 'limit');
  const errors: FieldError[] = [
    ...continueErrors(query, sendInitialEvents),
    ...initialEventsErrors(sendInitialEvents, match, streamingLists),
  ];
  if (match !== '' && match !== 'NotOlderThan')
    errors.push(notSupported('resourceVersionMatch', match, ['NotOlderThan']));
  if (errors.length > 0) throw invalidOptions('ListOptions', errors);
  const resourceVersion = textIn(query, 'resourceVersion');
  if (!isVersion(resourceVersion)) throw unexpected(invalidVersion(resourceVersion));
  return {
    resourceVersion,
    timeoutSeconds,
    bookmarks: flagOf(query, 'allowWatchBookmarks') ?? false,
    sendInitialEvents,
  };
}

/** Answers of the stand-in of GitLab below a project. */

import type { HeldComment, HeldPull, HeldRepository, HeldStatus } from '../fixtures/a-code-host.ts';
import { memberJson, mergeRequestJson, noteJson, numberOfName, statusJson } from './json.ts';

/** Refusal with its status. */
export class Refusal extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** A request, taken apart. */
export interface ParsedRequest {
  readonly repository: HeldRepository;
  readonly query: URLSearchParams;
  readonly body: Readonly<Record<string, unknown>>;
  readonly login: string;
}

/** Entries of a list, of which a page is answered. */
export class List {
  readonly entries: readonly unknown[];
  constructor(entries: readonly unknown[]) {
    this.entries = entries;
  }
}

type Route = readonly [
  method: string,
  path: RegExp,
  parameters: readonly string[],
  answer: (asked: ParsedRequest, ...parts: readonly string[]) => readonly [number, unknown],
];

const paging = ['per_page', 'page'];
/** Returns what is there. @throws Refusal */
export const there = <T>(value: T | undefined, what: string): T => {
  if (value === undefined) throw new Refusal(404, `404 ${what} Not Found`);
  return value;
};

const textIn = (body: ParsedRequest['body'], name: string, most: number): string => {
  const value = body[name];
  if (typeof value !== 'string' || value === '') throw new Refusal(400, `${name} is missing`);
  if (value.length > most) throw new Refusal(400, `${name} is too long (maximum is ${most} characters)`);
  return value;
};

const oneOf = (query: URLSearchParams, name: string, allowed: readonly string[]): string => {
  const value = query.get(name) ?? allowed[0]!;
  if (!allowed.includes(value)) throw new Refusal(400, `${name} does not have a valid value`);
  return value;
};

/** Sorts as the query asks for: the newest first unless it says otherwise. */
function sorted<T extends { readonly updatedAt: number }>(
  all: readonly T[],
  query: URLSearchParams,
  key: (one: T) => number,
) {
  const by = oneOf(query, 'order_by', ['created_at', 'updated_at']);
  const of = by === 'updated_at' ? (one: T) => one.updatedAt : key;
  const ascending = all.toSorted((a, b) => of(a) - of(b) || key(a) - key(b));
  return oneOf(query, 'sort', ['desc', 'asc']) === 'asc' ? ascending : ascending.toReversed();
}

function mergeRequests({ repository, query }: ParsedRequest): readonly [number, unknown] {
  const state = { all: undefined, opened: 'open', closed: 'closed' }[
    oneOf(query, 'state', ['all', 'opened', 'closed'])
  ];
  oneOf(query, 'scope', ['all']);
  const since = Date.parse(query.get('updated_after') ?? '1970-01-01T00:00:00Z');
  const found = [...repository.pulls.values()].filter(
    (one) => (state === undefined || one.state === state) && one.updatedAt > since,
  );
  const list = sorted<HeldPull>(found, query, ({ number }) => number);
  return [200, new List(list.map((one) => mergeRequestJson(repository, one)))];
}

const pullIn = ({ repository }: ParsedRequest, iid: string): HeldPull =>
  there(repository.pulls.get(Number(iid)), 'Not found');

function noteIn(asked: ParsedRequest, iid: string, id: string): HeldComment {
  const found = asked.repository.comments.get(Number(id));
  return there(found?.number === pullIn(asked, iid).number ? found : undefined, 'Note');
}

const running = ['pending', 'running'];

/** Refuses to set a status that runs already, or to put one back to `pending`. @throws Refusal */
function checkTransition(former: string, state: string): void {
  const isAgain = running.includes(former) && running.includes(state);
  if (isAgain && (state === former || state === 'pending'))
    throw new Refusal(
      400,
      `Cannot transition status via :enqueue from :${former} (Reason(s): Status cannot transition via "enqueue")`,
    );
}

function statusSet({ repository, body }: ParsedRequest, sha: string): readonly [number, unknown] {
  const [state, name] = [textIn(body, 'state', 20), textIn(body, 'name', 255)];
  const description = body.description === undefined ? '' : textIn(body, 'description', 255);
  const url = body.target_url === undefined ? null : textIn(body, 'target_url', 255);
  if (!['pending', 'running', 'success', 'failed', 'canceled'].includes(state))
    throw new Refusal(400, 'state does not have a valid value');
  if (url !== null && !/^https?:\/\//.test(url))
    throw new Refusal(400, 'target_url is blocked: Only allowed schemes are http, https');
  if (!repository.hasCommit(sha)) throw new Refusal(404, '404 Commit Not Found');
  const former = repository.statusAt(sha, name)?.state ?? '';
  checkTransition(former, state);
  const status: HeldStatus = { sha, context: name, state, description, url };
  if (running.includes(former))
    repository.statuses.splice(repository.statuses.lastIndexOf(repository.statusAt(sha, name)!), 1);
  repository.statuses.push(status);
  return [201, statusJson(repository.statuses.length, status)];
}

function statuses({ repository, query }: ParsedRequest, sha: string): readonly [number, unknown] {
  if (!repository.hasCommit(sha)) throw new Refusal(404, '404 Commit Not Found');
  const name = query.get('name');
  const found = repository.statuses.map((one, index) => statusJson(index + 1, one));
  return [200, new List(found.filter((one) => one.sha === sha && (name === null || one.name === name)))];
}

const routes: readonly Route[] = [
  ['GET', /^merge_requests$/, [...paging, 'state', 'scope', 'order_by', 'sort', 'updated_after'], mergeRequests],
  [
    'GET',
    /^merge_requests\/(\d+)$/,
    [],
    (asked, iid = '') => [200, mergeRequestJson(asked.repository, pullIn(asked, iid))],
  ],
  [
    'GET',
    /^merge_requests\/(\d+)\/notes$/,
    [...paging, 'order_by', 'sort'],
    (asked, iid = '') => {
      const { number } = pullIn(asked, iid);
      const found = [...asked.repository.comments.values()].filter((one) => one.number === number);
      return [200, new List(sorted(found, asked.query, ({ id }) => id).map(noteJson))];
    },
  ],
  [
    'POST',
    /^merge_requests\/(\d+)\/notes$/,
    [],
    (asked, iid = '') => {
      const { number } = pullIn(asked, iid);
      return [201, noteJson(asked.repository.comment(number, asked.login, textIn(asked.body, 'body', 1_000_000)))];
    },
  ],
  [
    'GET',
    /^merge_requests\/(\d+)\/notes\/(\d+)$/,
    [],
    (asked, iid = '', id = '') => [200, noteJson(noteIn(asked, iid, id))],
  ],
  [
    'PUT',
    /^merge_requests\/(\d+)\/notes\/(\d+)$/,
    [],
    (asked, iid = '', id = '') => {
      const note = noteIn(asked, iid, id);
      if (note.author !== asked.login) throw new Refusal(403, '403 Forbidden');
      Object.assign(note, { body: textIn(asked.body, 'body', 1_000_000), updatedAt: asked.repository.now });
      asked.repository.change(note.number, {});
      return [200, noteJson(note)];
    },
  ],
  [
    'DELETE',
    /^merge_requests\/(\d+)\/notes\/(\d+)$/,
    [],
    (asked, iid = '', id = '') => {
      asked.repository.comments.delete(noteIn(asked, iid, id).id);
      return [204, undefined];
    },
  ],
  [
    'GET',
    /^repository\/commits\/([0-9a-f]+)\/statuses$/,
    [...paging, 'name'],
    (asked, sha = '') => statuses(asked, sha),
  ],
  ['POST', /^statuses\/([0-9a-f]+)$/, [], (asked, sha = '') => statusSet(asked, sha)],
  [
    'GET',
    /^members\/all\/(\d+)$/,
    [],
    ({ repository }, id) => {
      const found = [...repository.members].find(([name]) => numberOfName(name) === Number(id));
      const [name, role] = there(found, 'Not found');
      return [200, memberJson(name, role)];
    },
  ],
];

/** Answers a request below a project. @throws Refusal */
export function routed(method: string, path: string, asked: ParsedRequest): readonly [number, unknown] {
  for (const [verb, pattern, parameters, act] of routes) {
    const match = pattern.exec(path);
    if (verb !== method || match === null) continue;
    const unknown = [...asked.query.keys()].find((one) => !parameters.includes(one));
    if (unknown !== undefined) throw new Refusal(400, `the stand-in knows no parameter ${unknown}`);
    return act(asked, ...match.slice(1));
  }
  throw new Refusal(404, '404 Not Found');
}

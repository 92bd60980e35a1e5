/** Reads and writes faults as sentences. */

import type { FaultStatus } from './request-effects.ts';
import type { FaultScope } from './request-matcher.ts';
import { checkFault, type FaultLimits, type FaultSpec, type Lifetime, type RequestFault } from './spec.ts';

type PartialSpec = Readonly<Record<string, unknown>>;
type Match = Readonly<Record<string, string>>;

const units: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };
const time = String.raw`\d+(?:\.\d+)?(?:ms|s|m|h)`;

const msOf = (text = ''): number => {
  const [, amount, unit = ''] = /^([\d.]+)(\w+)$/.exec(text) ?? [];
  return Number(amount) * units[unit]!;
};

/** Clause of a sentence: its syntax and its meaning. */
interface Clause {
  readonly pattern: RegExp;
  readonly specOf: (match: Match) => PartialSpec;
}

const clause = (pattern: string, specOf: Clause['specOf']): Clause => ({
  pattern: new RegExp(`^${pattern}(?=$|[\\s,])`),
  specOf,
});

const statusOf = ({ code, seconds, text }: Match): number | FaultStatus =>
  seconds === undefined && text === undefined
    ? Number(code)
    : {
        code: Number(code),
        ...(seconds !== undefined && { retryAfter: Number(seconds) }),
        ...(text !== undefined && { message: JSON.parse(text) as string }),
      };

const lifeOf = ({ events, time: text }: Match): Lifetime =>
  events === undefined ? { ms: msOf(text) } : { events: Number(events) };

const heads: readonly Clause[] = [
  clause(String.raw`watches (?<watches>\S+)`, ({ watches }) => ({ watches })),
  clause(String.raw`cache (?<cache>\S+)`, ({ cache }) => ({ cache })),
  clause('client', () => ({ client: {} })),
  clause(String.raw`(?<on>\S+) (?<resource>\S+)`, ({ on, resource }) => ({ on, resource })),
];

const clauses: readonly Clause[] = [
  clause(String.raw`in (?<namespace>\S+)`, ({ namespace }) => ({ scope: { namespace } })),
  clause(String.raw`named (?<name>\S+)`, ({ name }) => ({ scope: { name } })),
  clause(String.raw`by (?<user>\S+)`, ({ user }) => ({ scope: { user } })),
  clause(String.raw`from (?<userAgent>\S+)`, ({ userAgent }) => ({ scope: { userAgent } })),
  clause('(?<when>before|after) commit', ({ when }) => ({ when })),
  clause(String.raw`(?<how>drop|expire|end) after (?:(?<events>\d+) events?|(?<time>${time}))`, (match) => ({
    do: { [match.how!]: lifeOf(match) },
  })),
  clause(
    String.raw`answer (?<code>\d+)(?: retry after (?<seconds>\d+))?(?: saying (?<text>"(?:[^"\\]|\\.)*"))?`,
    (match) => ({
      do: { answer: statusOf(match) },
    }),
  ),
  clause(`delay (?<time>${time})`, ({ time: text }) => ({ do: { delay: msOf(text) } })),
  clause(String.raw`behind (?<count>\d+)`, ({ count }) => ({ do: { behind: Number(count) } })),
  clause(String.raw`crash after (?<count>\d+) writes?`, ({ count }) => ({ do: { crash: { writes: Number(count) } } })),
  clause(
    '(?<action>drop|reset|cut|lose|duplicate|hold|freeze|hide-bookmarks|hide-initial-end|refuse-streaming)',
    ({ action }) => ({
      do: action,
    }),
  ),
  clause('once', () => ({ times: 1 })),
  clause(String.raw`(?<count>\d+) times?`, ({ count }) => ({ times: Number(count) })),
  clause(String.raw`skip (?<count>\d+)`, ({ count }) => ({ skip: Number(count) })),
  clause(String.raw`probability (?<chance>[\d.]+)`, ({ chance }) => ({ probability: Number(chance) })),
];

const isScope = (value: unknown): value is FaultScope => typeof value === 'object' && value !== null;

function mergeClause(spec: PartialSpec, part: PartialSpec, text: string): PartialSpec {
  const { scope, ...rest } = part;
  const twice = Object.keys(rest).find((name) => name in spec);
  if (twice !== undefined) throw new TypeError(`${JSON.stringify(text)} says ${twice} twice`);
  const where = 'client' in spec ? 'client' : 'scope';
  const known = isScope(spec[where]) ? spec[where] : {};
  return { ...spec, ...rest, ...(isScope(scope) && { [where]: { ...known, ...scope } }) };
}

const expected =
  'VERB RESOURCE, `watches RESOURCE`, `cache RESOURCE` or `client`; then in NAMESPACE, named NAME, by USER, from USERAGENT, before|after commit; what happens; once, N times, skip N, probability P';

/**
 * Parses a sentence such as `patch workspaces/status after commit drop, once` or `watches workspaces drop after 3
 * events`.
 * Throws a TypeError at the first unknown words.
 */
export function readSentence(sentence: string): FaultSpec {
  let rest = sentence.trim();
  let spec: PartialSpec = {};
  for (let table = heads; rest !== ''; table = clauses) {
    const found = table
      .map(({ pattern, specOf }) => ({ match: pattern.exec(rest), specOf }))
      .find(({ match }) => match !== null);
    if (found?.match == null) {
      throw new TypeError(`no fault is written so, from ${JSON.stringify(rest)} on: expected ${expected}`);
    }
    spec = mergeClause(spec, found.specOf({ ...found.match.groups }), sentence);
    rest = rest.slice(found.match[0].length).replace(/^[\s,]+/, '');
  }
  checkFault(spec);
  return spec;
}

const shownTime = (ms: number): string => (ms % 1000 === 0 ? `${ms / 1000}s` : `${ms}ms`);

function shownAnswer(answer: number | FaultStatus): string {
  if (typeof answer === 'number') return `answer ${answer}`;
  const { code, retryAfter, message } = answer;
  return [
    `answer ${code}`,
    ...(retryAfter === undefined ? [] : [`retry after ${retryAfter}`]),
    ...(message === undefined ? [] : [`saying ${JSON.stringify(message)}`]),
  ].join(' ');
}

const shownLife = (life: Lifetime): string => ('events' in life ? `${life.events} events` : shownTime(life.ms));

function shownAction(action: FaultSpec['do']): string {
  if (typeof action === 'string') return action;
  if ('answer' in action) return shownAnswer(action.answer);
  if ('delay' in action) return `delay ${shownTime(action.delay)}`;
  if ('behind' in action) return `behind ${action.behind}`;
  if ('crash' in action) return `crash after ${action.crash.writes} writes`;
  const [[how, life] = ['', { events: 0 }]] = Object.entries(action) as [string, Lifetime][];
  return `${how} after ${shownLife(life)}`;
}

const scopeWords: readonly (readonly [keyof FaultScope, string])[] = [
  ['namespace', 'in'],
  ['name', 'named'],
  ['user', 'by'],
  ['userAgent', 'from'],
];

function subjectOf(spec: FaultSpec): readonly string[] {
  if ('on' in spec) return [spec.on, spec.resource];
  if ('watches' in spec) return ['watches', spec.watches];
  return 'cache' in spec ? ['cache', spec.cache] : ['client'];
}

/** Returns the limits that are not defaults. */
const shownLimits = ({
  times = Number.POSITIVE_INFINITY,
  skip = 0,
  probability = 1,
}: FaultLimits): readonly string[] => [
  ...(times === Number.POSITIVE_INFINITY ? [] : [times === 1 ? 'once' : `${times} times`]),
  ...(skip === 0 ? [] : [`skip ${skip}`]),
  ...(probability === 1 ? [] : [`probability ${probability}`]),
];

/** Formats a fault as a sentence that {@link readSentence} accepts; the reason of an answer is left out. */
export function sentenceOf(spec: FaultSpec): string {
  const { when, ...limits } = spec as Partial<RequestFault>;
  const scope: FaultScope = ('client' in spec ? spec.client : spec.scope) ?? {};
  const where = scopeWords.flatMap(([name, word]) => (scope[name] === undefined ? [] : [word, scope[name]]));
  const moment = when === undefined ? [] : [String(when), 'commit'];
  return [[...subjectOf(spec), ...where, ...moment, shownAction(spec.do)].join(' '), ...shownLimits(limits)].join(', ');
}

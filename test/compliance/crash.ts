import { textOf } from '../a-stage.ts';
import type { ApiRequest } from '../cluster/index.ts';
import { Life } from './life.ts';
import type { SubjectFor } from './subject.ts';

/** One moment of a life: just before or just after a request of the sequencer was carried out. */
export interface CrashPoint {
  readonly effect: number;
  readonly side: 'before' | 'after';
}

/** A request in the words of whoever writes integrations. */
export function effectOf(request: ApiRequest): string {
  const body = textOf(request);
  const [path = ''] = request.url.split('?');
  const object = path.split('/').slice(-2).join('/');
  if (request.method !== 'PATCH' || !path.includes('/workspaces/')) return `${request.method} ${object}`;
  const phase = /"phase":"(intent|done|failed|unknown|gone)"/.exec(body)?.[1];
  if (path.endsWith('/status'))
    return phase === undefined ? 'status' : phase === 'intent' ? 'intent' : `outcome "${phase}"`;
  if (body.includes('external.se.quencer.io')) return 'mirror of ids';
  return body.includes('"remove"') ? 'release' : 'claim';
}

/** How a life ended. */
export interface Ended {
  /** The requests of the sequencers, in order. */
  readonly effects: readonly string[];
  /** What is wrong, in words; undefined when nothing is. */
  readonly complaint: string | undefined;
}

const listed = (things: readonly string[]): string => (things.length === 0 ? 'nothing' : things.join(', '));

/** Ways to come to rest that are no failure for a subject that cannot be found again. */
const restOf = (mayAsk: boolean): readonly string[] => (mayAsk ? ['Completed', 'Unknown'] : ['Completed']);

async function up(life: Life, expected: readonly string[] | undefined): Promise<string | undefined> {
  const { mayAsk = false } = life.subject;
  if (!(await life.until(...restOf(mayAsk)))) return `it never came to rest: ${await life.condition()}`;
  const remote = await life.remote();
  const asked = (await life.condition()).startsWith('Unknown');
  const surplus = expected !== undefined && remote.length > expected.length;
  const differs = expected !== undefined && !asked && remote.join() !== expected.join();
  return surplus || differs ? `the third party has ${listed(remote)} instead of ${listed(expected ?? [])}` : undefined;
}

async function down(life: Life): Promise<string | undefined> {
  await life.delete();
  if (!(await life.until('Gone', ...(life.subject.mayAsk ? ['Unknown'] : []))))
    return `it was never gone: ${await life.condition()}`;
  const remote = await life.remote();
  if ((await life.read()) !== undefined) return undefined;
  return remote.length > 0 && !life.subject.mayAsk
    ? `${listed(remote)} leaked: it is still there after the workspace is gone`
    : undefined;
}

/** A whole life, there and back, with the sequencer dying at one moment of it. */
export async function liveOnce(
  subjectFor: SubjectFor,
  point?: CrashPoint,
  expected?: readonly string[],
): Promise<Ended & { readonly remote: readonly string[] }> {
  const life = await Life.begin(subjectFor);
  const effects: string[] = [];
  life.stage.cluster.intercept(async (request, next) => {
    if (!request.headers['user-agent']?.startsWith('sequencer-')) return next(request);
    effects.push(effectOf(request));
    const mine = effects.length === point?.effect;
    if (mine && point.side === 'before') {
      life.die();
      return new Promise(() => {});
    }
    const answer = await next(request);
    if (!mine) return answer;
    life.die();
    return new Promise(() => {});
  });
  await life.create();
  const complaint = await up(life, expected);
  const remote = await life.remote();
  return { effects, remote, complaint: complaint ?? (await down(life)) };
}

/** Crashes a life at every moment. @returns what broke, one line each, empty when nothing did */
export async function crashSweep(subjectFor: SubjectFor): Promise<readonly string[]> {
  const calm = await liveOnce(subjectFor);
  if (calm.complaint !== undefined) return [`without any crash: ${calm.complaint}`];
  const broken: string[] = [];
  for (let effect = 1; effect <= calm.effects.length; effect += 1) {
    for (const side of ['before', 'after'] as const) {
      const { effects, complaint } = await liveOnce(subjectFor, { effect, side }, calm.remote);
      if (complaint !== undefined)
        broken.push(`crashed ${side} request ${effect} (${effects[effect - 1]}) was carried out: ${complaint}`);
    }
  }
  return broken;
}

/** Environment of one run of the integration. */

import type { Clock } from '../../../sdk/index.ts';
import type { PendingEffect, SequencerProcess } from '../observation/effect.ts';
import type { Effects } from '../observation/effects.ts';
import { whileAwaited } from '../observation/invocations.ts';
import { trackedClock } from '../observation/tracked-timers.ts';
import { redacted } from '../subject/secret-forms.ts';
import type { IntegrationContext } from '../subject/subject.ts';

/** Statuses of responses without a body. */
const withoutBody: ReadonlySet<number> = new Set([101, 204, 205, 304]);

/** Finds the signal of a call, in an argument or a member of one. */
function signalIn(args: readonly unknown[]): AbortSignal | undefined {
  const members = args.flatMap((arg) => (typeof arg === 'object' && arg !== null ? [arg, ...Object.values(arg)] : []));
  return members.find((one) => one instanceof AbortSignal);
}

function callOf(input: Parameters<typeof fetch>[0], init: Parameters<typeof fetch>[1]): string {
  const { method, url } = input instanceof Request ? input : { method: 'GET', url: String(input) };
  const { pathname, search } = new URL(url, 'http://localhost');
  return `${init?.method ?? method} ${pathname}${redacted(search)}`;
}

/** Clock, randomness and transport of a run. */
export interface RunDependencies {
  readonly clock: Clock;
  readonly random: () => number;
  /** Transport of HTTP requests. @default globalThis.fetch */
  readonly fetch?: typeof globalThis.fetch | undefined;
}

/** Returns the environment of an integration in one run: each call that it makes is an effect of that run. */
export function integrationContextOf(
  effects: Effects,
  sequencer: SequencerProcess,
  { clock, random, fetch = globalThis.fetch }: RunDependencies,
): IntegrationContext {
  const call = <T>(
    name: string,
    { args, ...pending }: Pick<PendingEffect<T>, 'args' | 'isHttp' | 'carryOut'>,
  ): Promise<T> =>
    whileAwaited(effects.perform(sequencer, { kind: 'call', name, args, signal: signalIn(args), ...pending }));
  return {
    clock: trackedClock(clock),
    random,
    fetch: (input, init) =>
      call(callOf(input, init), {
        args: [input, init],
        isHttp: true,
        async carryOut() {
          (init?.signal ?? (input instanceof Request ? input.signal : undefined))?.throwIfAborted();
          const answer = await fetch(input, init);
          const body = withoutBody.has(answer.status) ? null : await answer.arrayBuffer();
          return new Response(body, answer);
        },
      }),
    through: (api) =>
      new Proxy(api, {
        get(target, member) {
          const method = Reflect.get(target, member) as unknown;
          if (typeof method !== 'function') return method;
          return (...args: readonly unknown[]) =>
            call(String(member), { args, carryOut: async () => Reflect.apply(method, target, args) });
        },
      }),
  };
}

/** Functions that read several pages of a list. */

import { isJsonObject } from '../../../sdk/index.ts';
import { describeFault } from '../observation/faults.ts';
import {
  halfOfItems,
  type InjectedResponse,
  itemsIn,
  repeatFirstPage,
  responsesToReads,
} from '../observation/injected-responses.ts';
import { createInvocation, invocation } from '../observation/invocations.ts';
import type { OtherObject } from './other-objects.ts';
import { isFaultInjected, type Probe, readerProbes } from './probes.ts';
import { ResourceCaller } from './resource-caller.ts';

const pathOf = (name: string): string => name.split('?', 1)[0]!;

const refusedPage = responsesToReads.at(-1)!;

/** Page of a list: its body, and its Link header. */
interface Page {
  readonly body: unknown;
  readonly link: string;
}

/** Returns a response that passes on the service's own, and shows it to `see`. */
const passOn = (description: string, see: (own: Response) => Promise<void>): InjectedResponse => ({
  description,
  isCarriedOut: true,
  async respond(own = new Response(null, { status: 204 })) {
    await see(own.clone());
    return own;
  },
});

/** Calls a function and returns the pages that it reads; none where it does not read a list in pages by HTTP. */
async function pagesOf(caller: ResourceCaller, probe: Probe): Promise<readonly Page[]> {
  const { effects } = caller.scenario;
  const { length } = effects.calls;
  const pages: Page[] = [];
  const answer = passOn('a page', async (own) => {
    pages.push({ link: own.headers.get('link') ?? '', body: await own.json().catch(() => undefined) });
  });
  effects.plan = { fault: (_, { isHttp }) => (isHttp ? { kind: 'answered', answer } : undefined) };
  await caller.attempt(probe.name, probe.call);
  effects.removeFaults();
  const [first, second] = effects.calls.slice(length);
  const isPaged = first?.isHttp && second !== undefined && pathOf(first.name) === pathOf(second.name);
  return isPaged ? pages : [];
}

/** Returns the values of a body outside of its lists that are not empty, by their paths. */
const valuesOf = (value: unknown, path = ''): readonly (readonly [path: string, value: unknown])[] => {
  if (isJsonObject(value)) return Object.entries(value).flatMap(([name, part]) => valuesOf(part, `${path}.${name}`));
  const isEmpty = Array.isArray(value) || [undefined, null, '', false].includes(value as never);
  return isEmpty ? [] : [[path, value]];
};

/**
 * Reports whether each page but the last names the next one, so that the number of its items says nothing. False where a page tells how many items there
 * are in all.
 */
function namesNext(pages: readonly Page[]): boolean {
  const [first, last] = [pages[0]!, pages.at(-1)!];
  const count = pages.reduce((sum, { body }) => sum + (itemsIn(body)?.length ?? 0), 0);
  const values = valuesOf(first.body);
  if (values.some(([, value]) => value === count)) return false;
  if (/rel="?next/.test(first.link)) return !/rel="?next/.test(last.link);
  const late = new Map(valuesOf(last.body));
  return values.some(([path]) => !late.has(path));
}

const likelyShort =
  'a page with fewer items than others is taken for the last one, though it names the next: a page may be short or empty, as where items were filtered or removed; follow the cursor (next, continue, Link) until there is none';

/** Calls a function that reads pages while the second one is refused, while each is the first one, and with half of the first one's items. @throws Finding unless the function throws, or returns the same as without a fault */
export async function expectAllPagesRead(caller: ResourceCaller, probe: Probe): Promise<void> {
  const pages = await pagesOf(caller, probe);
  if (pages.length === 0) return;
  const probeWith = (answer: InjectedResponse, [from, to]: readonly [number, number], one = probe) =>
    isFaultInjected(caller, one, {
      fault: (nth) => (nth >= from && nth <= to ? { kind: 'answered', answer } : undefined),
      from,
      describe: describeFault,
      givesUp: true,
    });
  await probeWith(refusedPage, [2, Number.POSITIVE_INFINITY]);
  await probeWith(repeatFirstPage(), [1, Number.POSITIVE_INFINITY]);
  if (namesNext(pages)) await probeWith(halfOfItems, [1, 1], { ...probe, likely: likelyShort });
}

const likelyShifted =
  'a list is read by page number or offset: what is removed meanwhile moves the rest to pages that were read already, and what is there is not seen. Ask by a filter, an id or a cursor; where there are only page numbers, read all pages again until two readings agree';

/** Calls the functions that read pages for one of many objects, all others of which are removed once the first page was read. @throws Finding unless each throws, or returns the same as before */
export async function expectFoundInShrinkingList(
  caller: ResourceCaller,
  objects: readonly OtherObject[],
): Promise<void> {
  const { scenario, made } = caller;
  const callerOf = (one: OtherObject) => new ResourceCaller(scenario, { ...made, ...one });
  const kept = objects.at(-1);
  if (kept === undefined || scenario.subject.time === 'real') return;
  const others = objects.slice(0, -1);
  const removeOthers = async () => {
    const removal = createInvocation('delete', scenario.record);
    await invocation.run(removal, () =>
      Promise.allSettled(
        others.map(async ({ id, owner }) => made.resource.delete(id, { owner, signal: new AbortController().signal })),
      ),
    );
  };
  const answer = passOn(
    'a page, after which all other objects were removed before the next one was asked for',
    removeOthers,
  );
  for (const probe of await readerProbes(callerOf(kept))) {
    if (probe.name === 'findAll' || (await pagesOf(callerOf(kept), probe)).length === 0) continue;
    await isFaultInjected(
      callerOf(kept),
      { ...probe, likely: likelyShifted },
      {
        fault: (nth) => (nth === 1 ? { kind: 'answered', answer } : undefined),
        from: 1,
        describe: describeFault,
      },
    );
    return;
  }
}

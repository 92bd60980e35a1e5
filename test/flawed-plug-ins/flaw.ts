import type { Integration } from '../../sdk/index.ts';
import { type CaseName, httpFailures, type Run, type Subject } from '../compliance/index.ts';
import { type BoxResource, boxPlugIn, boxResource, type Tools, token, toolsOf } from './a-box-plug-in.ts';
import { BoxShop, type ShopOptions } from './a-box-shop.ts';

/** A plug-in with one mistake. */
export interface Flaw {
  /** The mistake, as whoever made it would say. */
  readonly what: string;
  /** The case that is there to find it. */
  readonly found: CaseName;
  /** What its report says: what was seen, and at its end the mistake with its mend. */
  readonly says: readonly [symptom: RegExp, mend: RegExp];
  /** @default 'name' */
  readonly identity?: BoxResource['identity'];
  readonly shop?: Omit<ShopOptions, 'clock'>;
  /** What of the subject is not as usual. */
  readonly subject?: Partial<Subject>;
  /** Somebody paints the boxes, instead of taking them away. */
  readonly painted?: true;
  /** What is wrong with the resource. @default nothing */
  readonly resource?: (tools: Tools, right: BoxResource) => object;
  /** What is wrong with the client. @default nothing */
  readonly tools?: (right: Tools) => Tools;
  /** What is wrong with the rest. @default nothing */
  readonly plugIn?: (resource: BoxResource, tools: Tools, run: Run) => Partial<Integration>;
}

const box = (size: number, colour: string) => ({ size, colour });

/** The subject of a plug-in with this flaw; without one, when none is said. */
export function subjectOf({ identity = 'name', shop, subject, painted, ...flaw }: Partial<Flaw> = {}): Subject {
  return {
    identity,
    spec: { integrations: { boxes: { a: box(1, 'red') } } },
    edited: { integrations: { boxes: { a: box(2, 'blue') } } },
    failures: httpFailures,
    secrets: [token],
    sameName: identity === 'name' ? 'exclusive' : 'separate',
    drift: 'mended',
    ...subject,
    start({ clock }) {
      const boxes = new BoxShop({ clock, unique: identity === 'name', ...shop });
      return {
        fetch: boxes.fetch as typeof fetch,
        integration(run) {
          const right = toolsOf(run.fetch, run.clock);
          const tools = flaw.tools?.(right) ?? right;
          const usual = boxResource(tools, identity);
          const resource = { ...usual, ...flaw.resource?.(tools, usual) } as BoxResource;
          return boxPlugIn(resource, flaw.plugIn?.(resource, tools, run));
        },
        spoil: () => (painted ? boxes.paint() : boxes.clear()),
        remote: () =>
          boxes
            .boxes()
            .map(({ id, name, size, colour }) => ({ id: `box ${id}`, what: `${colour} ${name} of ${size}` })),
      };
    },
  };
}

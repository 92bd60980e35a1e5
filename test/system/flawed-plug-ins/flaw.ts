/** Plug-ins with one flaw each, and the report that finds it. */

import type { Integration } from '../../../sdk/index.ts';
import { type CaseName, httpFailures, type IntegrationContext, type Subject } from '../../compliance/index.ts';
import { type BoxResource, boxPlugIn, boxResource, type Tools, token, toolsOf } from './a-box-plug-in.ts';
import { BoxShop, type ShopOptions } from './a-box-shop.ts';

/** A plug-in with one flaw. */
export interface Flaw {
  /** The flaw, in its author's words. */
  readonly what: string;
  /** The case that finds it. */
  readonly found: CaseName;
  /** Patterns of the report: the symptom, and at its end the flaw with its fix. */
  readonly says: readonly [symptom: RegExp, fix: RegExp];
  /** @default 'name' */
  readonly identity?: BoxResource['identity'];
  readonly shop?: Omit<ShopOptions, 'clock'>;
  /** Deviations of the subject from the default. */
  readonly subject?: Partial<Subject>;
  /** Drift paints the boxes instead of removing them. */
  readonly painted?: true;
  /** Changes of the resource. @default none */
  readonly resource?: (tools: Tools, right: BoxResource) => object;
  /** Changes of the client. @default none */
  readonly tools?: (right: Tools) => Tools;
  /** Changes of the rest of the plug-in. @default none */
  readonly plugIn?: (resource: BoxResource, tools: Tools, run: IntegrationContext) => Partial<Integration>;
}

const box = (size: number, colour: string) => ({ size, colour });

/** The subject of a plug-in with this flaw; without a flaw when none is given. */
export function subjectOf({ identity = 'name', shop, subject, painted, ...flaw }: Partial<Flaw> = {}): Subject {
  return {
    identity,
    spec: { integrations: { boxes: { a: box(1, 'red') } } },
    edited: { integrations: { boxes: { a: box(2, 'blue') } } },
    failures: httpFailures,
    secrets: [token],
    sameName: identity === 'name' ? 'exclusive' : 'separate',
    drift: 'fixed',
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
        causeDrift: () => (painted ? boxes.paint() : boxes.clear()),
        remote: () =>
          boxes.boxes().map(({ id, name, size, colour, project, note }) => ({
            id: `box ${id}`,
            what: [`${colour} ${name} of ${size}`, ...(project ? [`in ${project}`] : []), ...(note ? [note] : [])].join(
              ' ',
            ),
          })),
      };
    },
  };
}

import { messageOf, type Workspace, type WorkspaceSpec } from '../../sdk/index.ts';
import type { Case } from './case.ts';
import { Life } from './life.ts';
import { expect, fail } from './report.ts';
import type { Subject } from './subject.ts';

const likely =
  'handles is asked about every workspace of the cluster, at every walk: it says by the spec alone whether that asks for the integration; it reads with ?., calls nobody, knows no time, and never throws';

const without = <T extends object>(whole: T, member: string): T =>
  Object.fromEntries(Object.entries(whole).filter(([name]) => name !== member)) as T;

/** Returns specs as any workspace may have them: the subject's, and its own with members removed where the schema allows it. */
function specsOf({ spec, edited = {}, unasked = {} }: Subject): readonly WorkspaceSpec[] {
  const { integrations = {} } = spec;
  const parts = Object.entries(integrations as Readonly<Record<string, object>>).flatMap(([name, part]) =>
    [{}, ...Object.keys(part).map((member) => without(part, member))].map((cut) => ({
      ...spec,
      integrations: { ...integrations, [name]: cut },
    })),
  );
  const cut = Object.keys(spec).map((member) => without(spec, member));
  return [spec, edited, unasked, {}, { ...spec, integrations: {} }, ...cut, ...parts] as readonly WorkspaceSpec[];
}

/** Returns the workspace with another spec, without labels and status. */
const workspaceWith = ({ metadata, apiVersion, kind }: Workspace, spec: WorkspaceSpec): Workspace =>
  deepFrozen({
    apiVersion,
    kind,
    metadata: { ...without(metadata, 'labels'), annotations: {} },
    spec: structuredClone(spec),
  } as Workspace);

function deepFrozen<T extends object>(value: T): T {
  for (const part of Object.values(value)) if (typeof part === 'object' && part !== null) deepFrozen(part);
  return Object.freeze(value);
}

/** Runs a synchronous function at another time, with other random numbers and another environment. */
function elsewhere<T>(act: () => T): T {
  const { Date: RealDate } = globalThis;
  const { random } = Math;
  const { env } = process;
  const later = RealDate.now() + 40 * 86_400_000;
  globalThis.Date = class extends RealDate {
    constructor(...args: readonly unknown[]) {
      super(...((args.length === 0 ? [later] : args) as [number]));
    }
    static override now = (): number => later;
  } as DateConstructor;
  Math.random = () => 0.999;
  process.env = {};
  try {
    return act();
  } finally {
    globalThis.Date = RealDate;
    Math.random = random;
    process.env = env;
  }
}

/** Case of `handles`: it accepts any workspace and depends on the spec alone. */
export const handlesCase: Case = {
  name: 'handles',
  title: 'says by the spec alone which workspaces ask for it',
  prove: (subject) =>
    Life.during(subject, async (life) => {
      const { metadata, apiVersion, kind } = await life.create();
      let ahead = 0;
      const { clock } = life.world;
      const integration = life.integration({
        now: () => clock.now() + ahead,
        monotonic: () => clock.monotonic() + ahead,
        sleep: (ms, signal) => clock.sleep(ms, signal),
        after: (ms, fn) => clock.after(ms, fn),
      });
      const ask = (workspace: Workspace, days = 0): unknown => {
        ahead = days * 86_400_000;
        try {
          return integration.handles(workspace);
        } catch (error) {
          return fail(`handles throws "${messageOf(error)}" for the spec ${JSON.stringify(workspace.spec)}`, likely);
        }
      };
      for (const spec of specsOf(subject)) {
        const workspace = workspaceWith({ metadata, apiVersion, kind, spec }, spec);
        const answers = [ask(workspace), ask(workspace), elsewhere(() => ask(workspace)), ask(workspace, 40)];
        expect(
          answers.every((answer) => answer === answers[0]),
          `handles answers ${answers.join(', then ')} for one spec (asked again, in another environment and month, and by another clock): ${JSON.stringify(spec)}`,
          likely,
        );
        expect(typeof answers[0] === 'boolean', `handles answers ${String(answers[0])}, which is no boolean`, likely);
      }
      const [call] = life.effects.calls;
      expect(call === undefined, `handles calls the third party: ${call?.name}`, likely);
      expect(
        ask(workspaceWith({ metadata, apiVersion, kind, spec: subject.spec }, subject.spec)) === true,
        'handles answers false for the spec of the subject',
        likely,
      );
    }),
};

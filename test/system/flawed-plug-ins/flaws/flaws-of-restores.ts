import { DefiniteError } from '../../../../sdk/index.ts';
import { type BoxId, type BoxResource, boxOf } from '../a-box-plug-in.ts';
import type { Flaw } from '../flaw.ts';

type Context = Parameters<NonNullable<BoxResource['replaceMark']>>[1];

const marks = /likely mistake: replaceMark has to put owner\.mark in place of a former one/;

/** Flaws in the handling of a restore from a backup. */
export const flawsOfRestores: readonly Flaw[] = [
  {
    what: 'replaceMark does nothing',
    found: 'restored',
    says: [/^restored with .*: after a restore, find answers undefined for \S+ instead of \{"id":1\}/, marks],
    resource: () => ({ replaceMark: async () => undefined }),
  },
  {
    what: 'replaceMark does nothing, and only observe would tell',
    found: 'restored',
    identity: 'key',
    says: [/^restored with .*: after a restore, \{"id":1\} bears \S+ instead of \S+/, marks],
    resource: (tools) => ({
      replaceMark: async () => undefined,
      async observe(id: BoxId, { signal }: Pick<Context, 'signal'>) {
        const box = await boxOf(tools, id, signal);
        return box && { state: { name: box.name, size: box.size, colour: box.colour }, mark: box.label };
      },
    }),
  },
  {
    what: 'replaceMark refuses what it has marked already',
    found: 'restored',
    says: [
      /replaceMark throws "box 1 is not \S+" for an object that is marked already/,
      /likely mistake: replaceMark: what bears the mark already is marked/,
    ],
    resource: (tools, right) => ({
      async replaceMark(id: BoxId, context: Context) {
        const box = await boxOf(tools, id, context.signal);
        const [former] = context.former.slice(-1);
        if (box?.label !== former?.mark) throw new DefiniteError(`box ${id.id} is not ${former?.mark}`);
        await right.replaceMark?.(id, context);
      },
    }),
  },
];

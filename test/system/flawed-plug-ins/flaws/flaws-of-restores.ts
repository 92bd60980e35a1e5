import { DefiniteError } from '../../../../sdk/index.ts';
import { type BoxId, type BoxResource, boxOf } from '../a-box-plug-in.ts';
import type { Flaw } from '../flaw.ts';

type Context = Parameters<NonNullable<BoxResource['remark']>>[1];

const marks = /likely mistake: remark has to put owner\.mark in place of a former one/;

/** Flaws in the handling of a restore from a backup. */
export const flawsOfRestores: readonly Flaw[] = [
  {
    what: 'remark does nothing',
    found: 'restored',
    says: [/^restored with .*: after a restore, find answers undefined for \S+ instead of \{"id":1\}/, marks],
    resource: () => ({ remark: async () => undefined }),
  },
  {
    what: 'remark does nothing, and only observe would tell',
    found: 'restored',
    identity: 'key',
    says: [/^restored with .*: after a restore, \{"id":1\} bears \S+ instead of \S+/, marks],
    resource: (tools) => ({
      remark: async () => undefined,
      async observe(id: BoxId, { signal }: Pick<Context, 'signal'>) {
        const box = await boxOf(tools, id, signal);
        return box && { state: { name: box.name, size: box.size, colour: box.colour }, mark: box.label };
      },
    }),
  },
  {
    what: 'remark refuses what it has marked already',
    found: 'restored',
    says: [
      /remark throws "box 1 is not \S+" for an object that is marked already/,
      /likely mistake: remark: what bears the mark already is marked/,
    ],
    resource: (tools, right) => ({
      async remark(id: BoxId, context: Context) {
        const box = await boxOf(tools, id, context.signal);
        const [former] = context.former.slice(-1);
        if (box?.label !== former?.mark) throw new DefiniteError(`box ${id.id} is not ${former?.mark}`);
        await right.remark?.(id, context);
      },
    }),
  },
];
